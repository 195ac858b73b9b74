/** `harness rollback`: back to an earlier point, with everything that is replaced kept. */
import { join } from 'node:path';
import type { ProjectState } from '../../domain/session.ts';
import { projectGate } from '../../gates/project-gates.ts';
import { findCheckpoint, type Checkpoint } from '../../workspace/checkpoint.ts';
import { previewRestore, restoreCheckpoint, type RestorePreview } from '../../workspace/restore.ts';
import type { Asker } from './asker.ts';
import type { Project } from './project.ts';
import { closeConditions, closeQuestions } from './questions.ts';
import { readState, readStateAt, step, STATE_FILE } from './state-files.ts';

export interface RollbackPreview {
  checkpoint: string;
  session: number;
  feature: number | null;
  made_at: string;
  git_ref: string;
  /** What happens to files of the working tree. */
  files: { path: string; status: string }[];
  /** Untracked files that stay although the checkpoint did not have them. */
  left: string[];
  /** Commits that the branch leaves behind, newest first. */
  commits: { commit: string; subject: string }[];
  documents: string[];
}

export type RollbackReport = { preview: RollbackPreview } & (
  | { kind: 'restored'; saved_as: string; bring_back: string; state: ProjectState }
  | { kind: 'declined' }
  | { kind: 'waiting'; gate: 'project.rollback' }
);

export async function rollback(
  project: Project,
  state: ProjectState,
  options: { id: string; asker: Asker; show(preview: RollbackPreview): void },
): Promise<RollbackReport> {
  const checkpoint = await findCheckpoint(project.platform, project.stateDir, options.id);
  const preview = describe(await previewRestore(project.platform, { home: project.home, stateDir: project.stateDir, checkpoint }));
  options.show(preview);
  const answer = await options.asker.ask(
    projectGate('project.rollback', { checkpoint: checkpoint.id, files: preview.files.length }, previewLines(preview)),
  );
  if (answer === 'pending') return { preview, kind: 'waiting', gate: 'project.rollback' };
  if (answer.option?.toLowerCase() !== 'yes') return { preview, kind: 'declined' };
  return { preview, kind: 'restored', ...(await restore(project, state, checkpoint)) };
}

/** Tree, state and baseline; session numbers go on, because logs and costs of the sessions in between stay. */
export async function restore(
  project: Project,
  state: ProjectState,
  checkpoint: Checkpoint,
): Promise<{ saved_as: string; bring_back: string; state: ProjectState }> {
  const begun = (await step(project, state, { type: 'rolling.back', checkpoint: checkpoint.id })).state;
  const restored = await restoreCheckpoint(project.platform, {
    home: project.home,
    stateDir: project.stateDir,
    checkpoint,
    leave: [STATE_FILE],
  });
  await closeQuestions(project, state);
  await closeConditions(project);
  const next = (await step(project, await stateOf(project, checkpoint), { type: 'rolled.back', session: begun.rollback!.session })).state;
  project.emit({ type: 'checkpoint.restored', id: checkpoint.id, saved_as: restored.saved_as });
  project.emit({
    type: 'rollback_completed',
    checkpoint_id: checkpoint.id,
    rolled_back_commits: restored.commits.map((entry) => entry.commit),
    restored_to_session: checkpoint.session,
  });
  project.emit({
    type: 'decision',
    session: null,
    text: `rolled back to checkpoint ${checkpoint.id} (before session ${checkpoint.session})`,
    by: 'user',
  });
  const commits = restored.commits.length === 0 ? '' : ` (the commits: git reset --keep ${restored.saved_as}^)`;
  return { saved_as: restored.saved_as, bring_back: `${restored.hint}${commits}`, state: next };
}

/** Goes on with a return to a checkpoint that was cut off. */
export async function finishRollback(project: Project, state: ProjectState): Promise<ProjectState> {
  const checkpoint = await findCheckpoint(project.platform, project.stateDir, state.rollback!.checkpoint);
  project.emit({ type: 'state.recovered', what: `the return to checkpoint ${checkpoint.id}, which was cut off`, action: 'completed' });
  return (await restore(project, state, checkpoint)).state;
}

/** The state as the checkpoint kept it. */
async function stateOf(project: Project, checkpoint: Checkpoint): Promise<ProjectState> {
  if ((checkpoint.copies[STATE_FILE] ?? null) === null) return await readState(project, { writer: true });
  return await readStateAt(project, join(project.stateDir, 'checkpoints', checkpoint.id, STATE_FILE), { writer: false });
}

function describe(preview: RestorePreview): RollbackPreview {
  const { checkpoint } = preview;
  return {
    checkpoint: checkpoint.id,
    session: checkpoint.session,
    feature: checkpoint.feature,
    made_at: checkpoint.timestamp,
    git_ref: checkpoint.git_ref,
    files: preview.changes.map((change) => ({ path: change.path, status: change.status })),
    left: preview.left,
    commits: preview.commits,
    documents: preview.documents,
  };
}

export function previewLines(preview: RollbackPreview): string[] {
  const some = (lines: string[]): string[] => (lines.length <= 20 ? lines : [...lines.slice(0, 20), `… and ${lines.length - 20} more`]);
  return [
    `Checkpoint ${preview.checkpoint}, made ${preview.made_at} before session ${preview.session}${preview.feature === null ? '' : ` (feature #${preview.feature})`}`,
    ...some(preview.commits.map((entry) => `leaves commit ${entry.commit.slice(0, 10)} ${entry.subject}`)),
    ...some(preview.files.map((file) => `${file.status} ${file.path}`)),
    ...some(preview.left.map((path) => `stays ${path} (untracked)`)),
    ...preview.documents.map((name) => `restores ${name}`),
  ];
}
