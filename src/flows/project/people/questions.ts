/** Waiting questions that have lost their point, because what they ask about was settled another way. */
import type { ProjectState } from '../../../domain/session.ts';
import { escalationTrigger, removeEscalation } from '../../../gates/escalation.ts';
import { hasAnswer, readGate, removeGate } from '../../../gates/gate-files.ts';
import { kindOf } from '../../../domain/gate-id.ts';
import { LAPSING_GATES, type ProjectGateId } from '../../../gates/project-gates.ts';
import { parkedId, waitingEntries, type Parked } from '../machine/parked.ts';
import type { Project } from '../project.ts';
import { keepEscalation } from './escalate.ts';

/** The questions about one feature, or all that the state holds. */
export async function closeQuestions(project: Project, state: ProjectState, feature: number | null = null): Promise<void> {
  const isAbout = ({ pending, escalation }: Parked): boolean => feature === null || (pending ?? escalation)?.feature === feature;
  const entries = waitingEntries(state);
  const others = new Set(entries.filter((entry) => !isAbout(entry)).map(parkedId));
  for (const id of entries.filter(isAbout).map(parkedId)) {
    await removeGate(project.documents.folder('gates'), id);
    if (!others.has(kindOf(id))) await removeGate(project.documents.folder('gates'), kindOf(id));
  }
}

export async function closeConditions(project: Project, gates: readonly ProjectGateId[] = LAPSING_GATES): Promise<void> {
  for (const gate of gates) await removeGate(project.documents.folder('gates'), gate);
  await removeEscalation(project.shelf, gates);
}

/** About the last refused session: true until the feature passes, is left or a person has answered. */
const REFUSALS: readonly string[] = ['project.verification-failed', 'project.regression'] satisfies ProjectGateId[];

/** Removes `escalation.md` when what it is about is over: called by every command that writes, before its own work and after it. */
export async function dropStaleEscalation(project: Project, state: ProjectState): Promise<void> {
  const { shelf } = project;
  const trigger = await escalationTrigger(shelf);
  if (trigger === null || (trigger.startsWith('project.') && !(await stillStands(project, state, trigger)))) {
    if (trigger !== null) await removeEscalation(shelf, [trigger]);
    await writeNext(project, state);
  }
}

/** Where several wait, the page is about one of them. */
async function writeNext(project: Project, state: ProjectState): Promise<void> {
  const gates = project.documents.folder('gates');
  for (const entry of state.parked) {
    const id = parkedId(entry);
    if (entry.escalation !== null && (await readGate(gates, id)) !== null && !(await hasAnswer(gates, id)))
      return await keepEscalation(project, entry.escalation);
  }
}

async function stillStands(project: Project, state: ProjectState, trigger: string): Promise<boolean> {
  const gates = project.documents.folder('gates');
  if (await hasAnswer(gates, trigger)) return false;
  if (waitingEntries(state).some((entry) => parkedId(entry) === trigger)) return true;
  if ((await readGate(gates, trigger)) !== null) return true;
  if (REFUSALS.includes(trigger)) return (state.failures[String(state.current_feature)] ?? 0) > 0;
  return LAPSING_GATES.some((gate) => gate === trigger);
}
