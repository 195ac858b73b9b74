/** What a run asks a person: about a candidate that waits, at an escalation, where nothing is left, and when the project is complete. */
import type { Running } from '../machine/running.ts';
import { isUnattended } from '../machine/run.ts';
import { decideCandidate } from '../people/pending.ts';
import { questionId, isChosen, projectGate } from '../../../gates/project-gates.ts';
import type { Project } from '../project.ts';
import { ended } from '../machine/run-report.ts';
import type { ProjectProgress } from './contract.ts';
import { mustHave } from '../../../domain/must-have.ts';
import { askAgain, idOf, keepEscalation, escalatedAs, raise } from '../people/escalate.ts';
import { canPark } from '../machine/parked.ts';
import { follow } from './follow.ts';
import { readTrusted } from '../list/trusted.ts';

export async function askAboutCandidate(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  const pending = mustHave(state.pending, 'this step is due only while a candidate waits');
  const decided = await decideCandidate(project, state, pending);
  if (decided === null && isUnattended(run)) return { event: { type: 'done', changes: [], next: { kind: 'park' } } };
  if (decided === null) {
    const message = `your decision is needed on a change: harness gates, then harness answer ${questionId(pending.gate, pending.feature)} OPTION`;
    const report = { ...ended('needs_human', ['gate.pending'], message), session: pending.session, feature: pending.feature };
    return { event: { type: 'done', changes: [], next: { kind: 'end', report } } };
  }
  return {
    event: { type: 'done', changes: [decided.change], next: decided.accepted ? { kind: 'deciding', report: null } : { kind: 'again' } },
  };
}

/** Sessions do not go on before an escalation is answered. */
export async function askAboutEscalation(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  const escalated = mustHave(state.escalation, 'this step is due only at an escalation');
  const { feature } = escalated;
  const waits = `${escalated.message} Decide with: harness answer ${idOf(escalated)} OPTION`;
  const asked = escalated.gate === 'project.large-feature' ? ended('needs_human', ['gate.pending'], waits) : ended('escalated', [], waits);
  const report = { ...asked, feature };
  const answer = await askAgain(escalated, project.asker);
  if (answer === 'pending') await keepEscalation(project, escalated);
  return await follow(project, state, {
    escalated,
    answer,
    report,
    stopped: { ...ended('partial', ['user_pause'], ''), feature },
    left: { ...ended('escalated', [], ''), feature },
    pending: isUnattended(run) && canPark(state) ? { kind: 'park' } : { kind: 'end', report },
    goOn: { kind: 'again' },
  });
}

/** Nothing is left but what was set aside or waits for it. */
export async function askAboutExhaustion(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  if (run.plan?.is.kind !== 'exhausted') throw new Error('nothing is exhausted');
  const { skipped, blocked } = run.plan.is.detail;
  const waiting = blocked.map((entry) => `#${entry.feature} waits for ${entry.waits_for.map((id) => `#${id}`).join(', ')}`);
  const message = [
    'nothing is left that can be worked on.',
    skipped.length > 0 ? `Set aside: ${skipped.map((id) => `#${id}`).join(', ')}.` : '',
    waiting.length > 0 ? `Blocked: ${waiting.slice(0, 10).join('; ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
  const report = ended('escalated', ['features.exhausted'], message);
  const escalated = escalatedAs('project.exhausted', { skipped, blocked: blocked.map((entry) => entry.feature), waits: waiting }, message);
  const end = { kind: 'end' as const, report };
  return await follow(project, state, {
    escalated,
    answer: await raise(project, escalated, { findings: [], asker: project.asker }),
    report,
    pending: end,
    goOn: { kind: 'again' },
  });
}

/** What may follow a finished project; asked only where someone is there to say. */
export async function offerMore(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  const report = mustHave(run.complete, 'this step is due only when the project is complete');
  const end: ProjectProgress = { event: { type: 'done', changes: [], next: { kind: 'end', report } } };
  if ((await project.asker.expects?.('project.complete')) !== true) return end;
  const { loaded } = await readTrusted(project, state);
  const answer = await project.asker.ask(projectGate('project.complete', { total: loaded.list.features.length }));
  if (answer === 'pending') return end;
  if (isChosen('project.complete', 'Maintenance mode', answer))
    return { event: { type: 'done', changes: [], next: { kind: 'end', report: { ...report, maintains: true } } } };
  if (isChosen('project.complete', 'Add features', answer))
    project.emit({ type: 'progress', message: 'Add one with: harness add-feature "what a user can do", then harness run' });
  return end;
}
