/**
 * The question about a session's budget, after the run that raised it has ended.
 *
 * 1. Until it is answered no session starts. A person who raises the limit in the settings has answered it.
 * 2. Budgets of a feature and of the project need no such memory: the preflight that they fail asks again.
 */
import type { ProjectState } from '../../../domain/session.ts';
import { readGate, removeGate } from '../../../gates/gate-files.ts';
import { spendingAfter } from '../../../kernel/books/feature-budget.ts';
import { ended, type RunReport } from '../machine/run-report.ts';
import type { Project } from '../project.ts';
import { stepAll } from '../state-files.ts';
import { carryOut } from './carry-out.ts';
import { askAgain, conditionFor, idOf, keepEscalation, questionOf } from './escalate.ts';
import type { Escalated } from './followed.ts';

const GATE = 'project.budget';

/** Null: the last session kept to its budget, or its limit was changed since. */
export async function openBudgetQuestion(project: Project, options: { writer: boolean }): Promise<Escalated | null> {
  const waiting = await readGate(project.documents.folder('gates'), GATE);
  const last = (await project.history.sessions(1)).at(-1);
  if (last?.reasons.includes('budget.session') !== true) return null;
  const feature = typeof last.feature_id === 'number' ? last.feature_id : null;
  const spent = await spendingAfter(project, last.session_id, feature, options);
  const condition = conditionFor('budget.session', '', { tests: [] }, spent);
  if (condition === null) return null;
  const message = `Session ${last.session_id} has used up its budget.`;
  const escalated = { ...condition, feature, message };
  const isSame = waiting === null ? await project.asker.answered(GATE) : waiting.question === questionOf(escalated).question;
  return isSame ? escalated : null;
}

/** The state to go on with, or how the run ends without a session. */
export async function settleBudgetQuestion(
  project: Project,
  state: ProjectState,
): Promise<{ state: ProjectState; report: RunReport | null }> {
  const isHeld = state.paused || state.handoff !== null;
  const escalated = isHeld ? null : await openBudgetQuestion(project, { writer: true });
  if (escalated === null) return { state, report: null };
  const answer = await askAgain(escalated, project.asker);
  if (answer === 'pending') {
    await keepEscalation(project, escalated);
    const message = `${escalated.message} Decide with: harness answer ${idOf(escalated)} OPTION`;
    return { state, report: { ...ended('escalated', [], message), feature: escalated.feature } };
  }
  await removeGate(project.documents.folder('gates'), GATE);
  const followed = await carryOut(project, state, { escalated, answer });
  if (followed.kind === 'stop' || followed.kind === 'kept') project.emit({ type: 'progress', message: followed.message });
  return { state: 'changes' in followed ? await stepAll(project, state, followed.changes) : state, report: null };
}
