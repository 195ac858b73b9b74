/**
 * A verdict on a change as it is: no feature list, no session, nothing moved or written in the repository.
 *
 * 1. Command, settings and protected files come from the base; the change is only judged.
 * 2. The new and changed tests of the change have to prove it. Without any, only what passed before is checked, and the result says so.
 * 3. The verdict binds the captured tree; what becomes of it is up to whoever merges.
 */
import { join, basename } from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { Emit } from '../../domain/event.ts';
import type { Feature } from '../../domain/feature.ts';
import type { TreeChange, TreeStore } from '../../domain/tree.ts';
import { firstErrorLine } from '../../domain/first-error.ts';
import { isFailure } from '../../domain/test-results.ts';
import type { TestRun, Verdict } from '../../domain/verdict.ts';
import { harnessHome } from '../../config/user-settings.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput } from '../../verify/contract.ts';
import { judgeOnRecord } from '../../verify/judge.ts';
import { runSuite } from '../../verify/run/suite.ts';
import { NO_REPORT, unread } from '../../verify/runners/no-report.ts';
import { withBorrowedHome } from '../../workspace/borrowed-home.ts';
import { openHarnessHome } from '../../workspace/harness-home.ts';
import { openHome, type Home } from '../../workspace/home.ts';
import { projectKey } from '../../workspace/paths.ts';
import { workingTreeElsewhere } from '../../workspace/snapshot.ts';
import { folderShelf } from '../../store/folder-store.ts';
import { createTreeStore, type HomeTreeStore } from '../../workspace/tree-store.ts';
import { baselineOf, loneClaim } from '../flight/judge-input.ts';
import { withOwnRooms } from '../flight/own-rooms.ts';
import { runContext, type RunGround } from '../flight/run-context.ts';
import { chooseChange, type Change } from './choose-change.ts';
import { stringify } from 'yaml';
import { listTree } from '../../config/detect.ts';
import { CONFIG_FILE } from '../../config/read-config.ts';
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { chooseCommands } from '../ground/commands.ts';
import { placeSettings } from '../place-settings.ts';
import { matchesGlob } from '../../domain/glob.ts';
import { isTestFile, isTestPath } from '../../verify/checks/protected-paths.ts';
import { readSources } from '../../verify/source/read-source.ts';
import { languageOf } from '../../verify/source/source.ts';

export interface ChangeRequest {
  base: string | null;
  head: string | null;
  /** What the user calls tests. */
  test: string | null;
  /** What the change is meant to do; null: nothing was said. */
  description: string | null;
}

export interface JudgedChange {
  change: Change;
  /** The folder of the project below `$HARNESS_HOME/judged`. */
  folder: string;
  /** Paths that differ. */
  paths: string[];
  /** Test files that have to prove it. */
  tests: string[];
  /** What git could not take into the tree that was judged, in its own words. */
  skipped: string[];
  /** null: nothing differs, or nothing of it needs a judge. */
  verdict: Verdict | null;
  /** How long one run of the suite on the base takes. */
  suiteMs: number | null;
}

export interface ChangeOptions {
  emit: Emit;
  signal: AbortSignal;
  /** Whether a change of these paths needs no judge; absent: every one does. */
  skips?: (paths: readonly string[]) => boolean;
}

export async function judgeChange(platform: Platform, cwd: string, request: ChangeRequest, options: ChangeOptions): Promise<JudgedChange> {
  const home = await openHome(platform, cwd);
  const change = await chooseChange(platform, home, request);
  const store = await ownStore(platform);
  const folder = join(store, 'judged', projectKey(home.root));
  return await withBorrowedHome(platform, { home, trusted: change.base.commit, folder }, async (borrowed) => {
    const trees = createTreeStore(platform, borrowed);
    const captured = change.head.revision === null ? await workingTreeElsewhere(platform, home, borrowed) : null;
    const candidate = captured?.tree ?? (await trees.of(change.head.commit));
    const base = { commit: change.base.commit, tree: await trees.of(change.base.commit) };
    const changes = await trees.diff(base.tree, candidate);
    const found = { change, folder, paths: changes.map(({ path }) => path), skipped: captured?.skipped ?? [] };
    if (changes.length === 0 || options.skips?.(found.paths) === true) return { ...found, tests: [], verdict: null, suiteMs: null };
    const tests = await testsOfChange(platform, trees, changes, request.test);
    const ground = { platform, home, borrowed, trees, stateDir: folder, harnessHome: store };
    const work = { base, candidate, tests, changes, description: request.description };
    return { ...found, tests, ...(await judgeWork(ground, work, options)) };
  });
}

