/** Back to a checkpoint: tree, state and baseline. Session numbers go on, because logs and costs of the sessions in between stay. */
import { join } from 'node:path';
import type { ProjectState } from '../../../domain/session.ts';
import { findCheckpoint, type Checkpoint } from '../../../workspace/checkpoint.ts';
import { restoreCheckpoint } from '../../../workspace/restore.ts';
import type { Running } from '../machine/run.ts';
import type { Project } from '../project.ts';
import { closeConditions, closeQuestions } from '../people/questions.ts';
import { readState, readStateAt, STATE_FILE } from '../state-files.ts';
import type { ProjectProgress } from './contract.ts';

export async function restore(project: Project, { project: state }: Running): Promise<ProjectProgress> {
  const { platform, home, stateDir } = project;
  const checkpoint = await findCheckpoint(platform, stateDir, state.rollback!.checkpoint);
  const { saved_as, hint, commits } = await restoreCheckpoint(platform, { home, stateDir, checkpoint, leave: [STATE_FILE] });
  await closeQuestions(project, state);
  await closeConditions(project);
  const bring_back = `${hint}${commits.length === 0 ? '' : ` (the commits: git reset --keep ${saved_as}^)`}`;
  const restored = await stateOf(project, checkpoint);
  return {
    event: {
      type: 'returned',
      restored,
      session: state.rollback!.session,
      checkpoint: checkpoint.id,
      before: checkpoint.session,
      commits: commits.map(({ commit }) => commit),
      saved_as,
      bring_back,
    },
  };
}

/** The state as the checkpoint kept it. */
async function stateOf(project: Project, checkpoint: Checkpoint): Promise<ProjectState> {
  if ((checkpoint.copies[STATE_FILE] ?? null) === null) return await readState(project, { writer: true });
  return await readStateAt(project, join(project.stateDir, 'checkpoints', checkpoint.id, STATE_FILE), { writer: false });
}
