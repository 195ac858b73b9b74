/**
 * The candidate with what the session brought or changed made wrong in place.
 *
 * 1. Code: functions and methods that are new or whose text changed. What has no body and was there before is set back; what is new and
 *    has none gets other values where it is JSON, other words where it is text.
 * 2. Names, members, aliases, links and packages stay as they are. What the judge replaced, and the tests, are left alone.
 * 3. `count` says how many units were touched: none means that nothing could be made wrong.
 */
import type { TreeChange, TreeEdit, TreeStore } from '../../domain/tree.ts';
import type { Platform } from '../../platform/platform.ts';
import { applyEdits, languageOf, type SourceFunction, type SourceReading, type TextEdit } from '../source/source.ts';
import { changedUnits, readChanges } from './changed-code.ts';
import { kindOf } from './protected-paths.ts';
import { maskSource } from '../source/mask.ts';
import { setBack } from './set-back.ts';
import type { Case } from '../case.ts';
import type { TestSide } from './test-side.ts';
import { wrongJavascript } from './wrong-javascript.ts';
import { wrongPython } from './wrong-python.ts';
import type { MadeWrong, Wrongness, WrongUnits } from './wrongness.ts';

type WrongInput = Pick<Case, 'platform' | 'trees' | 'settings' | 'judged'>;

const MOST_BYTES = 1_000_000;

/** Kinds in which no value is wrong. */
const HARMLESS: ReadonlySet<Wrongness['kind']> = new Set(['same', 'thrown', 'hollow', 'apart']);

export async function makeWrong(input: WrongInput, isOfTests: TestSide, wrongness: Wrongness): Promise<MadeWrong> {
  const { platform } = input;
  const changes = subjectsOf(input, isOfTests);
  const code = changes.filter((change) => languageOf(change.path) !== null);
  if (wrongness.kind === 'back') return await setBack(platform, input.trees, code);
  if (wrongness.kind === 'idle') return await makeIdle(platform, input.trees, code);
  const made = await wrongCode(platform, input.trees, code, wrongness);
  if (HARMLESS.has(wrongness.kind)) return made;
  const data = await Promise.all(
    changes.filter((change) => languageOf(change.path) === null).map((change) => wrongData(input.trees, change, wrongness)),
  );
  const edits = data.filter((edit) => edit !== null);
  const besideCode = made.count === 0 && edits.length > 0 && (await saysOther(platform, input.trees, code));
  return { edits: [...made.edits, ...edits], count: made.count + edits.length, besideCode };
}

/** Whether code says something else than before, beside its comments: a name that is handed on has no value of its own to be made wrong. */
async function saysOther(platform: Platform, trees: TreeStore, changes: readonly TreeChange[]): Promise<boolean> {
  const read = await readChanges(platform, trees, changes);
  const codeOf = (text: string, { language }: SourceReading): string => maskSource(text, language).replaceAll(/\s+/g, '');
  return read.some(({ after, before, reading, old }) => old !== null && codeOf(after, reading) !== codeOf(before, old));
}

function subjectsOf({ settings, judged }: WrongInput, isOfTests: TestSide): TreeChange[] {
  const replaced = new Set(judged.edits.map((edit) => edit.path));
  const said = [settings.paths.features, settings.paths.progress];
  const named = { stateDirectory: settings.paths.state_dir, extra: [], commandFiles: new Set<string>() };
  return judged.changes.filter(
    (change) =>
      change.to !== null &&
      change.to.mode !== '120000' &&
      !replaced.has(change.path) &&
      !said.includes(change.path) &&
      !isOfTests(change.path) &&
      kindOf(change.path, named) === null,
  );
}

async function wrongCode(platform: Platform, trees: TreeStore, changes: readonly TreeChange[], wrongness: Wrongness): Promise<MadeWrong> {
  const made: MadeWrong = { edits: [], count: 0 };
  for (const { path, mode, after, before, reading, old } of await readChanges(platform, trees, changes)) {
    const units = changedUnits(after, reading, before, old);
    const count = units.functions.length + units.values.length + units.classes.length;
    if (count === 0 && (before !== '' || !wrongness.kind.startsWith('inside'))) continue;
    made.count += Math.max(count, 1);
    const content = count === 0 ? wrongProgram(after, reading, wrongness) : wrongText({ text: after, path, reading }, units, wrongness);
    made.edits.push({ path, kind: 'write', content, mode });
  }
  return made;
}

