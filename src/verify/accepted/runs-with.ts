/**
 * What a test file runs with: helpers and data that it leads to, and hooks, mocks, snapshots and settings that its runner takes by their place.
 *
 * 1. Code of the product is no part of it. Data is where it belongs to the tests by its place, or where no code of the product leads to it.
 * 2. Manifests that hold more than settings of tests (package.json, pyproject.toml, setup.cfg) are no part of it: a person reviews those.
 */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { entriesByPath, foldersOf, pathSetOf, pathsOf } from '../../domain/tree-index.ts';
import type { TreeEntry, TreeStore } from '../../domain/tree.ts';
import { configuredFiles, SET_UP } from '../checks/check-protected.ts';
import { isTestFile, kindOf } from '../checks/protected-paths.ts';
import { directWays } from '../checks/reach.ts';
import type { TestSide } from '../checks/test-side.ts';
import type { JudgeInput } from '../contract.ts';
import { languageOf } from '../source/source.ts';

export interface TestVersion {
  id: string;
  file: string;
  blob: string;
  /** The file and everything it runs with. */
  entries: readonly TreeEntry[];
  /** Those that the runner takes by their place, whether or not anything names them. */
  placed: ReadonlySet<string>;
}

/** The version of a test file in one tree; null: the tree has no such file. */
export type VersionIn = (file: string) => Promise<TestVersion | null>;

const MOST_SOURCES = 2_000;
const MOST_IN_A_FOLDER = 300;

interface Ground {
  trees: TreeStore;
  tree: string;
  entries: ReadonlyMap<string, TreeEntry>;
  ways: (path: string) => Promise<readonly string[]>;
  isOfTests: TestSide;
  stateDirectory: string;
  placed: readonly string[];
  /** Files that code of the product leads to. */
  ofProduct: () => Promise<ReadonlySet<string>>;
}

export async function versionsIn(input: Pick<JudgeInput, 'settings' | 'trees'>, tree: string, isOfTests: TestSide): Promise<VersionIn> {
  const { trees, settings } = input;
  const list = await trees.list(tree);
  const entries = entriesByPath(list);
  const ways = await directWays(trees, tree);
  let ofProduct: Promise<ReadonlySet<string>> | null = null;
  const ground: Ground = {
    trees,
    tree,
    entries,
    ways,
    isOfTests,
    stateDirectory: settings.paths.state_dir,
    placed: await placedFiles(input, tree),
    ofProduct: () => (ofProduct ??= productFiles(pathsOf(list), isOfTests, ways)),
  };
  const known = new Map<string, Promise<TestVersion | null>>();
  return (file) => {
    const version = known.get(file) ?? readVersion(ground, file);
    known.set(file, version);
    return version;
  };
}

/** By its content: the same file with the same surroundings has the same id wherever it is. */
export function versionId(file: string, entries: readonly TreeEntry[]): string {
  const lines = entries.map(({ path, mode, oid }) => `${mode} ${oid} ${path}`).toSorted();
  return createHash('sha256')
    .update([file, ...lines].join('\n'))
    .digest('hex')
    .slice(0, 10);
}

async function readVersion(ground: Ground, file: string): Promise<TestVersion | null> {
  const entry = ground.entries.get(file);
  if (entry === undefined) return null;
  const placed = new Set(ground.placed.filter((path) => isPlacedFor(path, file)));
  const found = new Set([file, ...placed]);
  for (const path of found) {
    if (path !== file && !placed.has(path) && !ground.isOfTests(path)) continue;
    for (const next of await namedIn(ground, path)) if (await belongs(ground, next)) found.add(next);
  }
  const entries = [...found].flatMap((path) => ground.entries.get(path) ?? []).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { id: versionId(file, entries), file, blob: entry.oid, entries, placed };
}

const SHARED_MANIFESTS: ReadonlySet<string> = new Set(['package.json', 'pyproject.toml', 'setup.cfg']);

/** Settings of runners, what they name, mocks, snapshots and set-up files. */
async function placedFiles({ settings, trees }: Pick<JudgeInput, 'settings' | 'trees'>, tree: string): Promise<string[]> {
  const paths = pathSetOf(await trees.list(tree));
  const named = new Set(await configuredFiles({ settings, trees }, tree, paths));
  const options = { stateDirectory: settings.paths.state_dir, extra: [], commandFiles: named };
  const isPlaced = (path: string): boolean => {
    const kind = kindOf(path, options);
    return kind === 'runner-config' || kind === 'snapshot' || MOCKS.test(path) || SET_UP.test(posix.basename(path));
  };
  return [...paths].filter((path) => !SHARED_MANIFESTS.has(posix.basename(path)) && isPlaced(path));
}

const MOCKS = /(?:^|\/)__mocks__\//;
const SNAPSHOT = /\.snap(?:shot)?(?:\.c?js)?$/;

/** A snapshot by the name of its test file, `conftest.py` from its folder down, the rest wherever it is. */
function isPlacedFor(path: string, file: string): boolean {
  if (SNAPSHOT.test(path)) return posix.basename(path).startsWith(posix.basename(file));
  const folder = posix.dirname(path);
  return posix.basename(path) !== 'conftest.py' || folder === '.' || file.startsWith(`${folder}/`);
}

/** Files that it imports or names, and what is in the folders that it names. */
async function namedIn(ground: Ground, path: string): Promise<string[]> {
  const entry = ground.entries.get(path);
  if (languageOf(path) === null || entry === undefined || entry.mode === '120000') return [];
  const list = await ground.trees.list(ground.tree);
  const text = (await ground.trees.readBlob(entry.oid)).toString('utf8');
  const folders = [...text.matchAll(LITERAL)]
    .flatMap(([, , word = '']) => [posix.join(posix.dirname(path), word), posix.normalize(word)])
    .map((folder) => folder.replace(/\/$/, ''))
    .filter((folder) => foldersOf(list).has(folder) && !`${path}/`.startsWith(`${folder}/`));
  const inside = [...new Set(folders)].flatMap((folder) =>
    pathsOf(list)
      .filter((one) => one.startsWith(`${folder}/`) && languageOf(one) === null)
      .slice(0, MOST_IN_A_FOLDER),
  );
  return [...(await ground.ways(path)), ...inside];
}

const LITERAL = /(['"`])((?:(?!\1)[^\\\n]){1,200})\1/g;

async function belongs({ isOfTests, stateDirectory, ofProduct }: Ground, path: string): Promise<boolean> {
  if (isOfTests(path)) return true;
  if (languageOf(path) !== null || kindOf(path, { stateDirectory, extra: [], commandFiles: new Set() }) !== null) return false;
  return !(await ofProduct()).has(path);
}

async function productFiles(paths: readonly string[], isOfTests: TestSide, ways: Ground['ways']): Promise<ReadonlySet<string>> {
  const sources = paths.filter((path) => languageOf(path) !== null && !isOfTests(path) && !isTestFile(path));
  if (sources.length > MOST_SOURCES) return new Set(paths);
  const found = new Set<string>();
  for (const source of sources) for (const path of await ways(source)) found.add(path);
  return found;
}
