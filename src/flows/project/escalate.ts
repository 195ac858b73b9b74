/** Questions that a run cannot answer by itself: told, written down, and acted on once a person has answered. */
import type { Reason } from '../../domain/reasons.ts';
import type { ProjectState } from '../../domain/session.ts';
import { escalationOptions, writeEscalation, type Escalation } from '../../gates/escalation.ts';
import { PROJECT_GATES, projectGate, type ProjectGateFacts, type ProjectGateId } from '../../gates/project-gates.ts';
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import { readHead } from '../../workspace/home.ts';
import type { Project } from './project.ts';
import type { Asker } from './asker.ts';
import { step } from './state-files.ts';

/** Writes `.harness/escalation.md` and tells about it. */
export async function escalate<Id extends ProjectGateId>(project: Project, escalation: Escalation<Id>): Promise<void> {
  const file = await writeEscalation(project.platform, project.stateDir, escalation);
  const question = projectGate(escalation.trigger, escalation.facts).question;
  project.emit({ type: 'escalation', trigger: escalation.trigger, message: question, options: escalationOptions(escalation).map((option) => option.label), file });
}

/** The escalation that keeps sessions waiting: written, and asked. */
export async function raise(project: Project, escalation: NonNullable<ProjectState['escalation']>, findings: readonly string[], asker: Asker | null): Promise<void> {
  await escalate(project, { trigger: gateId(escalation), facts: factsOf(escalation), findings: [escalation.message, ...findings], asked: true });
  await asker?.ask(questionOf(escalation));
}

function gateId(escalation: NonNullable<ProjectState['escalation']>): ProjectGateId {
  if (!(escalation.gate in PROJECT_GATES)) throw new Error(`unknown gate ${escalation.gate} in the state document`);
  return escalation.gate as ProjectGateId;
}

function factsOf(escalation: NonNullable<ProjectState['escalation']>): ProjectGateFacts[ProjectGateId] {
  return escalation.facts as unknown as ProjectGateFacts[ProjectGateId];
}

function questionOf(escalation: NonNullable<ProjectState['escalation']>): Parameters<Asker['ask']>[0] {
  return projectGate(gateId(escalation), factsOf(escalation), [escalation.message]);
}

/** What a failed preflight means for a person; null where the message says it all. */
export async function escalatePreflight(project: Project, reason: Reason, message: string, broken: readonly string[], budget: BudgetSettings): Promise<void> {
  if (reason === 'env.reset_failed') await escalate(project, { trigger: 'project.reset-failed', facts: { detail: message }, findings: [message], asked: false });
  else if (reason === 'env.baseline_broken') await escalate(project, { trigger: 'project.baseline-broken', facts: { tests: broken }, findings: [message], asked: false });
  else if (reason.startsWith('env.')) await escalate(project, { trigger: 'project.sanity', facts: { detail: message }, findings: [message], asked: false });
  else if (reason.startsWith('budget.')) await escalate(project, { trigger: 'project.budget', facts: budgetFacts(reason, budget), findings: [message], asked: false });
}

export function budgetFacts(reason: Reason, budget: BudgetSettings): ProjectGateFacts['project.budget'] {
  if (reason === 'budget.project') return { scope: 'project', spent: budget.projectSpent, budget: budget.perProject ?? 0 };
  if (reason === 'budget.feature') return { scope: 'feature', spent: budget.featureSpent, budget: budget.perFeature ?? 0 };
  return { scope: 'session', spent: budget.perSession ?? 0, budget: budget.perSession ?? 0 };
}

/** The state after the answer, or null while there is none. */
export async function answerEscalation(project: Project, state: ProjectState, escalation: NonNullable<ProjectState['escalation']>, asker: Asker): Promise<ProjectState | null> {
  const answer = await asker.ask(questionOf(escalation));
  if (answer === 'pending' || answer.option === null) return null;
  project.emit({ type: 'decision', session: null, text: `${escalation.gate}: ${answer.option}${answer.text === null ? '' : ` (${answer.text})`}`, by: 'user' });
  const answered = (await step(project, state, { type: 'answered' })).state;
  switch (answer.option.toLowerCase()) {
    case 'skip':
      return escalation.feature === null ? answered : (await step(project, answered, { type: 'skipped', feature: escalation.feature, reason: answer.text ?? `skipped at ${escalation.gate}` })).state;
    case 'split feature':
    case 'manual implement':
    case 'manual fix':
    case 'investigate': {
      const { head } = await readHead(project.platform, project.home);
      return (await step(project, answered, { type: 'handed.off', head: head ?? '' })).state;
    }
    case 'pause':
    case 'abort':
      return (await step(project, answered, { type: 'paused' })).state;
    default:
      return answered;
  }
}