async function ownStore(platform: Platform): Promise<string> {
  const named = harnessHome(platform);
  await openHarnessHome(platform, named);
  return await platform.files.realpath(named);
}

interface ChangeGround {
  platform: Platform;
  home: Home;
  borrowed: Home;
  trees: HomeTreeStore;
  stateDir: string;
  harnessHome: string;
}

interface ChangeWork {
  base: JudgeInput['base'];
  candidate: string;
  tests: readonly string[];
  changes: readonly TreeChange[];
  description: string | null;
}

async function judgeWork(
  ground: ChangeGround,
  work: ChangeWork,
  { emit, signal }: ChangeOptions,
): Promise<{ verdict: Verdict; suiteMs: number }> {
  const { platform, home, borrowed, trees, stateDir, harnessHome: store } = ground;
  const config = await settingsAt(platform, home.root, trees, work.base.tree);
  const options = { platform, home: borrowed, harnessHome: store, stateDir };
  return await withOwnRooms(options, { name: 'change', count: 1 }, async ([rooms]) => {
    if (rooms === undefined) throw new Error('there is one set of rooms');
    const shelf = folderShelf(platform, stateDir);
    const place: RunGround = { platform, root: home.root, config, trees, rooms, home, stateDir, shelf, harnessHome: store };
    const context = runContext(place, { noCache: false, signal });
    const run = await runSuite(platform, { ...context, tree: work.base.tree, purpose: 'baseline' });
    emit({ type: 'verify.start', session: 0, feature: null, tree: work.candidate });
    const input: JudgeInput = {
      ...context,
      ...claimOf(work, config),
      session: 0,
      base: work.base,
      candidate: { tree: work.candidate, findings: [] },
      evidence: null,
      baseline: baselineOf(platform, { base: work.base, session: 0 }, run),
      emit,
    };
    const { verdict } = await judgeOnRecord(platform, input).finally(() => rooms.dispose());
    refuseUnread(run, verdict);
    refuseBroken(run, verdict);
    return { verdict, suiteMs: run.duration_ms };
  });
}

/** Tests that can be read neither on the base nor on the change say nothing about it. */
function refuseUnread(base: TestRun, { findings }: Verdict): void {
  const why = unread(base);
  if (why === null || !findings.some(({ subjects }) => subjects.some((one) => one.startsWith(NO_REPORT)))) return;
  throw new HarnessError(`the tests cannot be read one by one: ${why}`, {
    exitCode: EXIT.preflight,
    reasons: ['test.none_ran'],
    details: ['fix: commit a newer version of the test runner, or one that the harness can read, to the base branch'],
  });
}

/** Where nothing passes on the base, and the tests of the change fail as those of the base do, something is missing here: that says nothing about it. */
function refuseBroken(base: TestRun, { decision, findings, passing_tests, feature_tests }: Verdict): void {
  const broken = new Map(base.tests.filter(isFailure).map(({ id, message }) => [id, firstLine(message)]));
  if (decision === 'accepted' || broken.size === 0 || base.tests.some(({ status }) => status === 'passed')) return;
  if (passing_tests.length > 0 || feature_tests.length > 0) return;
  const failures = findings.flatMap((finding) => finding.failures ?? []);
  if (!failures.every(({ test, message }) => broken.get(test) === firstLine(message))) return;
  throw new HarnessError(
    `no test passes on the base here: ${firstErrorLine(...base.tests.flatMap(({ message = '' }) => message), base.output_tail)}`,
    {
      exitCode: EXIT.preflight,
      reasons: ['env.baseline_broken'],
      details: ['fix: install what the tests need, so that they pass on the base, and judge again'],
    },
  );
}

