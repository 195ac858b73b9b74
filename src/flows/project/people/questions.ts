/** Waiting questions that have lost their point, because what they ask about was settled another way. */
import type { ProjectState } from '../../../domain/session.ts';
import { escalationTrigger, removeEscalation } from '../../../gates/escalation.ts';
import { hasAnswer, readGate, removeGate } from '../../../gates/gate-files.ts';
import { LAPSING_GATES, type ProjectGateId } from '../../../gates/project-gates.ts';
import type { Project } from '../project.ts';

/** The questions about one feature, or all that the state holds. */
export async function closeQuestions(project: Project, state: ProjectState, feature: number | null = null): Promise<void> {
  for (const entry of [state.escalation, state.pending]) {
    if (entry !== null && (feature === null || entry.feature === feature)) await removeGate(project.documents.folder('gates'), entry.gate);
  }
}

export async function closeConditions(project: Project, gates: readonly ProjectGateId[] = LAPSING_GATES): Promise<void> {
  for (const gate of gates) await removeGate(project.documents.folder('gates'), gate);
  await removeEscalation(project.platform, project.stateDir, gates);
}

/** About the last refused session: true until the feature passes, is left or a person has answered. */
const REFUSALS: readonly string[] = ['project.verification-failed', 'project.regression'] satisfies ProjectGateId[];

/** Removes `escalation.md` when what it is about is over: called by every command that writes, before its own work and after it. */
export async function dropStaleEscalation(project: Project, state: ProjectState): Promise<void> {
  const { platform, stateDir } = project;
  const trigger = await escalationTrigger(platform, stateDir);
  if (trigger?.startsWith('project.') !== true || (await stillStands(project, state, trigger))) return;
  await removeEscalation(platform, stateDir, [trigger]);
}

async function stillStands(project: Project, state: ProjectState, trigger: string): Promise<boolean> {
  const gates = project.documents.folder('gates');
  if (await hasAnswer(gates, trigger)) return false;
  if (state.escalation?.gate === trigger || state.pending?.gate === trigger) return true;
  if ((await readGate(gates, trigger)) !== null) return true;
  if (REFUSALS.includes(trigger)) return (state.failures[String(state.current_feature)] ?? 0) > 0;
  return LAPSING_GATES.some((gate) => gate === trigger);
}
