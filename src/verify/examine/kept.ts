/**
 * Hidden tests of accepted features, run on a later candidate that reaches what they ask for.
 *
 * 1. Only those that pass on base say something. A failure that repeats goes to the second call with both descriptions.
 * 2. It is never a rejection: unless the new description requires something else, a person reviews. `may_change` may name one: `hidden:7`.
 * 3. At most forty run for a verdict: the newest, and some of the others by chance.
 */
import { counted } from '../../domain/counted.ts';
import type { ExaminedTest, Finding, TestResult } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { CheckResult } from '../check.ts';
import { twinOf } from '../checks/check-force.ts';
import { filesReaching } from '../checks/reach.ts';
import type { Ruling } from './contract.ts';
import type { HiddenRecord, HiddenTest, KeptTest } from './hidden-test.ts';
import { editsOf, HIDDEN_ROOM, resultOf, runHidden, statusOf, unsteadyFiles, unwatched } from './hidden-runs.ts';

const MOST = 40;
const BY_CHANCE = 10;

interface PlacedTest extends HiddenTest {
  kept: KeptTest;
}

export async function rerunKept(judged: Case): Promise<CheckResult> {
  const quiet = unwatched(judged);
  const reaching = await reachingTests(quiet);
  const tests = chosenOf(reaching, (limit) => Number.parseInt(quiet.platform.random.id(6), 16) % limit);
  if (tests.length === 0) return { findings: [], detail: '' };
  const failing = await failingOf(quiet, tests);
  const rulings = await rulingsOn(
    judged,
    failing.map(({ test }) => test),
  );
  const open = failing.filter((_one, at) => rulings[at]?.ruling !== 'no');
  const left = reaching.length - tests.length;
  return {
    findings: open.length === 0 ? [] : [failed(open.map(({ test }) => test))],
    detail: '',
    ...(left === 0 ? {} : { caveats: [`${counted(left, 'earlier hidden test')} not run: at most ${MOST} run for a verdict`] }),
    facts: {
      keptHidden: tests.map((test): HiddenRecord => {
        const at = failing.findIndex((one) => one.test === test);
        return recordOf(test, failing[at] ?? null, rulings[at] ?? null);
      }),
      keptExamined: failing.map(({ test }, at) => examinedFrom(test, rulings[at] ?? null)),
    },
  };
}

/** Those whose files lead to what was changed, without those that the feature may change. */
async function reachingTests(quiet: Case): Promise<PlacedTest[]> {
  const { platform, trees, judged, feature } = quiet;
  const free = new Set([...(feature?.may_change ?? []), ...(quiet.mayChange ?? [])]);
  const kept = ((await quiet.hidden?.kept()) ?? []).filter(({ number }) => !free.has(`hidden:${number}`));
  const placed = kept.map((one): PlacedTest => ({
    behaviour: one.behaviour,
    code: one.code,
    kept: one,
    file: twinOf(one.path, platform.random.id(4)),
  }));
  const changed = new Set(judged.changes.map(({ path }) => path));
  const tree = await trees.compose(judged.tree, editsOf(placed));
  const files = new Set(
    await filesReaching(
      trees,
      tree,
      placed.map(({ file }) => file),
      changed,
    ),
  );
  return placed.filter(({ file }) => files.has(file));
}

/** Newest first. */
export function chosenOf<T>(tests: readonly T[], dice: (limit: number) => number): T[] {
  if (tests.length <= MOST) return [...tests];
  const others = tests.slice(MOST - BY_CHANCE);
  const drawn = Array.from({ length: BY_CHANCE }, () => others.splice(dice(others.length), 1)).flat();
  return [...tests.slice(0, MOST - BY_CHANCE), ...drawn];
}

interface Failing {
  test: PlacedTest;
  result: TestResult | null;
}

async function failingOf(quiet: Case, tests: readonly PlacedTest[]): Promise<Failing[]> {
  const files = tests.map(({ file }) => file);
  const tree = await quiet.trees.compose(quiet.judged.tree, editsOf(tests));
  const now = await runHidden(quiet, { tree, files, room: HIDDEN_ROOM });
  const failing = tests.map((test) => ({ test, result: resultOf(now, test.file) })).filter(({ result }) => statusOf(result) !== 'passed');
  if (failing.length === 0) return [];
  const before = await quiet.trees.compose(quiet.base.tree, editsOf(tests));
  const onBase = await runHidden(quiet, { tree: before, files: failing.map(({ test }) => test.file), room: 'base' });
  const steady = failing.filter(({ test }) => statusOf(resultOf(onBase, test.file)) === 'passed');
  const results = steady.flatMap(({ result }) => (result === null || statusOf(result) === 'unloaded' ? [] : [result]));
  const unsteady = await unsteadyFiles(quiet, tree, results);
  return steady.filter(({ test }) => !unsteady.includes(test.file));
}

async function rulingsOn({ examiner, feature }: Case, tests: readonly PlacedTest[]): Promise<(Ruling | null)[]> {
  if (examiner === undefined || feature === null || tests.length === 0) return tests.map(() => null);
  const answer = await examiner.entail({
    feature,
    interface: feature.interface?.trim() || null,
    tests: tests.map(({ behaviour, code, kept }) => ({ behaviour, code, accepted: { id: kept.feature, description: kept.description } })),
    changes: [],
  });
  return 'why' in answer ? tests.map(() => null) : answer.tests;
}

function failed(tests: readonly PlacedTest[]): Finding {
  return {
    check: 'examiner',
    reason: 'hidden.failed',
    weight: 'ask',
    message: `${counted(tests.length, 'hidden test')} of accepted features ${tests.length === 1 ? 'fails' : 'fail'}`,
    subjects: tests.map(wordsOf),
  };
}

function wordsOf({ behaviour, kept }: PlacedTest): string {
  return `hidden:${kept.number} (feature #${kept.feature}): ${behaviour}`;
}

function examinedFrom(test: PlacedTest, ruling: Ruling | null): ExaminedTest {
  return { behaviour: wordsOf(test), passed: false, ...(ruling === null ? {} : { ruling: ruling.ruling, reason: ruling.reason }) };
}

function recordOf(test: PlacedTest, failing: Failing | null, ruling: Ruling | null): HiddenRecord {
  const { behaviour, code, kept } = test;
  return {
    behaviour,
    code,
    path: kept.path,
    number: kept.number,
    passed: failing === null,
    proves: false,
    message: failing?.result?.message ?? null,
    ruling,
  };
}
