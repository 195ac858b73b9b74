/** `harness add-feature`: puts one more feature on the list. */
import { EXIT } from '../../domain/reasons.ts';
import { namesOfFiles, testFilesOf } from '../../domain/test-files.ts';
import { addFeature, planFeature } from '../../flows/project/people/add-feature.ts';
import type { Command } from '../command.ts';
import { listOption, numberOption, textOption } from '../options.ts';
import { heldOrAsked, requested } from '../wheel.ts';

export const run: Command = async (context) => {
  const { args, options, output } = context;
  const wanted = {
    description: args[0] ?? '',
    testFiles: listOption(options, 'testFile'),
    category: textOption(options, 'category'),
    priority: numberOption(options, 'priority'),
  };
  const added = await heldOrAsked(
    context,
    'add-feature',
    (project, state) => addFeature(project, state, wanted),
    async (project, state) => {
      await planFeature(project, state, wanted);
      return { kind: 'add-feature', ...wanted };
    },
  );
  if ('kind' in added) return requested(context, added, { description: wanted.description });
  const { feature, commit } = added;
  output.object(
    { feature, commit },
    `Added feature #${feature.id}, proved by ${namesOfFiles(testFilesOf(feature)) || 'a person'}${commit === null ? '' : ` (commit ${commit.slice(0, 12)})`}. Build it with: harness run`,
  );
  return commit === null ? { exitCode: EXIT.done, feature: feature.id } : { exitCode: EXIT.done, feature: feature.id, commit };
};
