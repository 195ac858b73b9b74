/** For tests of this room alone: a bench with a real git repository, trees made from values, and rooms checked out from them. */
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CleanRooms, TreeChange, TreeEdit, TreeEntry, TreeStore } from '../domain/tree.ts';
import { git, gitLine } from '../platform/git.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import type { JudgeSettings, RunContext } from './contract.ts';

/** Files by path; a string beginning with `-> ` is a symbolic link. */
export type FileTable = Readonly<Record<string, string>>;

export interface Bench {
  platform: Platform;
  folder: string;
  trees: TreeStore;
  rooms: CleanRooms;
  /** How many rooms were prepared, by tree. */
  prepared: string[];
  tree(files: FileTable): Promise<string>;
  context(settings?: SettingsPatch): RunContext;
  dispose(): Promise<void>;
}

/** node_modules of this very package: vitest and jest for the fixtures. */
const OWN_DEPENDENCIES = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules');

export type SettingsPatch = { [K in keyof JudgeSettings]?: Partial<JudgeSettings[K]> };

function judgeSettings(patch: SettingsPatch = {}): JudgeSettings {
  return {
    testing: { full: 'node --test', feature: null, report: 'auto', ...patch.testing },
    verification: {
      require_evidence: true,
      harness_verify: true,
      regression_check: true,
      max_features_per_session: 1,
      red_check: true,
      flaky_reruns: 2,
      protected: [],
      network: 'loopback',
      ...patch.verification,
    },
    quality: { lint_command: null, max_file_lines: 500, warn_on_lint_errors: true, ...patch.quality },
    sandbox: { mode: 'auto', ...patch.sandbox },
    paths: { features: 'features.json', progress: 'claude-progress.txt', state_dir: '.harness', ...patch.paths },
  };
}

/** `dependencies`: those of this package, or a folder of others. */
export async function createBench(options: { dependencies?: boolean | string } = {}): Promise<Bench> {
  const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });
  const folder = join(tmpdir(), `verify-${platform.random.id()}`);
  const gitDir = join(folder, 'repository.git');
  await platform.files.mkdir(join(folder, 'scratch'));
  await git(platform, ['init', '-q', '--bare', gitDir], { cwd: folder });
  const trees = benchTrees(platform, folder, gitDir);
  const prepared: string[] = [];
  const rooms = benchRooms(platform, folder, gitDir, prepared, dependenciesOf(options.dependencies));
  return {
    platform,
    folder,
    trees,
    rooms,
    prepared,
    tree: (files) =>
      trees.compose(
        EMPTY_TREE,
        Object.entries(files).map(([path, content]) => ({ path, kind: 'write', content }) as const),
      ),
    context: (settings) => ({ settings: judgeSettings(settings), trees, rooms, scratch: join(folder, 'scratch'), timeoutMs: 60_000 }),
    dispose: () => platform.files.remove(folder),
  };
}

function dependenciesOf(asked: boolean | string | undefined): string | null {
  return typeof asked === 'string' ? asked : asked === true ? OWN_DEPENDENCIES : null;
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

function benchTrees(platform: Platform, folder: string, gitDir: string): TreeStore {
  const options = { cwd: folder, gitDir };
  const list = async (tree: string): Promise<TreeEntry[]> =>
    (await git(platform, ['ls-tree', '-r', '-z', tree], options))
      .toString('utf8')
      .split('\0')
      .filter(Boolean)
      .map((line) => {
        const [head = '', path = ''] = line.split('\t');
        const [mode = '', , oid = ''] = head.split(' ');
        return { path, mode, oid };
      });
  const readBlob = (oid: string): Promise<Buffer> => git(platform, ['cat-file', 'blob', oid], options);
  return {
    list,
    readBlob,
    read: async (tree, path) => {
      const entry = (await list(tree)).find((one) => one.path === path);
      return entry === undefined ? null : readBlob(entry.oid);
    },
    diff: async (from, to) => diffEntries(await list(from), await list(to)),
    compose: async (tree, edits) => {
      const indexFile = join(folder, `index-${platform.random.id()}`);
      const own = { ...options, indexFile, workTree: folder };
      await git(platform, ['read-tree', tree], own);
      for (const edit of edits)
        await git(platform, ['update-index', '-z', '--index-info'], { ...own, stdin: await indexLine(platform, options, edit) });
      const made = await gitLine(platform, ['write-tree'], own);
      await platform.files.remove(indexFile);
      return made;
    },
  };
}

function diffEntries(before: readonly TreeEntry[], after: readonly TreeEntry[]): TreeChange[] {
  const old = new Map(before.map((entry) => [entry.path, entry]));
  const now = new Map(after.map((entry) => [entry.path, entry]));
  const changes: TreeChange[] = [];
  for (const path of [...new Set([...old.keys(), ...now.keys()])].toSorted()) {
    const from = old.get(path) ?? null;
    const to = now.get(path) ?? null;
    if (from?.oid === to?.oid && from?.mode === to?.mode) continue;
    changes.push({ path, from, to, status: from === null ? 'added' : to === null ? 'deleted' : 'modified' });
  }
  return changes;
}

async function indexLine(platform: Platform, options: { cwd: string; gitDir: string }, edit: TreeEdit): Promise<string> {
  if (edit.kind === 'delete') return `0 ${'0'.repeat(40)}\t${edit.path}\0`;
  if (edit.kind === 'entry') return `${edit.entry.mode} ${edit.entry.oid}\t${edit.path}\0`;
  const link = typeof edit.content === 'string' && edit.content.startsWith('-> ');
  const content = link ? String(edit.content).slice(3) : edit.content;
  const oid = await gitLine(platform, ['hash-object', '-w', '--stdin'], { ...options, stdin: content });
  return `${link ? '120000' : (edit.mode ?? '100644')} ${oid}\t${edit.path}\0`;
}

function benchRooms(platform: Platform, folder: string, gitDir: string, prepared: string[], dependencies: string | null): CleanRooms {
  return {
    prepare: async (tree, { name, fresh }) => {
      const path = join(folder, 'rooms', fresh === true ? `${name}-${platform.random.id()}` : name);
      const indexFile = join(folder, `index-${platform.random.id()}`);
      await platform.files.remove(path);
      await platform.files.mkdir(path);
      await git(platform, ['read-tree', tree], { cwd: folder, gitDir, indexFile });
      await git(platform, ['checkout-index', '-a', `--prefix=${path}/`], { cwd: path, gitDir, workTree: path, indexFile });
      await platform.files.remove(indexFile);
      prepared.push(tree);
      return { path, tree, dependencies };
    },
  };
}
