/** Questions that a run cannot answer by itself: told, written down, and asked. What follows from the answers is in `carry-out.ts`. */
import type { Gate, GateAnswer } from '../../../domain/gate.ts';
import type { Reason } from '../../../domain/reasons.ts';
import { escalationOptions, escalationTrigger, writeEscalation, type Escalation } from '../../../gates/escalation.ts';
import { PROJECT_GATES, projectGate, questionId, type ProjectGateFacts, type ProjectGateId } from '../../../gates/project-gates.ts';
import { usageError } from '../../../domain/errors.ts';
import type { Asker } from './asker.ts';
import type { Escalated } from './followed.ts';
import type { Project } from '../project.ts';
import type { Spending } from '../../../kernel/books/feature-budget.ts';

/** Writes `.harness/escalation.md` and tells about it. */
async function escalate<Id extends ProjectGateId>(
  project: Pick<Project, 'platform' | 'shelf' | 'emit'>,
  escalation: Escalation<Id>,
): Promise<void> {
  const file = await writeEscalation(project.platform.clock, project.shelf, escalation);
  const { id, question } = projectGate(escalation.trigger, escalation.facts);
  project.emit({
    type: 'escalation',
    trigger: escalation.trigger,
    ...(escalation.asked ? { question: id } : {}),
    message: question,
    options: escalationOptions(escalation).map((option) => option.label),
    file,
  });
}

/** `if_expected`: only where someone is there to answer; `if_answered`: only where the answer is there already. */
export type AskWhen = 'always' | 'if_expected' | 'if_answered';

/** Written down, told and asked; where it is not asked, the next session is the retry. */
export async function raise(
  project: Project,
  escalated: Escalated,
  { findings, asker, when = 'always' }: { findings: readonly string[]; asker: Asker; when?: AskWhen },
): Promise<GateAnswer | 'pending'> {
  const asked = when === 'always' || (await asker[when === 'if_expected' ? 'expects' : 'answered']?.(idOf(escalated))) === true;
  const escalation = {
    trigger: gateId(escalated),
    facts: factsOf(escalated),
    findings: [escalated.message, ...findings].filter((line) => line !== ''),
    asked,
  };
  if (asked) {
    await escalate(project, escalation);
    return await askAgain(escalated, asker);
  }
  await writeEscalation(project.platform.clock, project.shelf, escalation);
  return 'pending';
}

/** Told without a question, for commands that have ended before anyone could answer. */
export async function tellOnly(project: Pick<Project, 'platform' | 'shelf' | 'emit'>, escalated: Escalated): Promise<void> {
  await escalate(project, { trigger: gateId(escalated), facts: factsOf(escalated), findings: [escalated.message], asked: false });
}

/** Writes the page of a question that still waits, where it is not there (any more). */
export async function keepEscalation(project: Pick<Project, 'platform' | 'shelf'>, escalated: Escalated): Promise<void> {
  const { platform, shelf } = project;
  if ((await escalationTrigger(shelf)) === idOf(escalated)) return;
  await writeEscalation(platform.clock, shelf, {
    trigger: gateId(escalated),
    facts: factsOf(escalated),
    findings: [escalated.message],
    asked: true,
  });
}

export function idOf({ gate, feature }: Escalated): string {
  return questionId(gate, feature);
}

export function askAgain(escalated: Escalated, asker: Asker): Promise<GateAnswer | 'pending'> {
  return asker.ask(questionOf(escalated));
}

export function questionOf(escalated: Escalated): Omit<Gate, 'asked_at'> {
  const gate = gateId(escalated);
  try {
    return projectGate(gate, factsOf(escalated), [escalated.message]);
  } catch (error) {
    throw usageError(
      `session_state.json: escalation.facts does not fit ${gate} (${error instanceof Error ? error.message : String(error)}).`,
      FIX,
    );
  }
}

const FIX = 'Put back what stood there, or set escalation to null to go on without the question.';

function gateId(escalated: Escalated): ProjectGateId {
  if (!Object.hasOwn(PROJECT_GATES, escalated.gate))
    throw usageError(
      `session_state.json: escalation.gate is ${JSON.stringify(escalated.gate)}, which is not a question that the harness asks.`,
      FIX,
    );
  return escalated.gate as ProjectGateId;
}

function factsOf(escalated: Escalated): ProjectGateFacts[ProjectGateId] {
  return escalated.facts as unknown as ProjectGateFacts[ProjectGateId];
}

/** What a failed preflight or a spent budget means for a person; null where the message says it all. */
export function conditionFor(
  reason: Reason,
  message: string,
  broken: ProjectGateFacts['project.baseline-broken'],
  budget: Spending,
): Escalated | null {
  if (reason === 'env.reset_failed') return escalatedAs('project.reset-failed', { detail: message }, message);
  if (reason === 'env.baseline_broken' && broken.tests.length > 0) return escalatedAs('project.baseline-broken', broken, message);
  if (reason.startsWith('env.')) return escalatedAs('project.sanity', { detail: message }, message);
  // A purse is raised for its whole account, so no project asks about it.
  if (reason === 'budget.purse') return null;
  if (reason.startsWith('budget.')) return escalatedAs('project.budget', budgetFacts(reason, budget), message);
  return null;
}

export function escalatedAs<Id extends ProjectGateId>(
  gate: Id,
  facts: ProjectGateFacts[Id],
  message: string,
  feature: number | null = null,
): Escalated {
  return { gate, feature, facts: { ...facts }, message };
}

/** The circle as a question; the first one where there are several. */
export function cycleEscalation(cycles: readonly (readonly number[])[]): Escalated | null {
  const first = cycles[0];
  return first === undefined
    ? null
    : escalatedAs(
        'project.cycle',
        { features: [...first] },
        `${cycles.length} dependency circle${cycles.length === 1 ? '' : 's'} in the feature list`,
      );
}

function budgetFacts(reason: Reason, budget: Spending): ProjectGateFacts['project.budget'] {
  if (reason === 'budget.project') return { scope: 'project', spent: budget.projectSpent, budget: budget.perProject ?? 0 };
  if (reason === 'budget.feature') return { scope: 'feature', spent: budget.featureSpent, budget: budget.perFeature ?? 0 };
  return { scope: 'session', spent: budget.sessionSpent, budget: budget.perSession ?? 0 };
}
