/**
 * The agent's files as a tree in home's object store.
 *
 * 1. Only lstat and raw bytes: the workspace's git directory, attributes, filters and ignore rules are never consulted.
 * 2. Every path that the base tracks is captured, also when it is ignored; an untracked path when no trusted rule ignores it.
 * 3. What is proved to be as it was handed over keeps its id; everything else is hashed.
 * 4. What cannot be in a tree is left out and is a finding; a link that leaves the tree is captured and is a finding.
 * 5. No process of the session may be alive.
 */
import { entriesByPath } from '../domain/tree-index.ts';
import type { Capture, CaptureFinding, TreeChange, TreeEdit, TreeEntry, TreeStore } from '../domain/tree.ts';
import { findCollisions } from '../domain/tree-findings.ts';
import type { Platform } from '../platform/platform.ts';
import { beyondTotal, LARGEST_TOTAL } from './capture-bounds.ts';
import { hashFiles, unwrittenIds, type Unhashed } from './capture-hash.ts';
import { changedSince, walkWorkspace, type Walked, sortEntry, type CapturedFile } from './capture-walk.ts';
import { manifestOf, type HeldCopy } from './held-copy.ts';
import { treeOf, type Home } from './home.ts';
import { withIgnoreRules } from './ignore-rules.ts';
import { pinningCommit } from './commit.ts';
import { filledEntry, trustedEntry, type Manifest } from './manifest.ts';
import { tryUpdateIndex, withOwnIndex, type IndexChange } from './own-index.ts';
import { setRef } from './set-ref.ts';
import { homeTreeStore } from './tree-store.ts';
import { formatOf, objectId, writeObjects, type NewObject, type ObjectFormat } from './write-objects.ts';
import type { Walk } from './walk.ts';
import { firstItem } from '../domain/items.ts';

export interface CaptureOptions {
  home: Home;
  /** The directory the agent worked in, and what it held before; where that is not known, everything is hashed. */
  copy: { path: string; held: HeldCopy };
  /** Tree (or commit) whose ignore rules count and against which changes are told. */
  baseTree: string;
  /** `refs/harness/candidates/<session>` */
  ref: string;
  message: string;
  /** Parent of the pinning commit. */
  parent?: string | null;
  store?: TreeStore;
  /** Paths that are never captured, where the base does not track them. */
  never?: readonly string[];
  /** The machine may have gone down: a file that is empty now and was not when it was handed over counts as it was. */
  afterCrash?: boolean;
}

export async function captureWorkspace(platform: Platform, options: CaptureOptions): Promise<Capture> {
  const begin = platform.clock.monotonic();
  const { home, copy } = options;
  const store = homeTreeStore(platform, home, options.store);
  const base = await treeOf(platform, home, options.baseTree);
  const tracked = await store.list(base);
  const findings: CaptureFinding[] = [];
  const { look } = copy.held;
  const since =
    look === null || options.afterCrash === true ? null : await changedSince(platform, store, { path: copy.path, tracked, held: look });
  const walked = await withIgnoreRules(platform, home, { store, trusted: tracked }, (rules) =>
    walkWorkspace(platform, { path: copy.path, tracked, since }, rules, findings),
  );
  const never = new Set(options.never?.filter((path) => !tracked.some((entry) => entry.path === path)));
  const walk = never.size === 0 ? walked : { ...walked, files: walked.files.filter(({ path }) => !never.has(path)) };
  const manifest = copy.held.manifest ?? (look === null || since !== null ? null : await manifestOf(store, look));
  const { files, objects } = await hashWalk(platform, { ...options, manifest }, { tracked, walk, findings, format: await store.format() });
  findings.push(...findCollisions(files, tracked));
  const planned = await store.plan(base, await acceptedEdits(platform, home, { tracked, files, findings }));
  const { tree } = planned;
  const parent = options.parent ?? null;
  const pin = { tree, parent, ref: options.ref, message: options.message, objects: [...objects, ...planned.objects] };
  const commit = await pinTree(platform, home, pin);
  const changed: TreeChange[] = await store.diff(base, tree);
  return { tree, ref: options.ref, commit, findings, changed, duration_ms: platform.clock.monotonic() - begin };
}

/** A commit that keeps a tree from being collected, under a ref of the harness's own; `objects` are stored with it. */
export async function pinTree(
  platform: Platform,
  home: Home,
  pin: { tree: string; parent: string | null; ref: string | null; message: string; objects?: readonly NewObject[] },
): Promise<string> {
  const object = pinningCommit(pin.tree, pin.parent === null ? [] : [pin.parent], pin.message, platform.clock.now());
  const format = formatOf(pin.tree);
  const commit = objectId(object, format);
  await writeObjects(platform, home.commonDir, [...(pin.objects ?? []), object], format);
  if (pin.ref !== null) await setRef(platform, home, pin.ref, commit);
  return commit;
}

