/** Waiting questions that have lost their point, because what they ask about was settled another way. */
import type { ProjectState } from '../../domain/session.ts';
import { removeGate } from '../../gates/gate-files.ts';
import type { ProjectGateId } from '../../gates/project-gates.ts';
import type { Project } from './project.ts';

/** Questions about what is the case now or was in the last session: a new session makes them pointless. */
const CONDITION_GATES: readonly ProjectGateId[] = [
  'project.sanity',
  'project.reset-failed',
  'project.baseline-broken',
  'project.budget',
  'project.cycle',
  'project.exhausted',
  'project.verification-failed',
  'project.regression',
];

/** The questions about one feature, or all that the state holds. */
export async function closeQuestions(project: Project, state: ProjectState, feature: number | null = null): Promise<void> {
  for (const entry of [state.escalation, state.pending]) {
    if (entry !== null && (feature === null || entry.feature === feature)) await removeGate(project.documents.folder('gates'), entry.gate);
  }
}

export async function closeConditions(project: Project, gates: readonly ProjectGateId[] = CONDITION_GATES): Promise<void> {
  for (const gate of gates) await removeGate(project.documents.folder('gates'), gate);
}
