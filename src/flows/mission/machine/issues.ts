/** Issues that somebody reported about work: which are looked at, and which are the same. Pure. */
import type { Issue, MissionState } from '../../../kernel/mission-schema.ts';

/**
 * Open issues whose time has come, by their place in the list. What was said about work that has not landed waits: the branch does not have the
 * work yet, so that nothing which fails there is shown to be its doing.
 */
export function ripeIssues({ issues, features }: Pick<MissionState, 'issues' | 'features'>): number[] {
  const isUnderWay = (id: string): boolean =>
    features.some((feature) => feature.id === id && feature.status !== 'passed' && feature.status !== 'skipped');
  return issues.flatMap((issue, at) => (issue.state === 'open' && !isUnderWay(issue.feature) ? [at] : []));
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
