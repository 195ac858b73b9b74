/** What passes on home's own HEAD: captured at the start, looked up when the tree is known, compared before each session. */
import { pathSetOf } from '../../domain/tree-index.ts';
import type { Baseline } from '../../domain/session.ts';
import type { TestRun } from '../../domain/verdict.ts';
import { countTests } from '../../domain/test-results.ts';
import { tryGit } from '../../platform/git.ts';
import type { RunContext } from '../../verify/contract.ts';
import { sanityCommands } from '../../verify/checks/check-sanity.ts';
import { passingIds } from '../../verify/memory/baseline.ts';
import { runSuite } from '../../verify/run/suite.ts';
import type { Place } from '../place.ts';
import { readFrom } from '../../store/document.ts';
import { rememberHead } from './accepted-tests.ts';
import { LEFT_OUT_FILE, LeftOutChecksSchema } from '../documents/left-out-checks.ts';
import type { CheckReport } from './contract.ts';
import { causeOfNothing } from './empty-baseline.ts';
import type { BaselineCheck } from './preflight.ts';
import { movedTests } from './moved-tests.ts';
import { failureOf, keepOutput } from './foreign-output.ts';
import { newBaseline, readBaseline, writeBaseline } from './memory-files.ts';
import { lackedPackages, runCommand, runTests, type RunGround, type RunOptions } from './run-context.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

/** Where the branch went on meanwhile, what is stored belongs to a later commit: it asks nothing of this one, and stays. */
export async function checkBaselineOnHead(
  place: RunGround,
  head: { commit: string; tree: string },
  session: number,
  options: RunOptions & { unwritten?: ReadonlySet<string> },
): Promise<BaselineCheck> {
  const stored = await readBaseline(place, { writer: true });
  if (stored !== null && stored.tree === head.tree && !options.noCache && isSomething(stored)) {
    const gone = await lackedPackages(place, head.tree, { tests: [], problems: [], output_tail: '' });
    await rememberHead(place, stored);
    return {
      baseline: stored,
      nothing: gone.length === 0 ? null : gone.join('\n'),
      broken: [],
      detail: `${stored.total_passing} of ${stored.total_tests} pass (known for this commit)`,
      cached: true,
    };
  }
  const run = await runTests(place, { tree: head.tree }, options);
  const known = await readBaseline(place, { writer: true });
  const lacked = (await lackedPackages(place, head.tree, run, options.unwritten)).join('\n');
  const untold = await causeOfNothing(place, head.tree, options.unwritten ?? new Set(), run);
  const nothing = untold === null || lacked === '' ? untold : lacked;
  if (known !== null && (await isLater(place, known.commit, head.commit)))
    return checkOf(baselineOf(place.platform, { base: head, session }, run, { nothing }));
  const broken = known === null ? [] : await stillBroken(place, head.tree, await missingFrom(place, known, head.tree, run), options);
  const detail = `${broken.length} broken`;
  if (broken.length > 0)
    return { baseline: known, nothing: run.command.length === 0 ? nothing : null, broken, lacked, detail, cached: false };
  return checkOf(await storeBaseline(place, { head, session, run, nothing }));
}

/** What could not be told once may be told by now, without another commit: something was installed since. */
function isSomething({ total_passing, nothing }: Baseline): boolean {
  return nothing === undefined ? total_passing > 0 : nothing === null;
}

function checkOf(baseline: Baseline): BaselineCheck {
  return {
    baseline,
    nothing: baseline.nothing ?? null,
    broken: [],
    detail: `${baseline.total_passing} of ${baseline.total_tests} pass`,
    cached: false,
  };
}

/** Whether a commit of the branch as it stands now follows the other; one that a person took back does not. */
async function isLater({ platform, home }: RunGround, commit: string, than: string): Promise<boolean> {
  const isBefore = async (one: string, other: string): Promise<boolean> =>
    (await tryGit(platform, ['merge-base', '--is-ancestor', one, other], { cwd: home.root })).code === 0;
  return commit !== than && (await isBefore(than, commit)) && (await isBefore(commit, 'HEAD'));
}

/**
 * What a judgement compares with where nothing was checked before the session: what is stored for this commit, else what passes on it.
 * Tests that a person broke there are not the session's fault; what is stored keeps them. Null: nothing is known.
 */
export async function baselineToCompare(
  place: RunGround,
  head: { commit: string; tree: string },
  session: number,
  options: RunOptions,
): Promise<Baseline | null> {
  const known = await readBaseline(place, { writer: true });
  if (known !== null && known.tree === head.tree && !options.noCache) return known;
  const run = await runTests(place, { tree: head.tree, purpose: 'baseline' }, options);
  if (run.timed_out) return known;
  const passing = new Set(passingIds(run.tests));
  const suspects = known === null ? [] : await missingFrom(place, known, head.tree, run);
  const broken = new Set(await stillBroken(place, head.tree, suspects, options));
  if (known === null || broken.size === 0) return await storeBaseline(place, { head, session, run });
  const kept = [...new Set([...passing, ...known.passing_tests.filter((id) => !broken.has(id))])].toSorted();
  return {
    ...known,
    commit: head.commit,
    tree: head.tree,
    passing_tests: kept,
    total_passing: kept.length,
    total_tests: countTests(run.tests),
  };
}

