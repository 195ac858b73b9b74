/**
 * Which earlier versions of accepted tests a candidate has to pass.
 *
 * 1. Every counting version other than the candidate's own, and the version on base where the candidate changes the test or what it runs with.
 * 2. Only those whose tests reach the change. Data that no code names may be read by any of them.
 * 3. A version whose objects are gone cannot run; it is named.
 */
import { posix } from 'node:path';
import { countingVersions, type AcceptedVersion } from '../../domain/accepted.ts';
import { entriesByPath, pathSetOf } from '../../domain/tree-index.ts';
import type { TreeChange, TreeEdit, TreeEntry } from '../../domain/tree.ts';
import { fileOf } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import { codeWithTests } from '../checks/own-tests.ts';
import { isTestFile, kindOf } from '../checks/protected-paths.ts';
import { filesReaching } from '../checks/reach.ts';
import { collectedFiles, testSideOf, type TestSide } from '../checks/test-side.ts';
import { languageOf } from '../source/source.ts';
import { followMoves, type MovedImport } from './moved-imports.ts';
import { versionsIn, type TestVersion, type VersionIn } from './runs-with.ts';
import type { Laid } from './select.ts';

export interface EarlierVersion extends Laid {
  /** Ids that passed when it was accepted. */
  tests: readonly string[];
  /** On base the module is where it was. */
  baseEdits: ReadonlyMap<string, TreeEdit>;
  moved: readonly MovedImport[];
  /** The candidate changes the test or what it runs with. */
  isChanged: boolean;
}

export interface FoundVersions {
  versions: EarlierVersion[];
  /** Subjects of versions that cannot run. */
  gone: string[];
}

interface Ground {
  input: Case;
  isOfTests: TestSide;
  onBase: VersionIn;
  onCandidate: VersionIn;
  change: ProductChange;
}

interface ProductChange {
  code: ReadonlySet<string>;
  deleted: ReadonlySet<string>;
  hasData: boolean;
}

interface Listed {
  id: string;
  tests: readonly string[];
  session: number;
  entries: readonly TreeEntry[];
}

export async function findVersions(input: Case): Promise<FoundVersions> {
  const isOfTests = testSideOf(collectedFiles({ feature: null, baseline: input.baseline }));
  const changed = changedPaths(input);
  const change = productChange(input, changed, isOfTests);
  const found: FoundVersions = { versions: [], gone: [] };
  if (change.code.size === 0 && !change.hasData) return found;
  const ground: Ground = {
    input,
    isOfTests,
    change,
    onBase: await versionsIn(input, input.base.tree, isOfTests),
    onCandidate: await versionsIn(input, input.judged.tree, isOfTests),
  };
  const isTouched = changed.some(({ path, status }) => !change.code.has(path) && !(status === 'added' && isTestFile(path)));
  const known = input.accepted?.files ?? {};
  const list = await input.trees.list(input.base.tree);
  const there = entriesByPath(list);
  for (const [file, tests] of withReleasedFiles(input, acceptedTests(input, pathSetOf(list)))) {
    const counting = countingVersions(known[file] ?? [], there.get(file)?.oid ?? '');
    if (counting.length <= 1 && !isTouched) continue;
    await collect(ground, { file, tests, counting }, found);
  }
  return found;
}

/** The baseline does not count files whose change the feature may make; whether their earlier versions still pass decides what is released. */
function withReleasedFiles({ judged, accepted }: Case, counted: Map<string, string[]>): Map<string, readonly string[]> {
  const released = judged.released.map((file) => [file, accepted?.files[file]?.at(-1)?.tests ?? []] as const);
  return new Map([...counted, ...released.filter(([file, tests]) => !counted.has(file) && tests.length > 0)]);
}

/** Test files with the ids that passed on base. Where single tests are not reported, each test file has all of them. */
export function acceptedTests({ baseline }: Pick<Case, 'baseline'>, paths: ReadonlySet<string>): Map<string, string[]> {
  const ids = [...(baseline?.passing_tests ?? [])];
  const holding = codeWithTests(ids);
  const byFile = new Map<string, string[]>();
  for (const id of ids) {
    const file = fileOf(id);
    if (!paths.has(file) || holding.has(file)) continue;
    byFile.set(file, [...(byFile.get(file) ?? []), id]);
  }
  if (byFile.size > 0 || ids.length === 0) return byFile;
  const files = [...paths].filter(isTestFile).slice(0, MOST_UNREPORTED);
  return new Map(files.map((file) => [file, [...ids]]));
}

