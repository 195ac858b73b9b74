/**
 * What the change newly observes: in the candidate's version of its sources, and not on base.
 *
 * 1. An observation is known if the same function of the same file made it on base, deciding by the same values if it decides anything.
 * 2. Code that was moved or renamed brings nothing new: what is gone from one place may be found in another function of the file, or in the
 *    function of the same name in another file.
 */
import type { Platform } from '../../platform/platform.ts';
import type { Case } from '../case.ts';
import { isTestPath } from '../checks/protected-paths.ts';
import { changedSources } from '../checks/check-reach.ts';
import { parseJavascript } from '../source/parse-javascript.ts';
import { parsePython } from '../source/parse-python.ts';
import { languageOf, type Language } from '../source/source.ts';
import { fromJavascript } from './from-javascript.ts';
import { fromPython } from './from-python.ts';
import { observe, type Observation } from './observe.ts';

export interface PlacedObservation extends Observation {
  path: string;
  language: Language;
}

const JAVASCRIPT_LIMIT_MS = 5_000;
const PYTHON_LIMIT_MS = 20_000;
const LONGEST = 2_000_000;

export async function newlyObserved(judged: Case): Promise<PlacedObservation[]> {
  const paths = new Set(changedSources(judged));
  const changes = judged.judged.changes.filter(({ path }) => paths.has(path) || languageOf(path) !== null);
  const read = async (side: 'from' | 'to', some: typeof changes): Promise<PlacedObservation[]> => {
    const files = await Promise.all(
      some.map(async (change) => {
        const entry = change[side];
        return entry === null ? [] : [{ path: change.path, text: (await judged.trees.readBlob(entry.oid)).toString('utf8') }];
      }),
    );
    return await observeAll(judged.platform, files.flat());
  };
  // Code in a folder of tests is no part of the program; sources that take something from there are found by their imports.
  const now = await read(
    'to',
    changes.filter(({ path }) => paths.has(path) && !isTestPath(path)),
  );
  return now.length === 0 ? [] : withoutKnown(now, await read('from', changes));
}

export async function observeAll(platform: Platform, files: readonly { path: string; text: string }[]): Promise<PlacedObservation[]> {
  const found: PlacedObservation[] = [];
  const readable = files.filter(({ path, text }) => languageOf(path) !== null && text.length <= LONGEST && !path.endsWith('.d.ts'));
  const take = (file: { path: string; text: string }, language: Language, program: Parameters<typeof observe>[0]): void => {
    found.push(...observe(program, { ...file, language }).map((one) => ({ ...one, path: file.path, language })));
  };
  for (const file of readable.filter(({ path }) => languageOf(path) === 'javascript')) {
    const program = await parseJavascript(file.text, file.path, JAVASCRIPT_LIMIT_MS);
    if (program !== null) take(file, 'javascript', fromJavascript(program));
  }
  const python = readable.filter(({ path }) => languageOf(path) === 'python');
  const trees = await parsePython(
    platform,
    python.map(({ text }) => text),
    PYTHON_LIMIT_MS,
  );
  for (const [at, file] of python.entries()) {
    const tree = trees[at] ?? null;
    if (tree !== null) take(file, 'python', fromPython(tree));
  }
  return found;
}

/** Each known observation answers for those like it in one place. */
export function withoutKnown(now: readonly PlacedObservation[], before: readonly PlacedObservation[]): PlacedObservation[] {
  const keyOf = ({ what, path, inside, decides, values, language }: PlacedObservation): string =>
    JSON.stringify([language, path, inside, what, decides ? values.toSorted() : []]);
  const known = new Set(before.map(keyOf));
  const places = new Set(before.map(({ path, what }) => JSON.stringify([path, what])));
  const left = new Set(now.map(keyOf));
  // What the file observes anyway and hands on to one more function is no news.
  const isHandedOn = ({ path, what, decides, kind }: PlacedObservation): boolean =>
    !decides && kind !== 'environment' && kind !== 'arguments' && places.has(JSON.stringify([path, what]));
  const fresh = now.filter((one) => !known.has(keyOf(one)) && !isHandedOn(one));
  const gone = before.filter((one) => !left.has(keyOf(one)));
  const isMoved = (one: PlacedObservation): boolean =>
    gone.some(
      (old) =>
        old.what === one.what &&
        (old.decides || !one.decides) &&
        (!one.decides || one.values.every((value) => old.values.includes(value))) &&
        (old.path === one.path || (old.inside === one.inside && one.inside !== '')),
    );
  const seen = new Set<string>();
  return fresh.filter((one) => {
    const key = keyOf(one);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst && !isMoved(one);
  });
}
