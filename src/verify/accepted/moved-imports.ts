/**
 * Imports of an earlier test version that the candidate cannot resolve, because the module moved.
 *
 * 1. Only an import that resolves on base and not on the candidate, and only where exactly one file of the candidate's code exports all names
 *    that are taken from it.
 * 2. The specifier changes and nothing else.
 */
import { posix } from 'node:path';
import { pathSetOf, pathsOf } from '../../domain/tree-index.ts';
import type { TreeEdit, TreeEntry, TreeStore } from '../../domain/tree.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TestSide } from '../checks/test-side.ts';
import { moduleCandidates, resolveModule } from '../source/imports.ts';
import { readSource, readSources } from '../source/read-source.ts';
import { applyEdits, languageOf, type SourceImport, type TextEdit } from '../source/source.ts';

export interface MovedImport {
  path: string;
  from: string;
  to: string;
}

interface Trees {
  platform: Platform;
  trees: TreeStore;
  base: string;
  candidate: string;
  isOfTests: TestSide;
}

const MOST_SOURCES = 1_000;

/** Edits for the entries that take something from a module which moved, and what was rewritten. */
export async function followMoves(ground: Trees, entries: readonly TreeEntry[]): Promise<{ edits: TreeEdit[]; moved: MovedImport[] }> {
  const found = { edits: [] as TreeEdit[], moved: [] as MovedImport[] };
  const there = pathSetOf(await ground.trees.list(ground.base));
  const now = pathSetOf(await ground.trees.list(ground.candidate));
  const own = new Set(entries.map(({ path }) => path));
  for (const { path, oid } of entries.filter((entry) => languageOf(entry.path) !== null)) {
    const text = (await ground.trees.readBlob(oid)).toString('utf8');
    const reading = await readSource(ground.platform, path, text);
    const edits: TextEdit[] = [];
    for (const one of reading?.imports ?? []) {
      const before = resolved(one, path, there);
      if (before === null || one.names.length === 0 || now.has(before) || own.has(before) || resolved(one, path, now) !== null) continue;
      const target = await onlyFileWith(ground, before, one.names);
      const to = target === null ? null : specifierFor(one, { path, before, target });
      const at = to === null ? -1 : text.indexOf(one.specifier, one.start);
      if (to === null || at < 0 || at >= one.end) continue;
      edits.push({ at, length: one.specifier.length, text: to });
      found.moved.push({ path, from: one.specifier, to });
    }
    if (edits.length > 0) found.edits.push({ path, kind: 'write', content: applyEdits(text, edits) });
  }
  return found;
}

/** The one file that an import means; null: none, or it is no module of the project. */
function resolved(one: SourceImport, path: string, paths: ReadonlySet<string>): string | null {
  if (!path.endsWith('.py'))
    return one.specifier.startsWith('.') ? resolveModule(posix.join(posix.dirname(path), one.specifier), paths) : null;
  if (one.specifier.startsWith('.')) return null;
  const module = one.specifier.replaceAll('.', '/');
  const places = ROOTS.flatMap((root) => [posix.join(root, `${module}.py`), posix.join(root, module, '__init__.py')]);
  return places.find((place) => paths.has(place)) ?? null;
}

const ROOTS = ['.', 'src', 'lib'] as const;

async function onlyFileWith(
  { platform, trees, candidate, isOfTests }: Trees,
  before: string,
  names: readonly string[],
): Promise<string | null> {
  const language = languageOf(before);
  const list = await trees.list(candidate);
  const paths = pathsOf(list).filter((path) => languageOf(path) === language && !isOfTests(path));
  if (paths.length > MOST_SOURCES) return null;
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: (await trees.read(candidate, path))?.toString('utf8') ?? '' })));
  const readings = await readSources(platform, texts);
  const fitting = paths.filter((_path, at) => names.every((name) => readings[at]?.exports.includes(name) === true));
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** In the form of the one that was there: with or without its ending, below the same root. */
function specifierFor(one: SourceImport, { path, before, target }: { path: string; before: string; target: string }): string | null {
  if (path.endsWith('.py')) {
    const root = ROOTS.find((folder) => folder !== '.' && before.startsWith(`${folder}/`) && !one.specifier.startsWith(`${folder}.`));
    if (root !== undefined && !target.startsWith(`${root}/`)) return null;
    const module = (root === undefined ? target : target.slice(root.length + 1)).replace(/(?:\/__init__)?\.py$/, '');
    return module.replaceAll('/', '.');
  }
  const relative = posix.relative(posix.dirname(path), target);
  const given = relative.startsWith('.') ? relative : `./${relative}`;
  if (!/\.[cm]?[jt]sx?$/.test(one.specifier)) return given.replace(/(?:\/index)?\.[cm]?[jt]sx?$/, '');
  const asWritten = /\.[cm]?jsx?$/.test(one.specifier) ? given.replace(/\.([cm]?)ts(x?)$/, '.$1js$2') : given;
  return moduleCandidates(asWritten).length > 0 ? asWritten : null;
}
