/**
 * Whether a verdict on the branch's new commit asks no more than a person has accepted already.
 *
 * 1. Every finding that stands against the work has to be one that they saw: the same reason, about nothing else.
 * 2. What the work changes of the files in question has to be what they saw, line by line.
 */
import { pathsInSubjects } from '../../domain/finding-paths.ts';
import type { Finding, Verdict } from '../../domain/verdict.ts';
import type { Flight } from '../../domain/session.ts';
import { tryGit } from '../../platform/git.ts';
import type { FlightPlace } from './contract.ts';
import { readVerdict } from './verdict-files.ts';

export async function isAsAccepted(place: FlightPlace, flight: Flight, verdict: Verdict): Promise<boolean> {
  const { accepted } = flight;
  const seen = accepted === null ? null : await readVerdict(place, accepted.verdict);
  if (accepted === null || seen === null || !findsNothingNew(verdict.findings, seen.findings)) return false;
  for (const path of pathsIn(verdict.findings)) {
    const [before, now] = [
      await changedLines(place, accepted.base, accepted.tree, path),
      await changedLines(place, flight.base, verdict.candidate_tree, path),
    ];
    if (before === null || before !== now) return false;
  }
  return true;
}

/** Pure. */
export function findsNothingNew(now: readonly Finding[], seen: readonly Finding[]): boolean {
  return now
    .filter(standsAgainst)
    .every((finding) =>
      seen
        .filter(standsAgainst)
        .some((known) => known.reason === finding.reason && finding.subjects.every((subject) => known.subjects.includes(subject))),
    );
}

function standsAgainst({ weight }: Finding): boolean {
  return weight !== 'warn';
}

function pathsIn(findings: readonly Finding[]): string[] {
  return pathsInSubjects(findings.filter(standsAgainst).flatMap((finding) => finding.subjects));
}

/** The lines that are added and taken away, without where; null: git cannot say. */
async function changedLines(place: FlightPlace, base: string, tree: string, path: string): Promise<string | null> {
  const options = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--unified=0', '--text'];
  const result = await tryGit(place.platform, ['diff-tree', '-r', '--patch', ...options, base, tree, '--', `:(literal)${path}`], {
    cwd: place.home.root,
  });
  if (result.code !== 0) return null;
  const lines = result.stdout.toString('utf8').split('\n');
  return lines.filter((line) => /^[+-]/.test(line) && !/^(?:\+\+\+|---) /.test(line)).join('\n');
}
