/**
 * An answer to the question about a session's budget, given after its run had ended: the next run carries it out before anything else. Without
 * one the run goes on as it is; project and feature budgets are asked about again by the preflight that they fail.
 */
import type { ProjectState } from '../../../domain/session.ts';
import { spendingAfter } from '../../../kernel/books/feature-budget.ts';
import type { Project } from '../project.ts';
import { stepAll } from '../state-files.ts';
import { carryOut } from './carry-out.ts';
import { askAgain, conditionFor } from './escalate.ts';

export async function followBudgetAnswer(project: Project, state: ProjectState): Promise<ProjectState> {
  if (!(await project.asker.answered('project.budget'))) return state;
  const last = (await project.history.sessions(1)).at(-1);
  if (last?.reasons.includes('budget.session') !== true) return state;
  const feature = typeof last.feature_id === 'number' ? last.feature_id : null;
  const spent = await spendingAfter(project, last.session_id, feature);
  const condition = conditionFor('budget.session', '', { tests: [] }, spent);
  if (condition === null) return state;
  const escalated = { ...condition, feature };
  const answer = await askAgain(escalated, project.asker);
  if (answer === 'pending') return state;
  const followed = await carryOut(project, state, { escalated, answer });
  if (followed.kind === 'stop' || followed.kind === 'kept') project.emit({ type: 'progress', message: followed.message });
  return 'changes' in followed ? await stepAll(project, state, followed.changes) : state;
}
