/** The runner behind the settings' test command, as it stands in a tree. */
import type { RunnerName } from '../../domain/verdict.ts';
import { chooseCommand, commandForFiles, scriptsOf } from '../../verify/run/test-command.ts';
import type { Place } from '../place.ts';

type Ground = Pick<Place, 'config' | 'trees'>;

/** How these test files are run, as a person would type it; the whole suite where there is no such way. `tree` null: there is none yet. */
export async function testCommand(place: Ground, tree: string | null, files: readonly string[]): Promise<string> {
  return commandForFiles(place.config.testing, await scriptsIn(place, tree), files);
}

export async function runnerIn(place: Ground, tree: string): Promise<RunnerName> {
  const { full, report } = place.config.testing;
  return chooseCommand(full, report, await scriptsIn(place, tree)).runner.name;
}

async function scriptsIn({ trees }: Ground, tree: string | null): Promise<ReturnType<typeof scriptsOf>> {
  return scriptsOf(tree === null ? null : ((await trees.read(tree, 'package.json'))?.toString('utf8') ?? null));
}
