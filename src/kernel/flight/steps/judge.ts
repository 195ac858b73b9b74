/** Whether there is a claim, and what it is worth. */
import { inPhase } from '../../../domain/must-have.ts';
import type { Reason } from '../../../domain/reasons.ts';
import type { Baseline, Flight } from '../../../domain/session.ts';
import type { Verdict, Finding } from '../../../domain/verdict.ts';
import { baselineToCompare, checkBaselineOnHead } from '../baseline.ts';
import type { Brief, FlightPlace } from '../contract.ts';
import { judgeCandidate } from '../judge-candidate.ts';
import { sinceWhen, type FlightEvent } from '../machine.ts';
import { unclaimed } from '../project-agent.ts';
import { tellCutOff } from '../leftovers.ts';
import { readVerdict } from '../verdict-files.ts';
import { pathsInSubjects } from '../../../domain/finding-paths.ts';
import { tryGit } from '../../../platform/git.ts';

export async function judge(place: FlightPlace, flight: Flight, brief: Brief): Promise<FlightEvent> {
  const conversation = place.live.get(flight.session)?.conversation?.session ?? null;
  const claimed =
    brief.feature === null || (brief.list === null ? flight.word?.claims === true : await brief.claims(inPhase(flight, 'tree')));
  if (!mayJudge(flight.stop, claimed, brief)) {
    const { reason, message } = flight.stop ?? unclaimed(place, brief.kind, conversation?.totals().context_tokens ?? 0);
    return { type: 'unclaimed', reason, message: flight.word?.message || message, outage: isOutage(place, flight) };
  }
  const known = flight.refused?.tree === flight.tree ? await readVerdict(place, inPhase(flight, 'refused').verdict) : null;
  if (known !== null) return judgedAs(known, known.candidate_tree, false);
  if (flight.cut_off !== null) tellCutOff(place, flight, 'its claim is judged now');
  const baseline = await baselineFor(place, flight, brief);
  if (typeof baseline === 'string') return { type: 'stranded', reason: 'git.moved', message: baseline };
  const { verdict, tree } = await judgeCandidate(place, flight, brief, baseline);
  if (verdict.decision !== 'accepted' && (await isAsAccepted(place, flight, verdict)))
    return { ...judgedAs(verdict, tree, false), decision: 'accepted' };
  return judgedAs(verdict, tree, conversation?.canAnswer() === true);
}

function isOutage(place: FlightPlace, { session, stop, tree }: Flight): boolean {
  if (stop === null || stop.never_started) return false;
  return stop.reason === 'api.unavailable' || (stop.died_at_once && tree === place.live.get(session)?.startTree);
}

/** Nobody judges what a person interrupted; a limit leaves the agent's claim standing if there is one. */
function mayJudge(stop: Flight['stop'], claimed: boolean, brief: Brief): boolean {
  if (stop === null) return claimed;
  return claimed && brief.feature !== null && !INTERRUPTED.has(stop.reason);
}

const INTERRUPTED: ReadonlySet<Reason> = new Set(['interrupted', 'user_pause', 'api.auth', 'api.unavailable', 'usage_limit', 'stalled']);

function judgedAs(verdict: Verdict, tree: string, answerable: boolean): Extract<FlightEvent, { type: 'judged' }> {
  const { id, decision, reasons } = verdict;
  const message = verdict.findings.find((finding) => finding.weight !== 'warn')?.message ?? '';
  return { type: 'judged', verdict: id, decision, reasons, message, tree, answerable };
}

/** On a commit that was not there when the session began, what passes is found out first; a text says why nothing can be judged there. */
async function baselineFor(place: FlightPlace, flight: Flight, brief: Brief): Promise<Baseline | null | string> {
  if (flight.moves === 0)
    return place.live.get(flight.session)?.baseline ?? (await baselineToCompare(place, brief.head, flight.session, place));
  const { baseline, broken } = await checkBaselineOnHead(place, brief.head, flight.session, place);
  if (broken.length === 0) return baseline;
  return `branch ${flight.branch} moved ${sinceWhen(flight)}: tests that passed before fail on its new commit (${broken.slice(0, 3).join(', ')}); the work is kept`;
}

/**
 * Whether a verdict on the branch's new commit asks no more than a person has accepted already.
 *
 * 1. Every finding that stands against the work has to be one that they saw: the same reason, about nothing else.
 * 2. What the work changes of the files in question has to be what they saw, line by line.
 */
async function isAsAccepted(place: FlightPlace, flight: Flight, verdict: Verdict): Promise<boolean> {
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
function findsNothingNew(now: readonly Finding[], seen: readonly Finding[]): boolean {
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
