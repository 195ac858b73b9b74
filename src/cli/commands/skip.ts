/** `harness skip`: sets a feature aside; `--undo` takes it up again. */
import { EXIT } from '../../domain/reasons.ts';
import { skipFeature, unskipFeature, type SkipReport } from '../../flows/project/skip.ts';
import type { Command } from '../command.ts';
import { flagOption, textOption } from '../options.ts';
import { featureOption, withProject } from '../wheel.ts';

export const run: Command = async (context) => {
  const feature = featureOption(context);
  const report = await withProject(context, 'skip', (project, state) =>
    flagOption(context.options, 'undo')
      ? unskipFeature(project, state, feature)
      : skipFeature(project, state, { feature, reason: textOption(context.options, 'reason') }),
  );
  context.output.object(report, describe(report));
  return { exitCode: EXIT.done };
};

function describe(report: SkipReport): string {
  if (!report.skipped) return `Feature #${report.feature} is taken up again.`;
  const blocks = report.blocks.length === 0 ? '' : ` Features that wait for it: ${report.blocks.map((id) => `#${id}`).join(', ')}.`;
  return `Feature #${report.feature} is set aside: ${report.reason}.${blocks} To undo: harness skip --feature ${report.feature} --undo`;
}
