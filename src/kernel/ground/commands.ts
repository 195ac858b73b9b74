/**
 * The commands that a session checks its work with: those of a place, and the choice itself, which is pure over the listing of the project.
 *
 * 1. What the command line gives comes first, then the project's settings (the test command), then what the files say.
 * 2. Null means that there is none; the check is then skipped and the report says so.
 * 3. A `package.json` gives no command whose script it does not have, and `node --test` only where there is a test for it.
 */
import { join } from 'node:path';
import { detect, listProject, NODE_TEST, type Detected, type Listing } from '../../config/detect.ts';
import { CONFIG_FILE } from '../../config/read-config.ts';
import type { Place } from '../place.ts';
import { NO_SCOPE } from './scope.ts';
import type { RunnerName } from '../../domain/verdict.ts';
import { commandSources, type CommandSources } from '../../verify/run/command-sources.ts';
import { chooseCommand, commandForFiles } from '../../verify/run/test-command.ts';

export interface Commands {
  lang: Detected['language'];
  test_cmd: string | null;
  build_cmd: string | null;
  lint_cmd: string | null;
  type_check_cmd: string | null;
}

export interface GivenCommands {
  /** `--lint-cmd`, `--type-check-cmd`; an empty one switches the check off. */
  lint?: string | null;
  typeCheck?: string | null;
  /** `testing.full` of the project's settings, where there are any. */
  test?: string | null;
  /** Glob or directory that the task is limited to. */
  scope?: string | null;
}

/** Of the settings only what stands in a file of the project counts. */
export async function commandsOf(
  { platform, root, config }: Pick<Place, 'platform' | 'root' | 'config'>,
  given: Omit<GivenCommands, 'test'> = {},
): Promise<Commands> {
  const test = (await platform.files.exists(join(root, CONFIG_FILE))) ? config.testing.full : null;
  return chooseCommands(await listProject(platform, root), { ...given, test });
}

export function chooseCommands(listing: Listing, given: GivenCommands = {}): Commands {
  const found = detect(listing);
  const test = found.test === 'node --test' && !listing.files.some((file) => NODE_TEST.test(file)) ? null : found.test;
  const lint = given.lint ?? found.lint;
  return {
    lang: found.language,
    test_cmd: orNull(given.test ?? test),
    build_cmd: found.build,
    lint_cmd: orNull(lint === null ? null : fillScope(lint, given.scope ?? null)),
    type_check_cmd: orNull(given.typeCheck ?? found.type_check),
  };
}

function orNull(command: string | null): string | null {
  return command === null || command.trim() === '' ? null : command.trim();
}

/** The command with the scope as one argument. */
export function fillScope(command: string, scope: string | null): string {
  return command.replaceAll('{scope}', () => scopeArgument(scope));
}

/** The scope as one argument of a shell command; a plain pattern is left to the shell to expand. */
function scopeArgument(scope: string | null): string {
  if (scope === null || scope === NO_SCOPE) return '.';
  const path = scope.startsWith('-') ? `./${scope}` : scope;
  return /^[\w./*?@+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** The runner behind the settings' test command, as it stands in a tree. */
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
