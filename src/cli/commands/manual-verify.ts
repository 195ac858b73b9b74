/** `harness manual-verify`: records what a person saw. */
import { EXIT } from '../../domain/reasons.ts';
import { guideLines, manualVerify, type ManualReport } from '../../flows/project/people/manual-verify.ts';
import type { Command } from '../command.ts';
import { featureOption, waiting, withProject } from '../wheel.ts';

export const run: Command = async (context) => {
  const feature = featureOption(context);
  const show = (guide: Parameters<typeof guideLines>[0]): void =>
    context.output.note(
      [`Please look at feature #${guide.feature}: ${guide.description}`, ...guideLines(guide).map((line) => `  ${line}`)].join('\n'),
    );
  const report = await withProject(context, 'manual-verify', (project, state) => manualVerify(project, state, { feature, show }));
  if (report.kind === 'waiting') return waiting(context, report.gate, report);
  context.output.object(report, describe(report));
  return { exitCode: report.kind === 'stale' ? EXIT.preflight : EXIT.done, feature };
};

function describe(report: ManualReport): string {
  switch (report.kind) {
    case 'landed':
      return `Feature #${report.feature} is accepted; its work is commit ${report.commit?.slice(0, 12)}.`;
    case 'recorded':
      return `Recorded: a person saw that feature #${report.feature} ${report.passes ? 'works' : 'does not work'}${report.commit === null ? '' : ` (commit ${report.commit.slice(0, 12)})`}.`;
    case 'stale':
      return `The work that waited can no longer land: ${report.message}. The next session tries again.`;
    default:
      return `The work on feature #${report.feature} is refused; the next session tries again.`;
  }
}
