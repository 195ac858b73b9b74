/** The first look at a project on its branch: which tests pass, which of them every time, and how large its files are. */
import { countTests, isFailure } from '../../domain/test-results.ts';
import type { Baseline } from '../../domain/session.ts';
import type { TestRun } from '../../domain/verdict.ts';
import { createEvidenceCollector } from '../../verify/checks/evidence.ts';
import { measureSizes } from '../../verify/memory/sizes.ts';
import { storeBaseline } from '../flight/baseline.ts';
import type { FlightPlace, Head } from '../flight/contract.ts';
import { causeOfNothing } from '../flight/empty-baseline.ts';
import { keepOutput } from '../flight/foreign-output.ts';
import { writeSizes } from '../flight/memory-files.ts';
import { movedTests } from '../flight/moved-tests.ts';
import { lackedPackages, runTests, type RunGround } from '../flight/run-context.ts';
import { testGround, type TestGround } from '../ground/test-ground.ts';

export interface FirstLook extends TestLook {
  /** What the test command printed, where no test ran. */
  log: string | null;
  baseline: Baseline;
  run: TestRun;
}

/** What two runs of the suite tell. */
export interface TestLook {
  /** How long the suite took, the slower time. */
  suiteMs: number;
  /** Ids of tests that failed both times. */
  red: string[];
  /** Ids of tests that passed only once, or were there only once. */
  unsteady: string[];
  /** Why nothing could be told about any test although files of tests are there; null: something was, or none are. */
  nothing: string | null;
  /** Python packages that are not installed, each with the command that mends it. */
  lacked: string[];
  sandboxed: boolean;
  ground: TestGround;
}

interface Expected {
  /** Test files of features that are still open. */
  unwritten: ReadonlySet<string>;
  /** A run of the same tests that was made already; absent: there is none. */
  known?: TestRun | null;
}

export async function lookFirst(place: FlightPlace, head: Head, session: number, expected: Expected): Promise<FirstLook> {
  const { tree } = head;
  place.emit({
    type: 'progress',
    message: expected.known === null || expected.known === undefined ? 'tests, two runs' : 'tests, second run',
  });
  const { run, look } = await lookAtTests(place, tree, expected);
  if (look.lacked.length === 0) for (const problem of run.problems) place.emit({ type: 'warning', message: `test run: ${problem}` });
  if (look.nothing === null) for (const message of look.lacked) place.emit({ type: 'warning', message });
  if (place.config.verification.require_evidence && lacksSummary(run))
    place.emit({
      type: 'warning',
      message:
        'the test command prints no summary of a known test runner, so no claim can show evidence: set verification.require_evidence: false',
    });
  const steady = { ...run, tests: run.tests.filter((test) => !look.unsteady.includes(test.id)) };
  const baseline = await storeBaseline(place, { head, session, run: steady, nothing: look.nothing });
  const sizes = await measureSizes(place.trees, tree, { session, previous: {}, maxLines: place.config.quality.max_file_lines });
  await writeSizes(place, { session, tree, files: sizes.files });
  const log = look.nothing === null ? null : await keepOutput(place, 'tests', run.output_tail);
  return { ...look, log, run, baseline: { ...baseline, total_tests: countTests(run.tests) } };
}

/** Nothing that an agent could show of a run would count as evidence. */
export function lacksSummary({ runner, tests, output_tail }: TestRun): boolean {
  if (runner !== 'exit-code' || !tests.every(({ status }) => status === 'passed')) return false;
  const collector = createEvidenceCollector([]);
  collector.add(output_tail);
  return collector.result().passingSummary === null;
}

/** The suite runs twice: what passes only once today would be held against a session tomorrow. Nothing is stored. */
export async function lookAtTests(
  place: Pick<FlightPlace, 'trees' | 'platform'> & RunGround,
  tree: string,
  { unwritten, known = null }: Expected,
): Promise<{ run: TestRun; look: TestLook }> {
  const run = await runTests(place, { tree }, { noCache: false });
  const again = run.timed_out || run.command.length === 0 ? run : (known ?? (await runTests(place, { tree }, { noCache: true })));
  const unsteady = await unsteadyIn(place, tree, passing(run), passing(again));
  const lacked = await lackedPackages(place, tree, run, unwritten);
  const nothing = await causeOfNothing(place, tree, unwritten, run);
  const look: TestLook = {
    suiteMs: Math.max(run.duration_ms, again.duration_ms),
    red: run.tests.filter((test) => isFailure(test) && !unsteady.includes(test.id)).map((test) => test.id),
    unsteady,
    nothing: nothing === null || lacked.length === 0 ? nothing : lacked.join('\n'),
    lacked,
    ground: await testGround(place, tree),
    sandboxed: run.sandboxed,
  };
  return { run, look };
}

/** A test whose title says the time has another id in each run, and the same body. */
async function unsteadyIn(
  place: Pick<FlightPlace, 'trees' | 'platform'>,
  tree: string,
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): Promise<string[]> {
  const [gone, gained] = [[...one].filter((id) => !other.has(id)), [...other].filter((id) => !one.has(id))];
  const moves = await movedTests(place, { tree, ids: gone }, { tree, ids: gained });
  const found = new Set(moves.values());
  return [...gone.filter((id) => !moves.has(id)), ...gained.filter((id) => !found.has(id))].toSorted();
}

function passing({ tests }: TestRun): Set<string> {
  return new Set(tests.filter((test) => test.status === 'passed').map((test) => test.id));
}
