/**
 * Whether test files cannot be loaded on the code from before the session, told without running them.
 *
 * 1. Only what Node decides before any code runs: a static import of a relative path that is spelled out to its end, in plain JavaScript, under a
 *    command that is `node --test` and nothing else.
 * 2. The path is that of a file which the session brought and which is no part of the tests; nothing on the base stands there or on the way to it.
 * 3. Everything else is run.
 */
import { posix } from 'node:path';
import type { Case } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import { commandSources } from '../run/command-sources.ts';
import { chooseCommand } from '../run/test-command.ts';
import { readSource } from '../source/read-source.ts';
import type { TestSide } from './test-side.ts';

export async function cannotLoadOnBase(
  input: Case,
  { files, isOfTests }: { files: readonly string[]; isOfTests: TestSide },
): Promise<boolean> {
  const { platform, judged } = input;
  const brought = new Set(judged.changes.filter(({ path, status }) => status === 'added' && !isOfTests(path)).map(({ path }) => path));
  if (brought.size === 0 || files.length === 0 || !(await isPlainNode(input))) return false;
  const there = new Set((await input.trees.list(input.base.tree)).map(({ path }) => path));
  const isMissing = (path: string): boolean => brought.has(path) && !upwards(path).some((one) => there.has(one));
  for (const file of files) {
    const text = /\.m?js$/.test(file) ? (await input.trees.read(judged.tree, file))?.toString('utf8') : undefined;
    if (text === undefined) continue;
    const reading = await readSource(platform, file, text);
    const taken = (reading?.imports ?? []).filter(({ start, end, isType }) => !isType && STATIC.test(text.slice(start, end)));
    const paths = taken
      .filter(({ specifier }) => RELATIVE.test(specifier))
      .map(({ specifier }) => posix.join(posix.dirname(file), specifier));
    if (!paths.some(isMissing)) return false;
  }
  return true;
}

/** `import … from`, or `import '…'`; what is asked for while code runs may be missed without harm. */
const STATIC = /^import\b\s*(?!\s*[(.])/;
const RELATIVE = /^\.\.?\/[\w./-]+\.m?js$/;

async function isPlainNode({ settings, trees, base }: JudgeInput): Promise<boolean> {
  const { full, report, feature } = settings.testing;
  const { runner, match, resolved } = chooseCommand(full, report, await commandSources(trees, base.tree, [full]));
  const isAlone = feature === null && resolved.before.length === 0 && Object.keys(resolved.env).length === 0;
  const isNode = runner.name === 'node:test' && resolved.words !== null && /(?:^|\/)node$/.test(resolved.words[0] ?? '');
  return isAlone && isNode && match.interpreterArgs.length === 0 && match.args.every((word) => !word.startsWith('-'));
}

/** A path and the folders above it. */
function upwards(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