/** What passed and does not now, under no name. */
async function missingFrom(place: RunGround, known: Baseline, tree: string, run: TestRun): Promise<string[]> {
  const [passing, before] = [new Set(passingIds(run.tests)), new Set(known.passing_tests)];
  const gone = known.passing_tests.filter((id) => !passing.has(id));
  const gained = [...passing].filter((id) => !before.has(id));
  const moves = await movedTests(place, { tree: known.tree, ids: gone }, { tree, ids: gained });
  return gone.filter((id) => !moves.has(id));
}

/** A failure is run again before it counts: what passes then is a flake, not a break. */
async function stillBroken(place: RunGround, tree: string, suspects: readonly string[], options: RunOptions): Promise<string[]> {
  let left = [...suspects];
  const present = pathSetOf(await place.trees.list(tree));
  for (let attempt = 0; attempt < place.config.verification.flaky_reruns && left.length > 0; attempt++) {
    const files = [...new Set(left.map((id) => beforeFirst(id, '::')))].filter((file) => present.has(file));
    if (files.length === 0) return left;
    const { tests } = await runTests(place, { tree, files }, { ...options, noCache: true });
    const passing = new Set(passingIds(tests));
    left = left.filter((id) => !passing.has(id));
  }
  return left;
}

/** What passes on a commit now is what has to pass from here on, whatever passed before. */
export async function renewBaseline(
  place: RunGround,
  head: { commit: string; tree: string },
  session: number,
  options: RunOptions,
): Promise<Baseline> {
  return await storeBaseline(place, { head, session, run: await runTests(place, { tree: head.tree }, options) });
}

export async function storeBaseline(
  place: RunGround,
  { head, session, run, nothing }: { head: { commit: string; tree: string }; session: number; run: TestRun; nothing?: string | null },
): Promise<Baseline> {
  const baseline = baselineOf(place.platform, { base: head, session }, run, nothing === undefined ? {} : { nothing });
  await writeBaseline(place, baseline);
  await rememberHead(place, baseline);
  return baseline;
}

/**
 * `testing.sanity`: quick commands on the trusted tree, in a clean room. Health is asked in the environment itself. A check that failed when the
 * project was adopted keeps no session from starting.
 */
export async function sanityChecks(place: RunGround, head: { tree: string }, options: RunOptions): Promise<CheckReport[]> {
  const reports: CheckReport[] = [];
  const excused = await leftOutCommands(place);
  for (const { name, command } of sanityCommands(place.config.testing)) {
    if (name === 'health') continue;
    const result = await runCommand(place, { tree: head.tree, command }, options);
    if (result.exit_code === 0) {
      reports.push({ name: `sanity ${name}`, state: 'passed', detail: command, reason: null });
      continue;
    }
    const isExcused = excused.has(command);
    const log = await keepOutput(place, name, result.output);
    const detail = `${failureOf(command, result)} (${isExcused ? 'as when the project was adopted; ' : ''}full output: ${log})`;
    const isWarning = isExcused || (name === 'lint' && place.config.quality.warn_on_lint_errors);
    reports.push({
      name: `sanity ${name}`,
      state: isWarning ? 'warned' : 'failed',
      detail,
      reason: isWarning ? null : 'env.baseline_broken',
    });
  }
  return reports.length > 0 ? reports : [{ name: 'sanity', state: 'skipped', detail: 'no sanity commands are set', reason: null }];
}

async function leftOutCommands({ shelf }: RunGround): Promise<ReadonlySet<string>> {
  const known = await readFrom(shelf, LEFT_OUT_FILE, LeftOutChecksSchema, { setAside: false }).catch(() => null);
  return new Set(known?.checks.map(({ command }) => command));
}

export interface Measured {
  base: { commit: string; tree: string };
  session: number;
}

/** What a run of the tests on the base says. */
export function baselineOf(
  platform: Place['platform'],
  { base, session }: Measured,
  run: TestRun,
  more: { nothing?: string | null; command?: string | null } = {},
): Baseline {
  const passing = [...new Set(passingIds(run.tests))].toSorted();
  return newBaseline(platform, {
    session,
    commit: base.commit,
    tree: base.tree,
    runner: run.runner,
    passing_tests: passing,
    total_passing: passing.length,
    total_tests: countTests(run.tests),
    ...more,
  });
}

/** Where what passed on the base is kept. */
export interface BaselineShelf {
  read(): Promise<Baseline | null>;
  write(baseline: Baseline): Promise<void>;
}

/** Run once for this base and this command. */
export async function baselineOnce(
  { platform }: Pick<Place, 'platform'>,
  shelf: BaselineShelf,
  measured: Measured & { command: string },
  context: RunContext,
): Promise<Baseline> {
  const { base, command } = measured;
  const known = await shelf.read();
  if (known !== null && known.tree === base.tree && known['command'] === command) return known;
  const run = await runSuite(platform, { ...context, tree: base.tree, purpose: 'baseline' });
  const baseline = baselineOf(platform, measured, run, { command });
  await shelf.write(baseline);
  return baseline;
}
