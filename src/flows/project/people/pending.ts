/** Candidates that wait for a person: what is asked, and what follows from the answer. */
import { pathsInSubjects } from '../../../domain/finding-paths.ts';
import type { Gate, GateAnswer } from '../../../domain/gate.ts';
import type { Flight, ProjectState } from '../../../domain/session.ts';
import type { Reason } from '../../../domain/reasons.ts';
import type { Finding, ExaminedTest } from '../../../domain/verdict.ts';
import { isChosen, projectGate, questionId } from '../../../gates/project-gates.ts';
import { withoutSecrets } from '../../../kernel/flight/included-files.ts';
import { readVerdict } from '../../../kernel/flight/verdict-files.ts';
import { differenceOf } from '../../../kernel/ground/difference.ts';
import { sightLines } from '../../../kernel/flight/screenshots.ts';
import type { Asker } from './asker.ts';
import type { ProjectEvent } from '../machine/document.ts';
import type { LoadedList, Project } from '../project.ts';
import { readTrusted } from '../list/trusted.ts';
import { cleanLine, cleanText } from '../../../domain/clean-text.ts';
import { inPhase } from '../../../domain/must-have.ts';

export type Pending = NonNullable<ProjectState['pending']>;

/** `reasons`: for which it waits. */
export function pendingFor(flight: Flight, reasons: readonly Reason[]): Pending {
  const { session, feature, base, branch, findings, evidence, said } = flight;
  const [tree, verdict] = [inPhase(flight, 'tree'), inPhase(flight, 'verdict')];
  const answered = said === null ? {} : { said };
  return { session, feature, base, branch, tree, verdict, gate: gateFor(reasons), findings, evidence, ...answered };
}

function gateFor(reasons: readonly Reason[]): string {
  const [reason] = reasons;
  if (reasons.includes('accepted.failed')) return 'project.review';
  if (reason === 'manual.confirmation' || reason === 'visual.unchecked') return 'project.manual-verify';
  if (reason === 'dependencies.changed') return 'project.dependencies';
  if (reason?.startsWith('tamper.')) return 'project.tampering';
  return 'project.review';
}

export async function questionFor(project: Project, pending: Pending, loaded: LoadedList): Promise<Omit<Gate, 'asked_at'>> {
  const verdict = await readVerdict(project, pending.verdict);
  const feature = loaded.list.features.find((candidate) => candidate.id === pending.feature);
  const asked = (verdict?.findings ?? []).filter((finding) => finding.weight === 'ask');
  const subjects = [...new Set(asked.flatMap((finding) => finding.subjects))];
  const context = [
    ...asked.map((finding) => `${finding.reason}: ${finding.message}`),
    ...bothSides(verdict?.examined ?? [], pending.said ?? null),
    ...(feature?.manual_checks ?? []).map((check) => `please check: ${check}`),
    ...(await sightLines(project, pending, verdict)),
    ...(await withoutSecrets(
      project,
      await differenceOf(project, { base: pending.base, candidate: pending.tree }, pathsInSubjects(subjects)),
    )),
    `look at the change: git diff ${pending.base.slice(0, 12)} ${pending.tree.slice(0, 12)}`,
  ];
  switch (pending.gate) {
    case 'project.manual-verify':
      return projectGate('project.manual-verify', { feature: pending.feature ?? 0, description: feature?.description ?? '' }, context);
    case 'project.dependencies':
      return projectGate('project.dependencies', { feature: pending.feature, changes: subjects }, context);
    case 'project.tampering':
      return projectGate('project.tampering', { feature: pending.feature, findings: tampersFirst(asked) }, context);
    default:
      return projectGate('project.review', { feature: pending.feature, reasons: verdict?.reasons ?? [], findings: asked }, context);
  }
}

function tampersFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => Number(other.reason.startsWith('tamper.')) - Number(one.reason.startsWith('tamper.')));
}

export interface Decided {
  accepted: boolean;
  change: ProjectEvent;
}

/** What a person decides about a candidate; null while nobody has. An accepted one flies from there on. */
export async function decideCandidate(
  project: Project,
  state: ProjectState,
  pending: Pending,
  asker: Asker = project.asker,
): Promise<Decided | null> {
  const { loaded } = await readTrusted(project, state, { anyCircle: true });
  const answer = await asker.ask(await questionFor(project, pending, loaded));
  if (answer === 'pending') return null;
  const verdict = await readVerdict(project, pending.verdict);
  const accepted = verdict !== null && isAcceptance(answer);
  project.emit({
    type: 'decision',
    session: pending.session,
    text: `${accepted ? 'accepted' : 'rejected'} at ${questionId(pending.gate, pending.feature)}${answer.text === null ? '' : `: ${answer.text}`}`,
    by: 'user',
  });
  if (!accepted) return { accepted, change: closingOf(pending, answer) };
  return { accepted, change: { type: 'accepted', pending, ...(isRelease(answer) ? { releases: true } : {}) } };
}

export function isAcceptance(answer: GateAnswer): boolean {
  return isChosen('project.manual-verify', 'Passed', answer) || isChosen('project.review', 'Accept', answer) || isRelease(answer);
}

/** The earlier test versions that fail stop counting. */
export function isRelease(answer: GateAnswer): boolean {
  return isChosen('project.review', 'Accept and release these tests', answer);
}

/** The candidate is refused; what was said about it is for the next session. */
export function closingOf(pending: Pending, answer: GateAnswer): Extract<ProjectEvent, { type: 'pending.closed' }> {
  const text = answer.text?.trim() ?? '';
  return { type: 'pending.closed', ...(text === '' ? {} : { note: { feature: pending.feature, gate: pending.gate, text } }) };
}

const LONGEST_WORDS = 40;

/** Where hidden tests and the work disagree: what each side says, for the person who decides. Code and output of the tests stay out of it. */
function bothSides(examined: readonly ExaminedTest[], said: string | null): string[] {
  const failing = examined.filter(({ passed, ruling }) => !passed && ruling === 'entailed');
  if (failing.length === 0) return [];
  return [
    ...failing.flatMap(({ behaviour, reason = '' }) => [
      `a hidden test checks: ${cleanLine(behaviour)}`,
      ...(reason === '' ? [] : [`    required because: ${cleanLine(reason)}`]),
    ]),
    ...(said === null || said.trim() === '' ? [] : ['the agent says:', ...linesOf(said).map((line) => `    ${line}`)]),
    'to see the tests and what they said, run harness tests --hidden at a terminal',
  ];
}

function linesOf(text: string): string[] {
  const lines = cleanText(text).trimEnd().split('\n');
  return lines.length <= LONGEST_WORDS ? lines : [...lines.slice(0, LONGEST_WORDS), `… and ${lines.length - LONGEST_WORDS} more lines`];
}
