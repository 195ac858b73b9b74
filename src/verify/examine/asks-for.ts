/** Whether what a hidden test imports is there: decides whose mistake it is that a test cannot be loaded. */
import { posix } from 'node:path';
import type { TreeStore } from '../../domain/tree.ts';
import { pathSetOf } from '../../domain/tree-index.ts';
import type { Platform } from '../../platform/platform.ts';
import { OF_RUNNERS } from '../checks/check-old-contract.ts';
import { pythonCandidates, resolveModule } from '../source/imports.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf, type SourceImport } from '../source/source.ts';

interface Project {
  platform: Platform;
  trees: TreeStore;
  tree: string;
}

/** `promised`: words of the description and the interface; a name in them counts as there. */
export async function isAllThere(project: Project, { file, code }: { file: string; code: string }, promised: string): Promise<boolean> {
  const reading = await readSource(project.platform, file, code);
  if (reading === null) return false;
  const paths = pathSetOf(await project.trees.list(project.tree));
  for (const one of reading.imports) {
    if (OF_RUNNERS.test(one.specifier) || one.specifier.startsWith('node:')) continue;
    const path = resolved(one, file, paths);
    if (path === undefined) continue;
    const missing = path === null ? [stemOf(one.specifier)] : await missingNames(project, path, one, paths);
    if (missing.some((name) => !promised.includes(name))) return false;
  }
  return true;
}

/** null: a file of the project that is not there; undefined: a package, or anything else that is not of the project. */
function resolved(one: SourceImport, file: string, paths: { has(path: string): boolean }): string | null | undefined {
  if (languageOf(file) === 'javascript')
    return one.specifier.startsWith('.') ? resolveModule(posix.join(posix.dirname(file), one.specifier), paths) : undefined;
  const candidates = pythonCandidates(one, file).map((places) => places.find((place) => paths.has(place)) ?? null);
  if (candidates.every((found) => found === null)) return undefined;
  const parts = one.specifier.split('.').length;
  return candidates[parts - 1] ?? null;
}

async function missingNames(
  { platform, trees, tree }: Project,
  path: string,
  one: SourceImport,
  paths: { has(path: string): boolean },
): Promise<string[]> {
  const text = (await trees.read(tree, path))?.toString('utf8') ?? '';
  const reading = await readSource(platform, path, text);
  if (reading === null || reading.exports.includes('*')) return [];
  const folder = posix.dirname(path);
  const isModule = (name: string): boolean =>
    paths.has(posix.join(folder, `${name}.py`)) || paths.has(posix.join(folder, name, '__init__.py'));
  return one.names.filter((name) => name !== '*' && name !== 'default' && !reading.exports.includes(name) && !isModule(name));
}

/** `cart` of `../src/cart.js` and of `shop.cart`. */
function stemOf(specifier: string): string {
  const last = specifier.slice(specifier.lastIndexOf('/') + 1).replace(/\.[cm]?[jt]sx?$/, '');
  return last.slice(last.lastIndexOf('.') + 1);
}