function firstLine(text = ''): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

/** The change is the one feature of a list that no project has. */
function claimOf({ tests, description }: ChangeWork, config: Config): Pick<JudgeInput, 'mode' | 'feature' | 'features' | 'settings'> {
  const feature: Feature | null =
    tests.length === 0 ? null : { id: 1, description: description ?? 'The change', test_file: [...tests], passes: false };
  return { ...loneClaim('change', feature), settings: { ...config, paths: { ...config.paths, features: LIST } } };
}

const LIST = '.harness/change.json';

/** The settings that judge a change: those of its base, tightened by the user's own. A base without settings is judged by the command found in it. */
async function settingsAt(platform: Platform, root: string, trees: TreeStore, tree: string): Promise<Config> {
  const read = async (path: string): Promise<string | null> => (await trees.read(tree, path))?.toString('utf8') ?? null;
  const configText = (await read(CONFIG_FILE)) ?? (await foundSettings(root, trees, tree, read));
  const { config } = await placeSettings(platform, root, { needs: 'project', configText });
  return {
    ...config,
    verification: { ...config.verification, harness_verify: true, regression_check: true, require_evidence: false, red_check: true },
  };
}

async function foundSettings(
  root: string,
  trees: TreeStore,
  tree: string,
  read: (path: string) => Promise<string | null>,
): Promise<string> {
  const paths = (await trees.list(tree)).map(({ path }) => path);
  const { test_cmd: full } = chooseCommands(await listTree(paths, read));
  if (full === null)
    throw new HarnessError('No test command was found in the base commit.', {
      exitCode: EXIT.preflight,
      reasons: ['test.none_ran'],
      details: [`fix: commit a ${CONFIG_FILE} with testing.full, for example "npm test"`],
    });
  return stringify({ project: { name: basename(root) || 'project' }, testing: { full } });
}

/** `glob`: what the user calls tests; null: told by path and text. */
async function testsOfChange(platform: Platform, trees: TreeStore, changes: readonly TreeChange[], glob: string | null): Promise<string[]> {
  const present = changes.filter(({ to }) => to !== null && to.mode !== '120000' && to.mode !== '160000');
  if (glob !== null) return present.map(({ path }) => path).filter((path) => matchesGlob(path, glob));
  const isTest = (path: string): boolean => isTestFile(path) || isTestPath(path);
  const known = new Set(await testsIn(platform, trees, changes, 'from').then((all) => all.flatMap(({ tests }) => tests)));
  const now = await testsIn(platform, trees, present, 'to');
  const shown = now.filter(({ path, tests }) => isTest(path) && tests.some((text) => !known.has(text))).map(({ path }) => path);
  const unread = present.filter(({ path }) => isTestFile(path) && languageOf(path) === null).map(({ path }) => path);
  return [...shown, ...unread].toSorted();
}

const LARGEST_TEXT = 1_000_000;

async function testsIn(
  platform: Platform,
  trees: TreeStore,
  changes: readonly TreeChange[],
  side: 'from' | 'to',
): Promise<{ path: string; tests: string[] }[]> {
  const sources = changes.flatMap((change) => {
    const entry = change[side];
    return entry === null || languageOf(change.path) === null ? [] : [{ path: change.path, oid: entry.oid }];
  });
  const read = await Promise.all(
    sources.map(async ({ path, oid }) => ({ path, text: (await trees.readBlob(oid)).toString('utf8').slice(0, LARGEST_TEXT) })),
  );
  const readings = await readSources(platform, read);
  return read.map(({ path, text }, index) => ({
    path,
    tests: (readings[index]?.tests ?? []).map(({ start, end }) => text.slice(start, end).replace(/\s+/g, ' ')),
  }));
}