/** A new program without a function of its own: what it prints and how it ends are others. */
function wrongProgram(text: string, { language }: SourceReading, { word }: Wrongness): string {
  const first = /^#![^\n]*\n/.exec(text)?.[0] ?? '';
  const rest = text.slice(first.length);
  if (language === 'python') {
    const garbled = `import sys as ${word}_sys\n${word}_write = ${word}_sys.stdout.write\n${word}_sys.stdout.write = lambda text: ${word}_write('${word}' + text)\n`;
    return `${first}import atexit as ${word}_end, os as ${word}_os\n${word}_end.register(lambda: ${word}_os._exit(3))\n${garbled}${rest}`;
  }
  const garbled = `const { write } = process.stdout; process.stdout.write = (text, ...more) => write.call(process.stdout, '${word}' + text, ...more);`;
  return `${first}{ ${garbled} process.on('exit', (code) => { process.exitCode = code === 0 ? 3 : 0; }); }\n${rest}`;
}

/** Functions that give nothing back do nothing. */
async function makeIdle(platform: Platform, trees: TreeStore, changes: readonly TreeChange[]): Promise<MadeWrong> {
  const made: MadeWrong = { edits: [], count: 0 };
  for (const { path, mode, after, before, reading, old } of await readChanges(platform, trees, changes)) {
    const idle = changedUnits(after, reading, before, old).functions.filter(givesNothing);
    if (idle.length === 0) continue;
    made.count += idle.length;
    const edits = idle.map(({ body, indent }): TextEdit => ({
      at: body.start,
      length: 0,
      text: reading.language === 'python' ? `return\n${indent}` : 'return;',
    }));
    made.edits.push({ path, kind: 'write', content: applyEdits(after, edits), mode });
  }
  return made;
}

/** Whether all that the session brought are functions that give nothing back: then only what they do can be looked at. */
export async function onlyDoes(input: WrongInput, isOfTests: TestSide): Promise<boolean> {
  const { platform } = input;
  const changes = subjectsOf(input, isOfTests);
  if (changes.some((change) => languageOf(change.path) === null)) return false;
  const units = (await readChanges(platform, input.trees, changes)).map(({ after, reading, before, old }) =>
    changedUnits(after, reading, before, old),
  );
  const functions = units.flatMap((one) => one.functions);
  return functions.length > 0 && functions.every(givesNothing) && units.every((one) => one.values.length + one.classes.length === 0);
}

function givesNothing(one: SourceFunction): boolean {
  return !one.isExpression && !one.isGenerator && !one.isConstructor && one.returns.every((back) => back.value === null);
}

/** Code with some of its units made wrong. */
export function wrongText(
  { text, path, reading }: { text: string; path: string; reading: SourceReading },
  units: WrongUnits,
  wrongness: Wrongness,
): string {
  return reading.language === 'python'
    ? wrongPython(text, reading, units, wrongness)
    : wrongJavascript({ text, path, reading }, units, wrongness);
}

export function allUnits(reading: SourceReading): WrongUnits {
  return { functions: reading.functions, values: reading.values, classes: reading.madeClasses };
}

async function wrongData(trees: TreeStore, change: TreeChange, wrongness: Wrongness): Promise<TreeEdit | null> {
  if (change.from !== null) return { path: change.path, kind: 'entry', entry: { ...change.from, path: change.path } };
  const content = await trees.readBlob(change.to!.oid);
  if (content.length > MOST_BYTES || content.includes(0)) return null;
  const text = content.toString('utf8');
  const worded = text.replace(/\b[A-Za-z](?=[A-Za-z]{2})/g, (letter) => `${letter}${wrongness.word}`);
  const wrong = change.path.endsWith('.json')
    ? wrongJson(text, wrongness)
    : worded === text
      ? text.replace(/\d+/g, (digits) => String(Number(digits) + wrongness.offset))
      : worded;
  return wrong === null || wrong === text ? null : { path: change.path, kind: 'write', content: wrong };
}

function wrongJson(text: string, { word, offset, kind }: Wrongness): string | null {
  try {
    const turn = (_key: string, value: unknown): unknown => {
      if (typeof value === 'number') return value + offset;
      if (typeof value === 'string') return `${value}${word}`;
      return typeof value === 'boolean' ? kind !== 'other' : value;
    };
    return JSON.stringify(JSON.parse(text), turn, 2);
  } catch {
    return null;
  }
}
