/** Waiting questions that have lost their point, because what they ask about was settled another way. */
import type { ProjectState } from '../../domain/session.ts';
import { removeGate } from '../../gates/gate-files.ts';
import { LAPSING_GATES, type ProjectGateId } from '../../gates/project-gates.ts';
import type { Project } from './project.ts';

/** The questions about one feature, or all that the state holds. */
export async function closeQuestions(project: Project, state: ProjectState, feature: number | null = null): Promise<void> {
  for (const entry of [state.escalation, state.pending]) {
    if (entry !== null && (feature === null || entry.feature === feature)) await removeGate(project.platform, project.stateDir, entry.gate);
  }
}

export async function closeConditions(project: Project, gates: readonly ProjectGateId[] = LAPSING_GATES): Promise<void> {
  for (const gate of gates) await removeGate(project.platform, project.stateDir, gate);
}
