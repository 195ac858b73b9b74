/** Candidates that wait for a person: what is asked, and what follows from the answer. */
import { join } from 'node:path';
import type { Feature } from '../../domain/feature.ts';
import type { Gate, GateAnswer } from '../../domain/gate.ts';
import type { ProjectState } from '../../domain/session.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { land } from './land-step.ts';
import type { LoadedList, Project } from './project.ts';
import { step } from './state-files.ts';

export type Pending = NonNullable<ProjectState['pending']>;

export function pendingFor(plan: { session: number; feature: Feature | null }, head: { commit: string; branch: string }, verdict: Verdict, tree: string): Pending {
  return { session: plan.session, feature: plan.feature?.id ?? null, base: head.commit, branch: head.branch, tree, verdict: verdict.id, gate: gateFor(verdict) };
}

function gateFor(verdict: Verdict): string {
  const reason = verdict.reasons[0];
  if (reason === 'manual.confirmation') return 'project.manual-verify';
  if (reason === 'dependencies.changed') return 'project.dependencies';
  if (reason?.startsWith('tamper.')) return 'project.tampering';
  return 'project.review';
}

const HEADERS: Readonly<Record<string, string>> = {
  'project.manual-verify': 'Manual verification',
  'project.dependencies': 'Changed dependencies',
  'project.tampering': 'Protected files changed',
  'project.review': 'Review',
};

export async function questionFor(project: Project, pending: Pending, loaded: LoadedList): Promise<Omit<Gate, 'asked_at'>> {
  const verdict = await readVerdict(project, pending.verdict);
  const feature = loaded.list.features.find((candidate) => candidate.id === pending.feature);
  const what = feature === undefined ? `the work of session ${pending.session}` : `feature #${feature.id} (${feature.description})`;
  const checks = feature?.manual_checks ?? [];
  return {
    id: pending.gate,
    header: HEADERS[pending.gate] ?? 'Review',
    question: `The tests of ${what} are judged, but a person has to decide. Accept it?`,
    options: [
      { label: 'Accept', description: 'Commit exactly the tree that was judged.', recommended: false },
      { label: 'Reject', description: 'Drop this candidate; the next session tries again.', recommended: false },
    ],
    non_negotiable: true,
    context: [
      ...(verdict?.findings ?? []).filter((finding) => finding.weight === 'ask').map((finding) => `${finding.reason}: ${finding.message}${finding.subjects.length > 0 ? ` (${finding.subjects.slice(0, 8).join(', ')})` : ''}`),
      ...checks.map((check) => `Please check: ${check}`),
      `Look at the change: git diff ${pending.base.slice(0, 12)} ${pending.tree.slice(0, 12)}`,
    ],
  };
}

async function readVerdict(project: Project, id: string): Promise<Verdict | null> {
  const text = await project.platform.files.readTextIfExists(join(project.stateDir, 'verdicts', id, 'verdict.json'));
  return text === null ? null : (JSON.parse(text) as Verdict);
}

export type Decided = { kind: 'landed'; commit: string; state: ProjectState } | { kind: 'dropped'; state: ProjectState } | { kind: 'stale'; state: ProjectState; message: string };

export async function decidePending(project: Project, state: ProjectState, pending: Pending, loaded: LoadedList, answer: GateAnswer): Promise<Decided> {
  const verdict = await readVerdict(project, pending.verdict);
  const accepted = answer.option?.toLowerCase() === 'accept' && verdict !== null;
  project.emit({ type: 'decision', session: pending.session, text: `${accepted ? 'accepted' : 'rejected'} at ${pending.gate}${answer.text === null ? '' : `: ${answer.text}`}`, by: 'user' });
  if (!accepted) return { kind: 'dropped', state: (await step(project, state, { type: 'pending.closed' })).state };
  const feature = loaded.list.features.find((candidate) => candidate.id === pending.feature) ?? null;
  const flying: ProjectState = {
    ...state,
    flight: { session: pending.session, feature: pending.feature, prompt: feature === null ? 'cleanup' : 'coding', phase: 'captured', base: pending.base, branch: pending.branch, checkpoint: null, started_at: state.timestamp, workspace: null, tree: pending.tree, findings: [], evidence: null, stop: null, verdict: pending.verdict, commit: null },
  };
  const landed = await land(project, { ...flying, pending: null }, { plan: { session: pending.session, feature }, head: { commit: pending.base, branch: pending.branch }, verdict, tree: pending.tree });
  if (landed.kind === 'refused') return { kind: 'stale', state: (await step(project, { ...landed.state, flight: null }, { type: 'pending.closed' })).state, message: landed.message };
  const open = loaded.list.features.filter((candidate) => !candidate.passes && candidate.id !== pending.feature).length;
  const settled = await step(project, landed.state, { type: 'settled', ending: { kind: 'verified', commit: landed.commit, open } });
  return { kind: 'landed', commit: landed.commit, state: settled.state };
}
