/**
 * The agent's files as a tree in home's object store.
 *
 * 1. Only lstat and raw bytes: the workspace's git directory, attributes, filters and ignore rules are never consulted.
 * 2. Every path that the base tracks is captured, also when it is ignored; an untracked path when no trusted rule ignores it.
 * 3. What the manifest proves unchanged keeps its id; everything else is hashed.
 * 4. What cannot stand in a tree is left out and is a finding; a link that leaves the tree is captured and is a finding.
 * 5. No process of the session may be alive.
 */
import type { Capture, CaptureFinding, TreeChange, TreeEntry, TreeStore } from '../domain/tree.ts';
import { git, gitLine } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { findCollisions, sortEntry, type CapturedFile } from './capture-entry.ts';
import { hashFiles } from './capture-hash.ts';
import type { Home } from './home.ts';
import { withIgnoreRules, type IgnoreRules } from './ignore-rules.ts';
import { HARNESS_IDENTITY } from './commit.ts';
import { filledEntry, trustedEntry, type Manifest } from './manifest.ts';
import { tryUpdateIndex, withOwnIndex, writeTree, type IndexChange } from './own-index.ts';
import { homeTreeStore } from './tree-store.ts';
import { walkDirectory, type Walk, type WalkedEntry } from './walk.ts';

export interface CaptureOptions {
  home: Home;
  /** The directory the agent worked in, and what it held before; without a manifest everything is hashed. */
  copy: { path: string; manifest: Manifest | null };
  /** Tree (or commit) whose ignore rules count and against which changes are told. */
  baseTree: string;
  /** `refs/harness/candidates/<session>` */
  ref: string;
  message: string;
  /** Parent of the pinning commit. */
  parent?: string | null;
  store?: TreeStore;
  /** The machine may have gone down: a file that is empty now and was not when it was handed over counts as it was. */
  afterCrash?: boolean;
}

export async function captureWorkspace(platform: Platform, options: CaptureOptions): Promise<Capture> {
  const begin = platform.clock.monotonic();
  const { home, copy } = options;
  const store = homeTreeStore(platform, home, options.store);
  const base = await gitLine(platform, ['rev-parse', '--verify', '--end-of-options', `${options.baseTree}^{tree}`], { cwd: home.root });
  const tracked = await store.list(base);
  const findings: CaptureFinding[] = [];
  const walk = await withIgnoreRules(platform, home, store, tracked, (rules) =>
    walkWorkspace(platform, copy.path, tracked, rules, findings),
  );
  const files = await hashWalk(platform, options, tracked, walk, findings);
  findings.push(...findCollisions(files, tracked));
  const tree = await writeCapturedTree(platform, home, base, tracked, files, findings);
  const commit = await pinTree(platform, home, { tree, parent: options.parent ?? null, ref: options.ref, message: options.message });
  const changed: TreeChange[] = await store.diff(base, tree);
  return { tree, ref: options.ref, commit, findings, changed, duration_ms: platform.clock.monotonic() - begin };
}

/** A commit that keeps a tree from being collected, under a ref of the harness's own. */
export async function pinTree(
  platform: Platform,
  home: Home,
  pin: { tree: string; parent: string | null; ref: string; message: string },
): Promise<string> {
  const parents = pin.parent === null ? [] : ['-p', pin.parent];
  const commit = await gitLine(platform, ['commit-tree', pin.tree, ...parents], {
    cwd: home.root,
    stdin: `${pin.message}\n`,
    env: HARNESS_IDENTITY,
  });
  await git(platform, ['update-ref', '--end-of-options', pin.ref, commit], { cwd: home.root });
  return commit;
}

async function walkWorkspace(
  platform: Platform,
  workspace: string,
  tracked: readonly TreeEntry[],
  rules: IgnoreRules,
  findings: CaptureFinding[],
): Promise<Walk> {
  const trackedPaths = new Set(tracked.map((entry) => entry.path));
  const gitlinks = new Set(tracked.filter((entry) => entry.mode === '160000').map((entry) => entry.path));
  const trackedFolders = parentsOf(tracked);
  const leaveOut = async (level: readonly WalkedEntry[]): Promise<ReadonlySet<string>> => {
    const out = new Set<string>();
    const undecided: { path: string; directory: boolean }[] = [];
    for (const entry of level) {
      const directory = entry.stat.isDirectory();
      const untracked = directory ? !trackedFolders.has(entry.path) : !trackedPaths.has(entry.path);
      if (entry.name === '.git') {
        out.add(entry.path);
        if (entry.path !== '.git')
          findings.push({
            kind: 'nested_git',
            path: entry.path,
            detail: 'a git directory inside the project; its neighbours are captured as plain files',
          });
      } else if (!untracked || (directory && gitlinks.has(entry.path))) {
        continue;
      } else if (entry.path === '.harness' || (directory && entry.name === 'node_modules')) {
        out.add(entry.path);
      } else {
        undecided.push({ path: entry.path, directory });
      }
    }
    for (const path of await rules.ignored(undecided)) out.add(path);
    return out;
  };
  return walkDirectory(platform, workspace, { leaveOut });
}

