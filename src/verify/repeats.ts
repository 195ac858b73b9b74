/**
 * Only what repeats counts: a failure is repeated on the candidate and compared with base before it is held against the work.
 *
 * 1. The tests that failed run twice more on the candidate and up to three times on base, alone and under the conditions of the failing run.
 * 2. Failed every time on the candidate and never on base: it counts. Mixed on the candidate and steady on base: flaky, a person decides.
 *    Failed on base as well: a property of the project, never held against the work.
 * 3. A failure that shows only beside other tests is decided by one more run of everything on both sides.
 * 4. A run that did not reach every process it started proves nothing: its failures are dropped.
 */
import { pathSetOf } from '../domain/tree-index.ts';
import { fileOf, type TestRun } from '../domain/verdict.ts';
import type { Platform } from '../platform/platform.ts';
import type { SuiteInput } from './contract.ts';
import { singleTests } from './runners/registry.ts';
import { runSuite } from './run/suite.ts';

/** One side of the comparison: the failing run again for these files; null: with everything that ran beside them. */
export type RunAgain = (files: readonly string[] | null) => Promise<TestRun>;

export interface Failures {
  /** Ids of tests that did not pass in the run of the candidate. */
  failed: readonly string[];
  onCandidate: RunAgain;
  /** null: nothing to compare with. */
  onBase: RunAgain | null;
  /** Whether the test exists and counts on base; others are compared with nothing. */
  isOnBase: (id: string) => boolean;
  /** The failing run included more than these files, and can be repeated with all of it. */
  isPartOfMore?: boolean;
}

export interface Repeated {
  /** Failed every time on the candidate and never on base. */
  counts: string[];
  /** Failed and passed on the candidate, steady on base. */
  flaky: string[];
  /** Failed and passed on base. */
  unsteady: string[];
  /** Failed on base whenever it ran. */
  before: string[];
  /** Programs that the tests start and that the conditions do not reach; then no failure counts. */
  unreached: string[];
  /** Of the candidate, to show what the tests said. */
  runs: TestRun[];
}

const CANDIDATE_RUNS = 2;
const BASE_RUNS = 3;
/** One that counts is enough to refuse: of many files that fail together only some are repeated first. */
const FIRST_FILES = 6;

export async function repeatFailures(failures: Failures): Promise<Repeated> {
  const files = [...new Set(failures.failed.map(fileOf))];
  const isIn = (some: readonly string[]) => (id: string) => some.includes(fileOf(id));
  const first = files.slice(0, FIRST_FILES);
  const found = await repeatSome({ ...failures, failed: failures.failed.filter(isIn(first)) });
  const rest = failures.failed.filter((id) => !isIn(first)(id));
  if (rest.length === 0 || found.unreached.length > 0) return found;
  if (found.counts.length > 0) return { ...found, counts: [...found.counts, ...rest] };
  const others = await repeatSome({ ...failures, failed: rest });
  return joinRepeated([found, others]);
}

/** Runs like the one that failed: fresh results, only files that the tree has, and everything where single files cannot be run. */
export function againIn(platform: Platform, input: SuiteInput, failing: Pick<TestRun, 'runner'>): RunAgain {
  return async (files) => {
    const paths = pathSetOf(await input.trees.list(input.tree));
    const present = files?.filter((file) => paths.has(file)) ?? null;
    const { files: some, ...whole } = input;
    if (present === null || singleTests(failing.runner) === null)
      return await runSuite(platform, { ...whole, ...(some === undefined ? {} : { files: some }), cache: undefined });
    return present.length === 0 ? EMPTY : await runSuite(platform, { ...whole, files: present, cache: undefined });
  };
}

/** Of tests that are not there. */
const EMPTY: TestRun = {
  runner: 'exit-code',
  command: [],
  files: [],
  exit_code: 0,
  timed_out: false,
  consistent: true,
  problems: [],
  tests: [],
  duration_ms: 0,
  sandboxed: true,
  output_tail: '',
};

