/** Candidates that wait for a person: what is asked, and what follows from the answer. */
import { join } from 'node:path';
import type { Feature } from '../../domain/feature.ts';
import type { Gate, GateAnswer } from '../../domain/gate.ts';
import type { Flight, ProjectState } from '../../domain/session.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { projectGate } from '../../gates/project-gates.ts';
import { runSuite } from '../../verify/run/suite.ts';
import { storeBaseline } from './baseline-step.ts';
import { differenceOf } from './difference.ts';
import { runContext } from './judge-step.ts';
import { land } from './land-step.ts';
import type { ProjectEvent } from './machine.ts';
import type { LoadedList, Project } from './project.ts';
import { step } from './state-files.ts';

export type Pending = NonNullable<ProjectState['pending']>;

export function pendingFor(
  plan: { session: number; feature: Feature | null },
  head: { commit: string; branch: string },
  verdict: Verdict,
  tree: string,
): Pending {
  return {
    session: plan.session,
    feature: plan.feature?.id ?? null,
    base: head.commit,
    branch: head.branch,
    tree,
    verdict: verdict.id,
    gate: gateFor(verdict),
  };
}

function gateFor(verdict: Verdict): string {
  const reason = verdict.reasons[0];
  if (reason === 'manual.confirmation') return 'project.manual-verify';
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
    ...(feature?.manual_checks ?? []).map((check) => `please check: ${check}`),
    ...(await differenceOf(project, { base: pending.base, candidate: pending.tree }, pathsIn(subjects))),
    `look at the change: git diff ${pending.base.slice(0, 12)} ${pending.tree.slice(0, 12)}`,
  ];
  switch (pending.gate) {
    case 'project.manual-verify':
      return projectGate('project.manual-verify', { feature: pending.feature ?? 0, description: feature?.description ?? '' }, context);
    case 'project.dependencies':
      return projectGate('project.dependencies', { feature: pending.feature, changes: subjects }, context);
    case 'project.tampering':
      return projectGate('project.tampering', { feature: pending.feature, paths: subjects }, context);
    default:
      return projectGate('project.review', { feature: pending.feature, reasons: verdict?.reasons ?? [] }, context);
  }
}

/** Subjects name a path, or a path and what about it. */
function pathsIn(subjects: readonly string[]): string[] {
  return [...new Set(subjects.map((subject) => /^[^:]+/.exec(subject)?.[0] ?? ''))].filter((path) => path !== '');
}

export async function readVerdict(project: Pick<Project, 'platform' | 'stateDir'>, id: string): Promise<Verdict | null> {
  const text = await project.platform.files.readTextIfExists(join(project.stateDir, 'verdicts', id, 'verdict.json'));
  return text === null ? null : (JSON.parse(text) as Verdict);
}

export type Decided =
  | { kind: 'landed'; commit: string; state: ProjectState }
  | { kind: 'dropped'; state: ProjectState }
  | { kind: 'stale'; state: ProjectState; message: string };

export async function decidePending(
  project: Project,
  state: ProjectState,
  pending: Pending,
  loaded: LoadedList,
  answer: GateAnswer,
): Promise<Decided> {
  const verdict = await readVerdict(project, pending.verdict);
  const accepted = verdict !== null && isAcceptance(answer);
  project.emit({
    type: 'decision',
    session: pending.session,
    text: `${accepted ? 'accepted' : 'rejected'} at ${pending.gate}${answer.text === null ? '' : `: ${answer.text}`}`,
    by: 'user',
  });
  if (!accepted) {
    return { kind: 'dropped', state: (await step(project, state, closingOf(pending, answer))).state };
  }
  const feature = loaded.list.features.find((candidate) => candidate.id === pending.feature) ?? null;
  const flying: ProjectState = { ...state, flight: acceptedFlight(state, pending) };
  const landed = await land(
    project,
    { ...flying, pending: null },
    { plan: { session: pending.session, feature }, head: { commit: pending.base, branch: pending.branch }, verdict, tree: pending.tree },
  );
  if (landed.kind === 'refused')
    return {
      kind: 'stale',
      state: (await step(project, { ...landed.state, flight: null }, { type: 'pending.closed' })).state,
      message: landed.message,
    };
  const settled = await settleAccepted(project, landed.state, landed.commit, { verdict, loaded });
  return { kind: 'landed', commit: landed.commit, state: settled };
}

export function isAcceptance(answer: GateAnswer): boolean {
  return ['accept', 'passed'].includes(answer.option?.toLowerCase() ?? '');
}

/** The candidate is refused; what was said about it is for the next session. */
export function closingOf(pending: Pending, answer: GateAnswer): Extract<ProjectEvent, { type: 'pending.closed' }> {
  const text = answer.text?.trim() ?? '';
  return { type: 'pending.closed', ...(text === '' ? {} : { note: { feature: pending.feature, gate: pending.gate, text } }) };
}

/** The session of a candidate that a person accepts, under way again. */
export function acceptedFlight(state: ProjectState, pending: Pending): Flight {
  return {
    session: pending.session,
    feature: pending.feature,
    prompt: pending.feature === null ? 'cleanup' : 'coding',
    phase: 'captured',
    base: pending.base,
    branch: pending.branch,
    checkpoint: null,
    started_at: state.timestamp,
    workspace: null,
    tree: pending.tree,
    findings: [],
    evidence: null,
    stop: null,
    verdict: pending.verdict,
    commit: null,
  };
}

/** Whether this flight is a candidate that a person accepted: its session has its record already. */
export function isAcceptedByPerson(flight: Flight): boolean {
  return flight.checkpoint === null;
}

/** What follows once the commit of such a candidate is in place; can be done again after a crash. */
export async function settleAccepted(
  project: Project,
  state: ProjectState,
  commit: string,
  { verdict, loaded }: { verdict: Verdict; loaded: LoadedList },
): Promise<ProjectState> {
  const flight = state.flight!;
  await newBaseline(project, commit, flight);
  const open = loaded.list.features.filter((candidate) => !candidate.passes && candidate.id !== flight.feature).length;
  const settled = await step(project, state, { type: 'settled', ending: { kind: 'verified', commit, open } });
  if (verdict.decision !== 'rejected' || flight.feature === null) return settled.state;
  return (await step(project, settled.state, { type: 'overridden', feature: flight.feature, passes: true, kind: 'manual' })).state;
}

/** What a person let through was judged with trusted files in place of some of its own: what passes now is asked again. */
async function newBaseline(project: Project, commit: string, flight: Flight): Promise<void> {
  const tree = flight.tree!;
  const run = await runSuite(project.platform, { ...runContext(project, { noCache: false }), tree });
  await storeBaseline(project, { commit, tree }, flight.session, run);
}
