/** Back to a checkpoint: tree, state and baseline. Session numbers go on, because logs and costs of the sessions in between stay. */
import { returnTo } from '../../../kernel/flight/checkpoints.ts';
import type { Running } from '../machine/running.ts';
import { closeConditions, closeQuestions } from '../people/questions.ts';
import type { Project } from '../project.ts';
import { readState } from '../state-files.ts';
import type { ProjectProgress } from './contract.ts';
import { mustHave } from '../../../domain/must-have.ts';

export async function restore(project: Project, { project: state }: Running): Promise<ProjectProgress> {
  const { checkpoint, session } = mustHave(state.rollback, 'this step is due only while a checkpoint is restored');
  const { state: kept, ...returned } = await returnTo(project, checkpoint);
  await closeQuestions(project, state);
  await closeConditions(project);
  const restored = kept ?? (await readState(project, { writer: true }));
  return { event: { type: 'returned', restored, session, checkpoint, ...returned } };
}
