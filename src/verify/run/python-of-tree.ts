/** The Python of a project's test command, and how a run or an agent gets its environment. */
import { delimiter, join } from 'node:path';
import type { TreeEntry, TreeStore } from '../../domain/tree.ts';
import { pathsOf } from '../../domain/tree-index.ts';
import { isThroughLink } from '../../platform/contained-path.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SandboxSpec } from '../../platform/sandbox.ts';
import type { JudgeSettings } from '../contract.ts';
import { choosePython, type ChosenPython } from './choose-python.ts';
import { commandSources } from './command-sources.ts';
import { insideOf } from './python-environments.ts';
import { pythonRoots } from './python-roots.ts';
import { chooseCommand } from './test-command.ts';
import { mustHave } from '../../domain/must-have.ts';

interface Ground {
  settings: Pick<JudgeSettings, 'testing'>;
  trees: TreeStore;
  checkout?: string | undefined;
}

/** Asked for every run. */
const withPython = new WeakMap<readonly TreeEntry[], boolean>();

function hasPython(entries: readonly TreeEntry[]): boolean {
  const has = withPython.get(entries) ?? entries.some((entry) => entry.path.endsWith('.py'));
  withPython.set(entries, has);
  return has;
}

/** null: no Python in the tree, or tests that need none and no environment. */
export async function pythonOfTree(platform: Platform, { settings, trees, checkout }: Ground, tree: string): Promise<ChosenPython | null> {
  const entries = await trees.list(tree);
  if (!hasPython(entries)) return null;
  const { full, report } = settings.testing;
  const { resolved, runner } = chooseCommand(full, report, await commandSources(trees, tree, [full]));
  const isNeeded = runner.interpreter === 'python';
  const chosen = await choosePython(platform, {
    checkout: checkout ?? null,
    program: resolved.words?.[0] ?? '',
    tool: resolved.tool,
    module: isNeeded ? (runner.pythonModule ?? 'pytest') : 'sys',
    paths: pathsOf(entries),
  });
  return isNeeded || ('python' in chosen && chosen.environment !== null) ? chosen : null;
}

export interface InstalledPython {
  checkout: string;
  /** Folder of the environment; null: programs are those of the PATH. */
  environment: string | null;
}

/** What a run needs of the user's own checkout; null: nothing, its tests run without Python. */
export async function installedPython(platform: Platform, ground: Ground, tree: string): Promise<InstalledPython | null> {
  const { checkout } = ground;
  const found = checkout === undefined ? null : await pythonOfTree(platform, ground, tree);
  if (checkout === undefined || found === null || 'missing' in found) return null;
  return { checkout, environment: found.environment?.folder ?? null };
}

/** Folders of the tree that come before installed packages, below `at`. */
export async function importRoots(trees: TreeStore, tree: string, at: string): Promise<string[]> {
  const entries = await trees.list(tree);
  if (!hasPython(entries)) return [];
  const plain = new Map(entries.filter((entry) => entry.mode !== '120000').map((entry) => [entry.path, entry.oid]));
  const roots = await pythonRoots([...plain.keys()], async (path) =>
    (await trees.readBlob(mustHave(plain.get(path), 'only files of the tree are read'))).toString('utf8'),
  );
  return roots.map((root) => join(at, root));
}

/** As an activated environment sets them. Packages of the user's home, which the PATH's Python would add, are left out. */
export function activated(folder: string | null, path: string): Record<string, string> {
  return folder === null ? {} : { PATH: [join(folder, 'bin'), path].join(delimiter), VIRTUAL_ENV: folder, PYTHONNOUSERSITE: '1' };
}

/**
 * The user's own folder shows what is in `folder`, with the environment in its place: where an installation leads to the user's folder, as an
 * editable one does, code of the tree is found there and never the user's.
 */
export function overCheckout(sandbox: SandboxSpec, { checkout, environment }: InstalledPython, folder: string): SandboxSpec {
  const isBelow = (path: string): boolean => insideOf(checkout, path) !== null;
  const inside = environment === null ? null : insideOf(checkout, environment);
  return {
    ...sandbox,
    hidden: sandbox.hidden.filter((path) => !isBelow(path)),
    shown: [...(sandbox.shown ?? []).filter((path) => !isBelow(path)), ...(environment === null ? [] : [environment])],
    writableAt: [...(sandbox.writableAt ?? []), [folder, checkout]],
    readOnlyAt: [
      ...(sandbox.readOnlyAt ?? []),
      ...(environment === null || inside === null ? [] : [environment, join(folder, inside)].map((place) => [environment, place] as const)),
    ],
  };
}

/** Makes the folder of the room that an environment is put over. The returned call takes away what was made. */
export async function makePlace(
  platform: Platform,
  { checkout, environment }: InstalledPython,
  room: string,
): Promise<() => Promise<void>> {
  const inside = environment === null ? null : insideOf(checkout, environment);
  if (inside === null || (await isThroughLink(platform, room, inside))) return async () => {};
  const parts = inside.split('/');
  for (let count = 1; count <= parts.length; count += 1) {
    const first = parts.slice(0, count).join('/');
    const path = join(room, first);
    if ((await platform.files.lstat(path).catch(() => null)) !== null) continue;
    await platform.files.mkdir(join(room, inside));
    // The run may have put a link in the way.
    return async () => ((await isThroughLink(platform, room, first)) ? undefined : await platform.files.remove(path));
  }
  return async () => {};
}
