/** `harness rollback ID`: a preview, a question, and the return to a checkpoint. */
import { EXIT } from '../../domain/reasons.ts';
import { previewLines, rollback } from '../../flows/project/people/rollback.ts';
import type { RollbackPreview } from '../../kernel/flight/checkpoints.ts';
import type { Command } from '../command.ts';
import { waiting, withProject } from '../wheel.ts';

export const run: Command = async (context) => {
  const { args, output } = context;
  const show = (preview: RollbackPreview): void => output.note(previewLines(preview).join('\n'));
  const report = await withProject(context, 'rollback', (project, state) => rollback(project, state, { id: args[0] ?? '', show }));
  if (report.kind === 'waiting') return waiting(context, report.gate, { restored: false, preview: report.preview });
  if (report.kind === 'declined') {
    output.object({ restored: false, preview: report.preview }, 'Nothing was changed.');
    return { exitCode: EXIT.done };
  }
  output.object(
    { restored: true, preview: report.preview, saved_as: report.saved_as, bring_back: report.bring_back },
    `Returned to checkpoint ${report.preview.checkpoint}; tree, state and baseline are those of then.\nWhat stood here is kept as ${report.saved_as}. To bring it back: ${report.bring_back}`,
  );
  return { exitCode: EXIT.done };
};
