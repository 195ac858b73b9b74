/**
 * Tests that are compiled before they run: the suite names a folder of output, the ledger knows sources.
 *
 * 1. A folder counts as output where steps before the runner fill it and the tree has nothing in it.
 * 2. One rule leads from sources to output: a folder of sources is taken away, the folder of output is put in its place. It has to hold
 *    for everything that was compiled; where two would hold, none does, so that no file can pass for another.
 */
import type { TestResult } from '../../domain/verdict.ts';
import type { TestCommand } from './test-command.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

/** Where the compiled tests of a suite lie, relative; null where tests run from their sources. */
export function outputFolder({ runner, match, resolved }: TestCommand, paths: readonly string[]): string | null {
  const targets = runner.single?.targets ?? null;
  if (targets === null || resolved.before.length === 0) return null;
  const folders = new Set(targets(match).map((target) => beforeFirst(target.replace(/^\.\//, ''), '/')));
  const [folder] = folders;
  if (folders.size !== 1 || folder === undefined || !/^[\w-][\w.-]*$/.test(folder)) return null;
  return paths.some((path) => path === folder || path.startsWith(`${folder}/`)) ? null : folder;
}

/** Which output comes from which source, both relative. */
export type Compiled = ReadonlyMap<string, string>;

/** What an output may have been made of, the likelier first. */
const MADE_OF: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx'],
  '.mjs': ['.mts', '.mjs'],
  '.cjs': ['.cts', '.cjs'],
};

/** null where no rule, or more than one, leads from the sources to the output. */
export function pairUp(outputs: readonly string[], paths: readonly string[], folder: string): Compiled | null {
  const candidates = outputs.map((output) => sourcesOf(output, paths, folder)).filter((found) => found.size > 0);
  const [first, ...rest] = candidates;
  const rules = [...(first?.keys() ?? [])].filter((rule) => rest.every((found) => found.has(rule)));
  if (rules.length !== 1) return null;
  const [rule] = rules as [string];
  return new Map(
    outputs.flatMap((output) => {
      const source = sourcesOf(output, paths, folder).get(rule);
      return source === undefined ? [] : [[output, source] as const];
    }),
  );
}

/** By the folder that would have to be taken away. */
function sourcesOf(output: string, paths: readonly string[], folder: string): Map<string, string> {
  const extension = /\.[cm]?js$/.exec(output)?.[0] ?? '';
  const stem = output.slice(folder.length + 1, output.length - extension.length);
  const found = new Map<string, string>();
  for (const other of MADE_OF[extension] ?? [])
    for (const path of paths) {
      const rule = path.endsWith(`${stem}${other}`) ? path.slice(0, -(stem.length + other.length)) : null;
      if (rule !== null && (rule === '' || rule.endsWith('/')) && !found.has(rule)) found.set(rule, path);
    }
  return found;
}

/** Results under the names of their sources. */
export function namedBySource(tests: readonly TestResult[], compiled: Compiled): TestResult[] {
  return tests.map((one) => {
    const source = compiled.get(one.file);
    return source === undefined ? one : { ...one, file: source, id: `${source}${one.id.slice(one.file.length)}` };
  });
}
