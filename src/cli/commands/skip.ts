/** `harness skip`: sets a feature aside; `--undo` takes it up again. */
import { EXIT } from '../../domain/reasons.ts';
import { planSkip, skipFeature, type SkipReport } from '../../flows/project/people/skip.ts';
import { stepAll } from '../../flows/project/state-files.ts';
import type { Command } from '../command.ts';
import { flagOption, textOption } from '../options.ts';
import { featureOption, heldOrAsked, requested } from '../wheel.ts';

export const run: Command = async (context) => {
  const wish = {
    feature: featureOption(context),
    reason: textOption(context.options, 'reason'),
    undo: flagOption(context.options, 'undo'),
    unblock: flagOption(context.options, 'unblock'),
  };
  const report = await heldOrAsked(
    context,
    'skip',
    async (project, state) => {
      const { report: done, changes } = await skipFeature(project, state, wish);
      await stepAll(project, state, changes);
      return done;
    },
    async (project, state) => {
      await planSkip(project, state, wish);
      return { kind: 'skip', ...wish };
    },
  );
  if ('kind' in report) return requested(context, report, { feature: wish.feature });
  context.output.object(report, describe(report));
  return { exitCode: EXIT.done };
};

function describe(report: SkipReport): string {
  if (!report.skipped) return `Feature #${report.feature} is no longer skipped.`;
  const waiting = report.unblocks ? 'No longer blocked by it' : 'Blocked by it';
  const blocks = report.blocks.length === 0 ? '' : ` ${waiting}: ${report.blocks.map((id) => `#${id}`).join(', ')}.`;
  return `Feature #${report.feature} is skipped: ${report.reason}.${blocks} To undo: harness skip --feature ${report.feature} --undo`;
}
