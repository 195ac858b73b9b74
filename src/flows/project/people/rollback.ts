/** `harness rollback`: back to an earlier point, with everything that is replaced kept. */
import type { ProjectState } from '../../../domain/session.ts';
import { isChosen, projectGate } from '../../../gates/project-gates.ts';
import { findCheckpoint } from '../../../workspace/checkpoint.ts';
import { previewRestore, type RestorePreview } from '../../../workspace/restore.ts';
import type { Project } from '../project.ts';
import { bringToEnd } from '../open.ts';
import { step } from '../state-files.ts';

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
  options: { id: string; show(preview: RollbackPreview): void },
): Promise<RollbackReport> {
  const checkpoint = await findCheckpoint(project.platform, project.stateDir, options.id);
  const preview = describe(await previewRestore(project.platform, { home: project.home, stateDir: project.stateDir, checkpoint }));
  options.show(preview);
  const answer = await project.asker.ask(
    projectGate('project.rollback', { checkpoint: checkpoint.id, files: preview.files.length }, previewLines(preview)),
  );
  if (answer === 'pending') return { preview, kind: 'waiting', gate: 'project.rollback' };
  if (!isChosen('project.rollback', 'Yes', answer)) return { preview, kind: 'declined' };
  const begun = (await step(project, state, { type: 'rolling.back', checkpoint: checkpoint.id })).state;
  const { run, project: restored } = await bringToEnd(project, begun);
  return { preview, kind: 'restored', ...run.returned!, state: restored };
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