async function hashWalk(
  platform: Platform,
  options: CaptureOptions & { manifest: Manifest | null },
  { tracked, walk, findings, format }: { tracked: readonly TreeEntry[]; walk: Walked; findings: CaptureFinding[]; format: ObjectFormat },
): Promise<{ files: CapturedFile[]; objects: NewObject[] }> {
  const before = entriesByPath(tracked);
  const done: CapturedFile[] = [...walk.unchanged];
  const unhashed: Unhashed[] = [];
  for (const entry of walk.files) {
    const sorted = sortEntry(entry);
    if (sorted.finding !== null) findings.push(sorted.finding);
    if (sorted.mode === null) continue;
    const trusted =
      trustedEntry(options.manifest, entry.path, entry.stat) ??
      (options.afterCrash === true && entry.stat.size === 0n ? filledEntry(options.manifest, entry.path) : null);
    const isNewLink = sorted.mode === '120000' && before.get(entry.path)?.oid !== trusted?.oid;
    if (trusted !== null && trusted.mode === sorted.mode && !isNewLink)
      done.push({ path: entry.path, mode: trusted.mode, oid: trusted.oid });
    else unhashed.push({ path: entry.path, mode: sorted.mode, size: Number(entry.stat.size) });
  }
  for (const path of walk.unreadable) findings.push(unreadableFinding(path));
  findings.push(...keepGitlinks(tracked, walk, done));
  const kept = await withinTotal(platform, options, { files: unhashed, before, findings });
  const hashed = await hashFiles(platform, options.home, { workspace: options.copy.path, entries: kept, before, format });
  findings.push(...hashed.findings);
  return { files: [...done, ...hashed.files], objects: hashed.objects };
}

/** Files that are as the base has them do not count; which these are is asked only where it matters, for they have to be read. */
async function withinTotal(
  platform: Platform,
  { home, copy }: CaptureOptions,
  { files, before, findings }: { files: readonly Unhashed[]; before: ReadonlyMap<string, TreeEntry>; findings: CaptureFinding[] },
): Promise<readonly Unhashed[]> {
  if (files.reduce((sum, file) => sum + file.size, 0) <= LARGEST_TOTAL) return files;
  const known = files.filter((file) => file.mode !== '120000' && before.has(file.path));
  const ids = await unwrittenIds(platform, home, copy.path, known);
  const { leftOut, finding } = beyondTotal(files.filter(({ path }) => !ids.has(path) || ids.get(path) !== before.get(path)?.oid));
  if (finding !== null) findings.push(finding);
  return files.filter((file) => !leftOut.has(file.path));
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

/** What makes the captured tree out of the base; a name that git refuses is left as the base has it. */
async function acceptedEdits(
  platform: Platform,
  home: Home,
  { tracked, files, findings }: { tracked: readonly TreeEntry[]; files: readonly CapturedFile[]; findings: CaptureFinding[] },
): Promise<TreeEdit[]> {
  const before = entriesByPath(tracked);
  const after = new Set(files.map((file) => file.path));
  const gone = tracked.filter((entry) => !after.has(entry.path)).map((entry): TreeEdit => ({ path: entry.path, kind: 'delete' }));
  const changed = files.filter((file) => before.get(file.path)?.oid !== file.oid || before.get(file.path)?.mode !== file.mode);
  const refused = new Set<string>();
  const doubtful = changed.filter((file) => !PLAIN_PATH.test(file.path));
  if (doubtful.length > 0)
    await withOwnIndex(platform, home, (indexFile) =>
      findRefused(platform, home, { indexFile, changes: doubtful.map((file) => ({ path: file.path, entry: file })), refused }),
    );
  for (const path of refused) findings.push({ kind: 'invalid_name', path, detail: 'git does not accept this name' });
  const accepted = changed.filter((file) => !refused.has(file.path));
  return [...gone, ...accepted.map((entry): TreeEdit => ({ path: entry.path, kind: 'entry', entry }))];
}

/** Names that git takes under any of its settings: what it refuses begins with a dot or has another sign in it. */
const PLAIN_PATH = /^[A-Za-z0-9_][A-Za-z0-9_.+@=-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.+@=-]*)*$/;

/** Git has the last word on all other names: a change it refuses is found by halving. */
async function findRefused(
  platform: Platform,
  home: Home,
  { indexFile, changes, refused }: { indexFile: string; changes: readonly IndexChange[]; refused: Set<string> },
): Promise<void> {
  if ((await tryUpdateIndex(platform, home, indexFile, changes)) === null) return;
  if (changes.length === 1) {
    refused.add(firstItem(changes).path);
    return;
  }
  const middle = Math.ceil(changes.length / 2);
  await findRefused(platform, home, { indexFile, changes: changes.slice(0, middle), refused });
  await findRefused(platform, home, { indexFile, changes: changes.slice(middle), refused });
}

function unreadableFinding(path: string): CaptureFinding {
  if (path.includes('\ufffd')) return { kind: 'invalid_name', path, detail: 'the name is not valid UTF-8' };
  return { kind: 'unreadable', path, detail: 'it cannot be read' };
}