/** What a set of failures comes to, for the detail of a check; empty where there is nothing to add. */
export function repeatedWords({ unsteady, before, unreached }: Pick<Repeated, 'unsteady' | 'before' | 'unreached'>): string {
  const list = (ids: readonly string[]): string => `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}`;
  return [
    before.length === 0 ? '' : `; ignored, because it also fails on base: ${list(before)}`,
    unsteady.length === 0 ? '' : `; ignored, because it is flaky on base: ${list(unsteady)}`,
    unreached.length === 0 ? '' : `; undecided, because the tests start ${list(unreached)}`,
  ].join('');
}

/** A test that counts in one of them counts. */
export function joinRepeated(all: readonly Repeated[]): Repeated {
  const counts = new Set(all.flatMap((one) => one.counts));
  const seen = new Set(counts);
  const take = (kind: 'flaky' | 'unsteady' | 'before'): string[] => {
    const ids = all.flatMap((one) => one[kind]).filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    return [...new Set(ids)];
  };
  return {
    counts: [...counts],
    flaky: take('flaky'),
    unsteady: take('unsteady'),
    before: take('before'),
    unreached: [...new Set(all.flatMap((one) => one.unreached))],
    runs: all.flatMap((one) => one.runs),
  };
}

/** What became of a test in some runs of one side. */
interface Tally {
  passed: number;
  failed: number;
  missing: number;
}

function tallyOf(id: string, runs: readonly TestRun[]): Tally {
  const tally = { passed: 0, failed: 0, missing: 0 };
  for (const run of runs) {
    const own = run.tests.filter((test) => test.id === id);
    const result = own.length === 0 ? 'missing' : own.every((test) => test.status === 'passed') ? 'passed' : 'failed';
    tally[result] += 1;
  }
  return tally;
}

interface Runs {
  alone: TestRun[];
  /** With everything that ran beside the failure. */
  beside: TestRun[];
}

async function repeatSome({ failed, onCandidate, onBase, isOnBase, isPartOfMore = false }: Failures): Promise<Repeated> {
  const here: Runs = { alone: [], beside: [] };
  const there: Runs = { alone: [], beside: [] };
  const open = (): string[] => failed.filter((id) => tallyOf(id, [...there.alone, ...there.beside]).failed === 0);
  const askBase = async (at: keyof Runs): Promise<void> => {
    const ids = open().filter(isOnBase);
    if (onBase !== null && ids.length > 0) there[at].push(await onBase(at === 'alone' ? filesOf(ids) : null));
  };
  // Base first: most failures that do not count are properties of the project, and one run shows it.
  await askBase('alone');
  for (let at = 0; at < CANDIDATE_RUNS && open().length > 0; at += 1) {
    const run = await onCandidate(filesOf(open()));
    here.alone.push(run);
    if (run.unreached !== undefined && run.unreached.length > 0) return { ...nothing(), unreached: run.unreached, runs: here.alone };
  }
  for (let at = 1; at < BASE_RUNS; at += 1) await askBase('alone');
  const showsAlone = (id: string): boolean => {
    const [now, then] = [tallyOf(id, here.alone), tallyOf(id, there.alone)];
    return now.failed > 0 || (now.missing > 0 && then.missing === 0);
  };
  const beside = isPartOfMore ? open().filter((id) => !showsAlone(id)) : [];
  if (beside.length > 0) await askBase('beside');
  if (open().some((id) => beside.includes(id))) here.beside.push(await onCandidate(null));
  const found: Repeated = { ...nothing(), runs: [...here.alone, ...here.beside] };
  for (const id of failed) {
    const at = beside.includes(id) ? 'beside' : 'alone';
    found[outcomeOf(tallyOf(id, here[at]), isOnBase(id) ? tallyOf(id, there[at]) : null)].push(id);
  }
  return found;
}

function nothing(): Repeated {
  return { counts: [], flaky: [], unsteady: [], before: [], unreached: [], runs: [] };
}

function outcomeOf(now: Tally, then: Tally | null): 'counts' | 'flaky' | 'unsteady' | 'before' {
  if (then !== null && then.failed > 0) return then.passed > 0 ? 'unsteady' : 'before';
  return now.passed > 0 ? 'flaky' : 'counts';
}

function filesOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map(fileOf))];
}
