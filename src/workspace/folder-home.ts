/**
 * A home outside git: a repository of the harness's own that holds the folder as it is now.
 *
 * 1. It lies at `$HARNESS_HOME/work/<key>/mirror`; nothing is ever written into the folder by opening it.
 * 2. Its branch `main` is a commit of the folder's files, raw. A state of the folder that was there before is not committed again.
 * 3. Left out: `.git`, `.harness`, what can be made again (installed packages, virtual environments, caches), and whatever a `.gitignore`
 *    of the folder ignores.
 * 4. A folder too large to be a project is refused before anything is read.
 */
import { NOTHING_HELD } from './held-copy.ts';
import { join } from 'node:path';
import { usageError } from '../domain/errors.ts';
import type { TreeEdit } from '../domain/tree.ts';
import { git } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { LEFT_BY_RUNNERS } from '../verify/runners/registry.ts';
import { captureWorkspace } from './capture.ts';
import { openHarnessHome } from './harness-home.ts';
import { openHome, readHead, treeOf, type Home } from './home.ts';
import { isInside, projectKey } from './paths.ts';
import { createTreeStore } from './tree-store.ts';
import { walkDirectory, type WalkedEntry } from './walk.ts';
import { HARNESS_REFS } from './refs.ts';

const BRANCH = 'main';
const MOST_FILES = 50_000;
/** What tools make again by themselves; as in a `.gitignore`. */
const MADE_AGAIN = [
  '.harness/',
  'node_modules/',
  '.venv/',
  'venv/',
  '__pycache__/',
  '.tox/',
  '.nox/',
  '.mypy_cache/',
  ...LEFT_BY_RUNNERS.map((name) => `${name}/`),
  '.ruff_cache/',
  '.gradle/',
  '.next/',
  '.cache/',
  '.hg/',
  '.svn/',
  '.DS_Store',
];
const LEFT_OUT = new Set(['.git', ...MADE_AGAIN.map((rule) => rule.replace(/\/$/, ''))]);

export async function openFolderHome(platform: Platform, root: string, harnessHome: string): Promise<Home> {
  const mirror = await ensureMirror(platform, root, harnessHome);
  const home = await openHome(platform, mirror);
  const store = createTreeStore(platform, home);
  const rules = await findIgnoreFiles(platform, root);
  const capture = await captureWorkspace(platform, {
    home,
    store,
    copy: { path: root, held: NOTHING_HELD },
    baseTree: await store.compose(await store.emptyTree(), rules),
    ref: HARNESS_REFS.folder,
    message: 'The folder as it was found',
    parent: home.head,
  });
  if (home.head === null || (await treeOf(platform, home, home.head)) !== capture.tree)
    await git(platform, ['update-ref', `refs/heads/${BRANCH}`, capture.commit], { cwd: home.root });
  return { ...home, ...(await readHead(platform, home)) };
}

async function ensureMirror(platform: Platform, root: string, harnessHome: string): Promise<string> {
  await openHarnessHome(platform, harnessHome);
  const [folder, own] = await Promise.all([platform.files.realpath(root), platform.files.realpath(harnessHome)]);
  if (isInside(folder, own))
    throw usageError(
      `HARNESS_HOME (${own}) lies inside the folder ${folder}.`,
      'Work in a separate folder, or set HARNESS_HOME to a directory outside it.',
    );
  const mirror = join(own, 'work', projectKey(folder), 'mirror');
  await platform.files.mkdir(mirror);
  if (!(await platform.files.exists(join(mirror, '.git', 'HEAD'))))
    await git(platform, ['init', '--quiet', '--template=', `--initial-branch=${BRANCH}`, mirror], { cwd: mirror });
  await platform.files.mkdir(join(mirror, '.git', 'info'));
  await platform.files.writeAtomic(join(mirror, '.git', 'info', 'exclude'), `${MADE_AGAIN.join('\n')}\n`);
  return mirror;
}

/** The folder's own ignore rules: they decide what is taken, as they would in a repository. */
async function findIgnoreFiles(platform: Platform, root: string): Promise<TreeEdit[]> {
  let files = 0;
  const leaveOut = async (level: readonly WalkedEntry[]): Promise<ReadonlySet<string>> => {
    files += level.length;
    if (files > MOST_FILES)
      throw usageError(
        `The folder ${root} holds more than ${MOST_FILES} files: too many for a folder outside git.`,
        'Work in a smaller folder, or run "git init" there, with a .gitignore for what does not belong to the project.',
      );
    return new Set(level.filter((entry) => LEFT_OUT.has(entry.name)).map((entry) => entry.path));
  };
  const walk = await walkDirectory(platform, root, { leaveOut });
  const rules = walk.files.filter((entry) => entry.name === '.gitignore' && entry.stat.isFile());
  const edits: TreeEdit[] = [];
  for (const { path } of rules) edits.push({ path, kind: 'write', content: await platform.files.read(join(root, path)) });
  return edits;
}
