/**
 * The git directory that an agent's copy gets: made anew for each session from one that the agent cannot write.
 *
 * 1. `pristine.git` holds the objects of the base's ancestry to a bounded depth and nothing else: when the base does not follow
 *    from the one before (a rollback, another branch), it is made again, so that no later commit can be read from it.
 * 2. The agent's `.git` borrows those objects and has one branch, an identity, no remote, no hook and no other ref.
 * 3. Git runs here with the pristine directory only, never with the agent's.
 */
import { dirname, join } from 'node:path';
import { git, gitLine, tryGit } from '../platform/git.ts';
import { gitObjects, type GitObjects } from '../platform/git-objects.ts';
import type { TreeEntry } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';
import type { Identity } from './commit.ts';
import { formatIndex, type StatOf } from './format-index.ts';
import type { Home } from './home.ts';
import { formatOf, writeObjects, type NewObject } from './write-objects.ts';
import { HARNESS_REFS } from './refs.ts';
import { FOLDER, parseTree, type TreeItem } from './tree-object.ts';
import { beforeFirst } from '../domain/text-parts.ts';
import { firstItem } from '../domain/items.ts';

const DEPTH = 50;
const BASE_REF = HARNESS_REFS.base;
/** Neither the user's settings nor the machine's: the pristine directory is made the same everywhere. */
const NO_SETTINGS = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

export interface PristineOptions {
  home: Home;
  /** Folder of the lane; `pristine.git` and `tree` lie in it. */
  folder: string;
  base: string;
  branch: string;
  identity: Identity;
}

/** The base's files, and what is known about those of the copy: git need not look at the ones that are the same. */
interface HeldFiles {
  base: readonly TreeEntry[];
  statOf: StatOf;
}

/** Where an interrupted write in a lane's folder may have left something. */
export function pristineFolders(folder: string): string[] {
  const pristine = join(folder, 'pristine.git');
  return [pristine, dirname(join(pristine, BASE_REF))];
}

/** The part that needs nothing of the copy itself. */
export async function renewPristine(platform: Platform, options: PristineOptions): Promise<void> {
  await fetchBase(platform, options, join(options.folder, 'pristine.git'));
}

/** The part that needs the copy as it will be handed over. */
export async function renewGitDirectory(platform: Platform, options: PristineOptions, held: HeldFiles): Promise<void> {
  const { uid, gid } = await platform.files.lstat(join(options.folder, 'tree'));
  const index = formatIndex(held.base, { statOf: held.statOf, uid: Number(uid), gid: Number(gid) });
  await placeGitDirectory(platform, options, join(options.folder, 'pristine.git'), index);
}

async function fetchBase(platform: Platform, options: PristineOptions, pristine: string): Promise<void> {
  const { base } = options;
  const mark = join(pristine, MARK);
  const [before, steps] = ((await platform.files.readTextIfExists(mark))?.trim() ?? '').split(' ');
  if (before === base) return;
  if (before !== undefined && before !== '' && Number(steps ?? 0) < DEPTH && (await carryBase(platform, options, pristine, before))) {
    await platform.files.writeAtomic(mark, `${base} ${Number(steps ?? 0) + 1}\n`);
    return;
  }
  await fetchDeep(platform, options, pristine, before === '' ? undefined : before);
  await platform.files.writeAtomic(mark, `${base}\n`);
}

const MARK = 'harness-base';

/** The usual case: one commit on top of the last base. Its objects are carried over, and the ref follows. */
async function carryBase(platform: Platform, options: PristineOptions, pristine: string, before: string): Promise<boolean> {
  const { home, base } = options;
  const objects = await objectsOfCommit(gitObjects(platform, home.gitDir), before, base);
  if (objects === null) return false;
  await writeObjects(platform, pristine, objects, formatOf(base));
  await platform.files.writeAtomic(join(pristine, BASE_REF), `${base}\n`);
  return true;
}

async function fetchDeep(platform: Platform, options: PristineOptions, pristine: string, before: string | undefined): Promise<void> {
  const { home, base } = options;
  const follows =
    before !== undefined && (await tryGit(platform, ['merge-base', '--is-ancestor', before, base], { cwd: home.root })).code === 0;
  if (follows) await platform.files.remove(join(pristine, MARK));
  else await makeEmpty(platform, options, pristine);
  const into = { cwd: pristine, gitDir: pristine, env: NO_SETTINGS };
  const from = [home.commonDir, `+${base}:${BASE_REF}`];
  if ((await tryGit(platform, [...FETCH, `--depth=${DEPTH}`, ...from], into)).code === 0) return;
  // A repository need not have everything of its past: a partial clone has it at its server.
  await makeEmpty(platform, options, pristine);
  await git(platform, [...FETCH, '--depth=1', ...from], into);
}

