/** `harness rollback`: back to an earlier point, with everything that is replaced kept. */
import type { ProjectState } from '../../../domain/session.ts';
import { isChosen, projectGate } from '../../../gates/project-gates.ts';
import { previewReturn, type RollbackPreview } from '../../../kernel/flight/checkpoints.ts';
import type { Project } from '../project.ts';
import { bringToEnd } from '../open.ts';
import { step } from '../state-files.ts';
import { mustHave } from '../../../domain/must-have.ts';

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
  const preview = await previewReturn(project, options.id);
  options.show(preview);
  const answer = await project.asker.ask(
    projectGate('project.rollback', { checkpoint: preview.checkpoint, files: preview.files.length }, previewLines(preview)),
  );
  if (answer === 'pending') return { preview, kind: 'waiting', gate: 'project.rollback' };
  if (!isChosen('project.rollback', 'Yes', answer)) return { preview, kind: 'declined' };
  const begun = (await step(project, state, { type: 'rolling.back', checkpoint: preview.checkpoint })).state;
  const { run, project: restored } = await bringToEnd(project, begun);
  return { preview, kind: 'restored', ...mustHave(run.returned, 'a run that restores has returned'), state: restored };
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
