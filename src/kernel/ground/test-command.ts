/** The runner behind the settings' test command, as it stands in a tree. */
import type { RunnerName } from '../../domain/verdict.ts';
import { commandSources, type CommandSources } from '../../verify/run/command-sources.ts';
import { chooseCommand, commandForFiles } from '../../verify/run/test-command.ts';
import type { Place } from '../place.ts';

type Ground = Pick<Place, 'config' | 'trees'>;

/** How these test files are run, as a person would type it; the whole suite where there is no such way. `tree` null: there is none yet. */
export async function testCommand(place: Ground, tree: string | null, files: readonly string[]): Promise<string> {
  return commandForFiles(place.config.testing, await sourcesIn(place, tree), files);
}

export async function runnerIn(place: Ground, tree: string): Promise<RunnerName> {
  const { full, report } = place.config.testing;
  return chooseCommand(full, report, await sourcesIn(place, tree)).runner.name;
}

function sourcesIn({ trees, config }: Ground, tree: string | null): Promise<CommandSources> {
  return commandSources(trees, tree, [config.testing.full, config.testing.feature]);
}