const FETCH = [
  '-c',
  'fetch.writeCommitGraph=false',
  '-c',
  'protocol.version=2',
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--update-shallow',
];

async function makeEmpty(platform: Platform, { home, folder }: PristineOptions, pristine: string): Promise<void> {
  const format = await gitLine(platform, ['rev-parse', '--show-object-format'], { cwd: home.root });
  await platform.files.remove(pristine);
  await git(platform, ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, pristine], {
    cwd: folder,
    env: NO_SETTINGS,
  });
}

/** Written beside the copy and renamed into it; whatever the agent left as `.git` is gone first. */
async function placeGitDirectory(platform: Platform, options: PristineOptions, pristine: string, index: Uint8Array): Promise<void> {
  const { files } = platform;
  const next = join(options.folder, 'next.git');
  await files.remove(next);
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'info', 'hooks']) await files.mkdir(join(next, folder));
  await files.write(join(next, 'HEAD'), `ref: refs/heads/${options.branch}\n`);
  await files.write(
    join(next, 'packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${options.base} refs/heads/${options.branch}\n`,
  );
  await files.write(join(next, 'objects/info/alternates'), `${join(pristine, 'objects')}\n`);
  await files.write(join(next, 'info/exclude'), '/node_modules\n');
  await files.write(join(next, 'config'), configText(options));
  const shallow = await files.readTextIfExists(join(pristine, 'shallow'));
  if (shallow !== null) await files.write(join(next, 'shallow'), shallow);
  await files.write(join(next, 'index'), index);
  const target = join(options.folder, 'tree', '.git');
  await platform.files.remove(target);
  await files.rename(next, target);
}

function configText(options: PristineOptions): string {
  const sha256 = options.base.length === 64;
  return [
    '[core]',
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    '\tbare = false',
    '\tfilemode = true',
    '\tlogallrefupdates = true',
    '\tautocrlf = false',
    '\thooksPath = .git/hooks',
    '\tfsmonitor = false',
    ...(sha256 ? ['[extensions]', '\tobjectformat = sha256'] : []),
    '[user]',
    `\tname = ${quoted(options.identity.name)}`,
    `\temail = ${quoted(options.identity.email)}`,
    '[commit]',
    '\tgpgsign = false',
    '[gc]',
    '\tauto = 0',
    '',
  ].join('\n');
}

function quoted(value: string): string {
  return `"${value.replace(/[\r\n]+/g, ' ').replace(/["\\]/g, '\\$&')}"`;
}

/** What one commit brings over its only parent, as objects: for a repository that has the parent already. */
const MOST_OBJECTS = 1_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** `null` where `before` is not its only parent, or where it brings so much that git had better carry it itself. */
async function objectsOfCommit(objects: GitObjects, before: string, commit: string): Promise<NewObject[] | null> {
  const [old, now] = await Promise.all([objects.read(`${before}^{tree}`), objects.read(commit)]);
  if (old === null || now?.type !== 'commit') return null;
  const head = beforeFirst(now.content.toString('latin1'), '\n\n').split('\n');
  const parents = head.filter((line) => line.startsWith('parent '));
  if (parents.length !== 1 || parents[0] !== `parent ${before}`) return null;
  const found: NewObject[] = [{ type: 'commit', content: now.content }];
  const complete = await collect(objects, parseTree(old.content, old.oid.length / 2), firstItem(head).slice('tree '.length), found);
  return complete ? found : null;
}

async function collect(objects: GitObjects, before: readonly TreeItem[], tree: string, found: NewObject[]): Promise<boolean> {
  const now = await objects.read(tree);
  if (now?.type !== 'tree') return false;
  found.push({ type: 'tree', content: now.content });
  const known = new Map(before.map((item) => [item.name, item]));
  for (const item of parseTree(now.content, tree.length / 2)) {
    const old = known.get(item.name);
    if (old?.oid === item.oid || item.mode === '160000') continue;
    if (found.length > MOST_OBJECTS || bytesOf(found) > MOST_BYTES) return false;
    if (item.mode === FOLDER) {
      const inside = old?.mode === FOLDER ? await objects.read(old.oid) : null;
      if (!(await collect(objects, inside === null ? [] : parseTree(inside.content, tree.length / 2), item.oid, found))) return false;
    } else {
      const blob = await objects.read(item.oid);
      if (blob?.type !== 'blob') return false;
      found.push({ type: 'blob', content: blob.content });
    }
  }
  return true;
}

function bytesOf(objects: readonly NewObject[]): number {
  return objects.reduce((sum, object) => sum + object.content.length, 0);
}