async function hashWalk(
  platform: Platform,
  options: CaptureOptions,
  tracked: readonly TreeEntry[],
  walk: Walk,
  findings: CaptureFinding[],
): Promise<CapturedFile[]> {
  const before = new Map(tracked.map((entry) => [entry.path, entry]));
  const done: CapturedFile[] = [];
  const unhashed: { path: string; mode: string }[] = [];
  for (const entry of walk.files) {
    const sorted = sortEntry(entry);
    if (sorted.finding !== null) findings.push(sorted.finding);
    if (sorted.mode === null) continue;
    const trusted =
      trustedEntry(options.copy.manifest, entry.path, entry.stat) ??
      (options.afterCrash === true && entry.stat.size === 0n ? filledEntry(options.copy.manifest, entry.path) : null);
    if (trusted !== null && trusted.mode === sorted.mode) done.push({ path: entry.path, mode: trusted.mode, oid: trusted.oid });
    else unhashed.push({ path: entry.path, mode: sorted.mode });
  }
  for (const path of walk.unreadable) findings.push(unreadableFinding(path));
  findings.push(...keepGitlinks(tracked, walk, done));
  const hashed = await hashFiles(platform, options.home, options.copy.path, unhashed, before);
  findings.push(...hashed.findings);
  return [...done, ...hashed.files];
}

/** A submodule's directory stands for its entry; what an agent put inside is not captured as the submodule's. */
function keepGitlinks(tracked: readonly TreeEntry[], walk: Walk, done: CapturedFile[]): CaptureFinding[] {
  const findings: CaptureFinding[] = [];
  const folders = new Set(walk.directories.map((entry) => entry.path));
  for (const link of tracked.filter((entry) => entry.mode === '160000')) {
    if (!folders.has(link.path)) continue;
    if (walk.files.some((file) => file.path.startsWith(`${link.path}/`)))
      findings.push({ kind: 'gitlink', path: link.path, detail: 'files inside a submodule' });
    else done.push(link);
  }
  return findings;
}

async function writeCapturedTree(
  platform: Platform,
  home: Home,
  base: string,
  tracked: readonly TreeEntry[],
  files: readonly CapturedFile[],
  findings: CaptureFinding[],
): Promise<string> {
  const before = new Map(tracked.map((entry) => [entry.path, entry]));
  const after = new Set(files.map((file) => file.path));
  const gone: IndexChange[] = tracked.filter((entry) => !after.has(entry.path)).map((entry) => ({ path: entry.path, entry: null }));
  const changed = files.filter((file) => before.get(file.path)?.oid !== file.oid || before.get(file.path)?.mode !== file.mode);
  if (gone.length === 0 && changed.length === 0) return base;
  return withOwnIndex(platform, home, async (indexFile) => {
    await git(platform, ['read-tree', base], { cwd: home.root, indexFile });
    await addToIndex(platform, home, indexFile, gone, findings);
    await addToIndex(
      platform,
      home,
      indexFile,
      changed.map((file) => ({ path: file.path, entry: file })),
      findings,
    );
    return writeTree(platform, home, indexFile);
  });
}

/** Git has the last word on names: a change it refuses is found by halving and becomes a finding. */
async function addToIndex(
  platform: Platform,
  home: Home,
  indexFile: string,
  changes: readonly IndexChange[],
  findings: CaptureFinding[],
): Promise<void> {
  const refusal = await tryUpdateIndex(platform, home, indexFile, changes);
  if (refusal === null) return;
  if (changes.length === 1) {
    findings.push({ kind: 'invalid_name', path: changes[0]!.path, detail: 'git does not accept this name' });
    return;
  }
  const middle = Math.ceil(changes.length / 2);
  await addToIndex(platform, home, indexFile, changes.slice(0, middle), findings);
  await addToIndex(platform, home, indexFile, changes.slice(middle), findings);
}

function unreadableFinding(path: string): CaptureFinding {
  if (path.includes('\ufffd')) return { kind: 'invalid_name', path, detail: 'the name is not valid UTF-8' };
  return { kind: 'unreadable', path, detail: 'it cannot be read' };
}

function parentsOf(entries: readonly TreeEntry[]): Set<string> {
  const folders = new Set<string>();
  for (const { path } of entries) {
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      const folder = path.slice(0, cut);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
