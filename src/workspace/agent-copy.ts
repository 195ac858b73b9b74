/**
 * The agent's workspace: a copy of the project outside home, kept between sessions.
 *
 * 1. It lies at `$HARNESS_HOME/work/<project>/<lane>/tree`, never below home; everything else of the lane lies beside it, out of
 *    the agent's writable reach.
 * 2. It holds the given tree and nothing else, apart from installed dependencies; its `.git` is new for each session.
 * 3. Starting costs what changed.
 */
import { dirname, join } from 'node:path';
import { usageError } from '../domain/errors.ts';
import type { TreeStore } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';
import type { Identity } from './commit.ts';
import { ensureDependencies, installIntoCopy, type Dependencies } from './dependencies.ts';
import { loadHeldCopy, makeCopy, type HeldCopy } from './held-copy.ts';
import { openHarnessHome } from './harness-home.ts';
import type { Home } from './home.ts';
import { isInside, projectKey } from './paths.ts';
import { renewGitDirectory, renewPristine } from './pristine.ts';
import { homeTreeStore } from './tree-store.ts';

export interface AgentCopy {
  /** The directory the agent works in. */
  path: string;
  /** The lane's own folder around it. */
  folder: string;
  /** What the copy held when it was handed over. */
  held: HeldCopy;
  dependencies: Dependencies;
  files_changed: number;
  duration_ms: number;
}

export interface PrepareOptions {
  home: Home;
  harnessHome: string;
  /** The project's, for what installs leave there. */
  stateDir?: string;
  /** Commit that the copy's branch stands at. */
  base: string;
  /** Name of the copy's branch. */
  branch?: string | null;
  /** Tree of the base, or of work in progress: then it shows as uncommitted changes. */
  tree: string;
  lane?: string;
  identity?: Identity;
  store?: TreeStore;
  /** More names at the top that stay between sessions, such as a virtual environment. */
  keep?: readonly string[];
}

const AGENT_IDENTITY: Identity = { name: 'Harness Agent', email: 'agent@localhost' };

export async function prepareWorkspace(platform: Platform, options: PrepareOptions): Promise<AgentCopy> {
  const begin = platform.clock.monotonic();
  const { harnessHome, base } = options;
  const { folder, store, own, pristine, made } = await layOut(platform, options);
  const dependencies = await ensureDependencies(platform, {
    store,
    tree: base,
    harnessHome,
    ...(options.stateDir === undefined ? {} : { stateDir: options.stateDir, root: options.home.root }),
  });
  await installIntoCopy(platform, { folder, dependencies });
  await Promise.all([pristine, made.saved]);
  await renewGitDirectory(platform, own, { base: await store.list(base), statOf: made.statOf });
  return {
    path: join(folder, 'tree'),
    folder,
    held: { manifest: made.manifest, look: made.look },
    dependencies,
    files_changed: made.changed,
    duration_ms: platform.clock.monotonic() - begin,
  };
}

/** The files and the history alone, ahead of the first session. */
export async function layOutAhead(platform: Platform, options: PrepareOptions): Promise<void> {
  const { pristine, made } = await layOut(platform, options);
  await Promise.all([pristine, made.saved]);
}

async function layOut(platform: Platform, options: PrepareOptions) {
  const { home, base, tree } = options;
  const folder = await laneFolder(platform, options);
  const store = homeTreeStore(platform, home, options.store);
  const own = {
    home,
    folder,
    base,
    branch: options.branch ?? home.branch ?? 'work',
    identity: options.identity ?? AGENT_IDENTITY,
  };
  const pristine = renewPristine(platform, own);
  pristine.catch(() => {});
  const made = await makeCopy(platform, store, { folder, tree, keep: options.keep ?? [] });
  made.saved.catch(() => {});
  return { folder, store, own, pristine, made };
}

/** The copy as an interrupted session left it, for capturing; `null` when there is none. */
export async function reopenWorkspace(
  platform: Platform,
  options: { home: Home; harnessHome: string; lane?: string },
): Promise<Pick<AgentCopy, 'path' | 'folder' | 'held'> | null> {
  const folder = await laneFolder(platform, options);
  const path = join(folder, 'tree');
  const stat = await platform.files.lstat(path).catch(() => null);
  return stat?.isDirectory() === true ? { path, folder, held: await loadHeldCopy(platform, folder) } : null;
}

/** Every lane's copy that is there. */
export async function listWorkspaces(
  platform: Platform,
  options: { home: Home; harnessHome: string },
): Promise<{ lane: string; path: string }[]> {
  const folder = join(await laneFolder(platform, options), '..');
  const found: { lane: string; path: string }[] = [];
  for (const { name } of await platform.files.list(folder)) {
    const path = join(folder, name, 'tree');
    const stat = await platform.files.lstat(path).catch(() => null);
    if (stat?.isDirectory() === true) found.push({ lane: name, path });
  }
  return found;
}

async function laneFolder(platform: Platform, options: { home: Home; harnessHome: string; lane?: string }): Promise<string> {
  await openHarnessHome(platform, options.harnessHome);
  const harnessHome = await platform.files.realpath(options.harnessHome);
  if (isInside(options.home.root, harnessHome)) {
    throw usageError(
      `HARNESS_HOME (${harnessHome}) lies inside the project ${options.home.root}.`,
      'Agents work below HARNESS_HOME, and their files must not mix with the project. Set HARNESS_HOME to a directory outside it.',
    );
  }
  const folder = join(harnessHome, 'work', projectKey(options.home.root), options.lane ?? 'main');
  for (const path of [dirname(folder), folder]) await platform.files.mkdirPrivate(path);
  return folder;
}
