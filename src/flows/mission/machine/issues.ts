/** Issues that somebody reported about work: which are looked at, and which are the same. Pure. */
import { posix } from 'node:path';
import type { Issue, MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import { asksNext, FIX } from './changes.ts';
import { nameOf } from './flying.ts';

/**
 * Open issues whose time has come, by their place in the list. What was said about work that has not landed waits: the branch does not have the
 * work yet, so that nothing which fails there is shown to be its doing.
 */
export function ripeIssues({ issues, features }: Pick<MissionState, 'issues' | 'features'>): number[] {
  const isUnderWay = (id: string): boolean =>
    features.some((feature) => feature.id === id && feature.status !== 'passed' && feature.status !== 'skipped');
  return issues.flatMap((issue, at) => (issue.state === 'open' && !isUnderWay(issue.feature) ? [at] : []));
}

/** How many issues of a mission may cost a session although no test shows them. */
const MOST_FIXES = 5;

/** Whether an issue gets one session to show it by a test: a command was reported with it, and it is no issue of such a session itself. */
export function deservesFix({ issues }: Pick<MissionState, 'issues'>, { proof, feature }: Issue, begun: number): boolean {
  const before = issues.filter(({ fix }) => fix !== undefined).length;
  return proof !== null && proof.command !== null && proof.tests.length === 0 && !feature.startsWith(FIX) && before + begun < MOST_FIXES;
}

/** A path for the test of a fix, beside a test that is there and with its ending: `tests/export.test.js` gives `tests/fix-001.test.js`. */
export function testForFix(fix: string, near: string): string {
  const [folder, name] = [posix.dirname(near), posix.basename(near)];
  const number = fix.slice(FIX.length);
  const at = name.indexOf('.');
  const stem = name.slice(0, at < 0 ? undefined : at);
  const ending = at < 0 ? '' : name.slice(at);
  const own = stem.startsWith('test_') ? `test_fix_${number}` : stem.endsWith('_test') ? `fix_${number}_test` : `fix-${number}`;
  return posix.join(folder, `${own}${ending}`);
}

/** What one session could not show is taken out of the queue again, and its issue is noted: it holds up nothing. */
export function withoutFailedFixes(state: MissionState): MissionState {
  const isOver = ({ id, status, attempts }: QueueFeature): boolean =>
    attempts > 0 &&
    (status === 'pending' || status === 'failed' || status === 'blocked') &&
    state.issues.some(({ fix }) => fix === id) &&
    !state.candidates.some(({ feature }) => feature === id) &&
    !state.kept.includes(id) &&
    !state.flights.some((flight) => nameOf(flight) === id);
  const over = state.features.filter(isOver);
  if (over.length === 0) return state;
  const gone = new Set(over.flatMap(({ id, claims }) => [id, ...claims]));
  const isGone = (id: string): boolean => gone.has(id);
  return {
    ...state,
    ...(state.question !== null && isGone(state.question.feature) ? asksNext(state) : {}),
    features: state.features.filter(({ id }) => !isGone(id)),
    claims: state.claims.filter(({ id }) => !isGone(id)),
    issues: state.issues.map((issue) => (issue.fix !== undefined && isGone(issue.fix) ? { ...issue, state: 'noted' } : issue)),
  };
}

/** Those that are not known yet: the same words are one issue, and so are the same test files while something is made of them. */
export function freshIssues(known: readonly Issue[], reported: readonly Issue[]): Issue[] {
  return reported.reduce<Issue[]>(
    (fresh, issue) => ([...known, ...fresh].some((other) => isSame(other, issue)) ? fresh : [...fresh, issue]),
    [],
  );
}

function isSame(one: Issue, other: Issue): boolean {
  if (one.title === other.title && one.text === other.text) return true;
  const tests = one.state === 'noted' ? [] : (one.proof?.tests ?? []);
  return tests.length > 0 && tests.toSorted().join('\n') === (other.proof?.tests ?? []).toSorted().join('\n');
}
