/** `harness add-feature`: puts one more feature on the list. */
import { EXIT } from '../../domain/reasons.ts';
import { addFeature } from '../../flows/project/add-feature.ts';
import type { Command } from '../command.ts';
import { numberOption, textOption } from '../options.ts';
import { withProject } from '../wheel.ts';

export const run: Command = async (context) => {
  const { args, options, output } = context;
  const wanted = {
    description: args[0] ?? '',
    testFile: textOption(options, 'testFile'),
    category: textOption(options, 'category'),
    priority: numberOption(options, 'priority'),
  };
  const { feature, commit } = await withProject(context, 'add-feature', (project, state) => addFeature(project, state, wanted));
  output.object(
    { feature, commit },
    `Added feature #${feature.id}, proved by ${feature.test_file ?? 'a person'}${commit === null ? '' : ` (commit ${commit.slice(0, 12)})`}. Build it with: harness run`,
  );
  return commit === null ? { exitCode: EXIT.done, feature: feature.id } : { exitCode: EXIT.done, feature: feature.id, commit };
};
