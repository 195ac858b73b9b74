/** `harness override`: records a feature on a person's word, without proof. */
import { EXIT } from '../../domain/reasons.ts';
import { overrideFeature } from '../../flows/project/override.ts';
import type { Command } from '../command.ts';
import { textOption } from '../options.ts';
import { featureOption, waiting, withProject } from '../wheel.ts';

export const run: Command = async (context) => {
  const feature = featureOption(context);
  const passes = textOption(context.options, 'passes') === 'true';
  const report = await withProject(context, 'override', (project, state) =>
    overrideFeature(project, state, { feature, passes, asker: context.asker }),
  );
  if (report.kind === 'waiting') return waiting(context, report.gate, { feature, passes, recorded: false });
  const recorded = report.kind === 'recorded';
  const commit = report.kind === 'recorded' ? report.commit : null;
  const word = passes ? 'passing' : 'not passing';
  const text = recorded
    ? `Feature #${feature} is recorded as ${word}, unverified${commit === null ? ' (the list said so already)' : ` (commit ${commit.slice(0, 12)})`}.`
    : 'Nothing was recorded.';
  context.output.object({ feature, passes, recorded, verified: false, commit }, text);
  return commit === null ? { exitCode: EXIT.done, feature } : { exitCode: EXIT.done, feature, commit };
};