const MOST_UNREPORTED = 300;

async function collect(
  ground: Ground,
  { file, tests, counting }: { file: string; tests: readonly string[]; counting: readonly AcceptedVersion[] },
  found: FoundVersions,
): Promise<void> {
  const present = await ground.onCandidate(file);
  const base = await ground.onBase(file);
  const listed = new Map<string, Listed>();
  for (const { id, tests: passed, session, tree } of counting.filter((one) => one.id !== present?.id)) {
    const entries = await entriesOf(ground.input, tree);
    if (entries === null) found.gone.push(`${file} (${id})`);
    else listed.set(id, { id, tests: passed, session, entries });
  }
  if (base !== null && base.id !== present?.id && !listed.has(base.id))
    listed.set(base.id, { id: base.id, tests, session: counting.at(-1)?.session ?? 0, entries: base.entries });
  for (const one of listed.values()) {
    const laid = await lay(ground, { file, present, base }, one);
    if (await reachesChange(ground, laid)) found.versions.push(laid);
  }
}

async function entriesOf({ trees }: Case, tree: string): Promise<readonly TreeEntry[] | null> {
  return await trees.list(tree).catch(() => null);
}

async function lay(
  { input, isOfTests }: Ground,
  { file, present, base }: { file: string; present: TestVersion | null; base: TestVersion | null },
  { id, tests, session, entries }: Listed,
): Promise<EarlierVersion> {
  const trees = { platform: input.platform, trees: input.trees, base: input.base.tree, candidate: input.judged.tree, isOfTests };
  const changed = new Set(input.judged.changes.map(({ path }) => path));
  const isChanged = base?.id !== present?.id || (base?.entries ?? []).some(({ path }) => changed.has(path));
  const { edits: rewritten, moved } = await followMoves(trees, entries);
  const edits = editsFor(entries, present);
  for (const edit of rewritten) edits.set(edit.path, edit);
  return { id, file, tests, session, edits, baseEdits: editsFor(entries, base), moved, isChanged };
}

/** What is there by its place and did not exist then is taken away. */
function editsFor(entries: readonly TreeEntry[], there: TestVersion | null): Map<string, TreeEdit> {
  const edits = new Map<string, TreeEdit>(entries.map((entry) => [entry.path, { path: entry.path, kind: 'entry', entry }]));
  for (const path of there?.placed ?? []) if (!edits.has(path)) edits.set(path, { path, kind: 'delete' });
  return edits;
}

async function reachesChange({ input, change }: Ground, { file, edits, baseEdits }: EarlierVersion): Promise<boolean> {
  if (change.hasData) return true;
  const { trees, judged, base } = input;
  const now = await trees.compose(judged.tree, [...edits.values()]);
  if ((await filesReaching(trees, now, [file], change.code)).length > 0) return true;
  if (change.deleted.size === 0) return false;
  const before = await trees.compose(base.tree, [...baseEdits.values()]);
  return (await filesReaching(trees, before, [file], change.deleted)).length > 0;
}

/** As they run: what is set back is not changed. */
function changedPaths({ judged }: Case): TreeChange[] {
  const setBack = new Set(judged.edits.map(({ path }) => path));
  return judged.changes.filter(({ path }) => !setBack.has(path));
}

function productChange({ settings, baseline }: Case, changed: readonly TreeChange[], isOfTests: TestSide): ProductChange {
  const { features, progress, state_dir: stateDirectory } = settings.paths;
  const holding = codeWithTests(baseline?.passing_tests ?? []);
  const isProduct = ({ path }: TreeChange): boolean =>
    path !== features &&
    path !== progress &&
    (holding.has(path) || (!isOfTests(path) && !isTestFile(path))) &&
    kindOf(path, { stateDirectory, extra: [], commandFiles: new Set() }) === null;
  const product = changed.filter(isProduct);
  const code = product.filter(({ path }) => languageOf(path) !== null);
  return {
    code: new Set(code.map(({ path }) => path)),
    deleted: new Set(code.filter(({ to }) => to === null).map(({ path }) => path)),
    hasData: product.some(({ path }) => languageOf(path) === null && !FOR_PEOPLE.test(posix.basename(path))),
  };
}

/** Nothing that runs depends on it. */
const FOR_PEOPLE = /\.(?:md|mdx|markdown|rst|txt)$|^(?:LICEN[CS]E|NOTICE|AUTHORS|CODEOWNERS|\.gitignore|\.editorconfig)$/i;
