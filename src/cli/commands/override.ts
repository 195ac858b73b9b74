/** `harness override`: records a feature on a person's word, without proof. */
import { EXIT } from '../../domain/reasons.ts';
import { askForOverride, overrideFeature } from '../../flows/project/people/override.ts';
import { openProject } from '../../flows/project/project.ts';
import { readState, stepAll } from '../../flows/project/state-files.ts';
import type { Command } from '../command.ts';
import { textOption } from '../options.ts';
import { featureOption, heldOrAsked, requested, waiting } from '../wheel.ts';

/** Asked before anything is held: a process that is at work does not keep a person from answering. */
export const run: Command = async (context) => {
  const { platform, root, output, asker, signal } = context;
  const feature = featureOption(context);
  const passes = textOption(context.options, 'passes') === 'true';
  const wish = { feature, passes };
  const looking = await openProject(platform, root, { emit: output.emit, asker, signal, journal: false });
  const agreed = await askForOverride(looking, await readState(looking, { writer: false }), wish);
  if (agreed.kind === 'waiting') return waiting(context, agreed.gate, { feature, passes, recorded: false });
  if (agreed.kind === 'declined') {
    output.object({ feature, passes, recorded: false, verified: false, commit: null }, 'Nothing was recorded.');
    return { exitCode: EXIT.done, feature };
  }
  const done = await heldOrAsked(
    context,
    'override',
    async (project, state) => {
      const { commit, changes } = await overrideFeature(project, state, wish);
      await stepAll(project, state, changes);
      return { commit };
    },
    async () => ({ kind: 'override', ...wish }),
  );
  if ('kind' in done) return requested(context, done, { feature, passes, recorded: false });
  const { commit } = done;
  const { github, project: named } = looking.config;
  const mirrored = github.sync_mode !== 'none' && (github.repo ?? named.github_repo) !== null;
  const issue = !mirrored || commit === null ? '' : ` Its GitHub issue follows with the next sync: harness sync`;
  const how = commit === null ? ' (the list said so already)' : ` (commit ${commit.slice(0, 12)})`;
  output.object(
    { feature, passes, recorded: true, verified: false, commit },
    `Feature #${feature} is recorded as ${passes ? 'passing' : 'not passing'}, unverified${how}.${issue}`,
  );
  return commit === null ? { exitCode: EXIT.done, feature } : { exitCode: EXIT.done, feature, commit };
};
