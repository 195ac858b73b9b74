/** The settings file of a new project: what was detected in it, and the agent that was asked for. */
import { DEFAULT_BACKEND, isBackend } from '../../agents/registry.ts';
import { detectProject, type Detected } from '../../config/detect.ts';
import { renderConfig } from '../../config/render-config.ts';
import { HarnessError, usageError } from '../../domain/errors.ts';
import type { Emit } from '../../domain/event.ts';
import type { Platform } from '../../platform/platform.ts';
import { sanityChecks } from '../flight/baseline.ts';
import type { RunGround } from '../flight/run-context.ts';
import { openPlace, type Place } from '../place.ts';
import type { AgentChoice } from '../place-settings.ts';

export function freshSettings(name: string, found: Pick<Detected, 'test' | 'lint' | 'type_check'>, options: AgentChoice): string {
  const backend = isBackend(options.agent) ? options.agent : DEFAULT_BACKEND;
  return renderConfig({ name, testing: found.test ?? 'true', detected: found, agent: { backend, command: options.agentCommand } });
}

/** For a repository that is there; a type check that does not succeed on its commit is left out and told. */
export async function settingsForRepository(
  platform: Platform,
  root: string,
  name: string,
  options: AgentChoice & { emit: Emit },
): Promise<string> {
  const found = await detectProject(platform, root);
  if (found.test === null) {
    throw usageError(
      `No test command could be detected in ${root}.`,
      'Write a .harness.yaml first, with at least:',
      '  project:',
      `    name: ${name}`,
      '  testing:',
      '    full: <the command that runs all tests>',
    );
  }
  const text = freshSettings(name, found, options);
  if (found.type_check === null) return text;
  const place = await openPlace(platform, root, { emit: () => {}, journal: false, configText: text, needs: 'project' });
  try {
    const held = await withoutUntrue(place, await place.trees.of(place.home.head!), found, options.emit);
    return held === found ? text : freshSettings(name, held, options);
  } finally {
    await place.rooms.dispose();
  }
}

/** A type check that a session could not start with is left out, and told. */
async function withoutUntrue(place: RunGround, tree: string, found: Detected, emit: Emit): Promise<Detected> {
  const failed = found.type_check === null ? null : await failedTypeCheck(place, tree, found.type_check);
  if (failed === null) return found;
  const why = isNotInstalled(failed) ? 'cannot be started here, because its tool is not installed' : 'does not succeed on this commit';
  emit({
    type: 'warning',
    message: `"${found.type_check ?? ''}" ${why}, so no session is held to it. Once it does, set testing.sanity.type_check in .harness.yaml.`,
  });
  return { ...found, type_check: null };
}

/** By what a shell, Python or npx says of a program that there is not. */
function isNotInstalled(detail: string): boolean {
  return /ended with 127\b|\bnot found\b|no module named|is not installed|could not determine executable/i.test(detail);
}

/** What it said; null: it succeeded. What cannot be tried, such as an install that fails, is told where it is needed. */
async function failedTypeCheck(place: RunGround, tree: string, command: string): Promise<string | null> {
  const { testing } = place.config;
  const sanity = { health: null, lint: null, unit: null, e2e: null, type_check: command };
  try {
    const alone = { ...place, config: { ...place.config, testing: { ...testing, sanity, unit: null, e2e: null } } };
    const reports = await sanityChecks(alone, { tree }, { noCache: false });
    return reports.find((report) => report.state === 'failed')?.detail ?? null;
  } catch (error) {
    if (error instanceof HarnessError) return null;
    throw error;
  }
}

/** For what an agent made: looked at in a clean room, before any of it is in the project. */
export async function settingsForTree(place: Place, tree: string, options: AgentChoice): Promise<string> {
  const found = await foundIn(place, tree);
  if (found.test === null)
    throw usageError(
      'No test command could be detected in what the initializer made; nothing was changed in the project.',
      'Write a .harness.yaml with testing.full first, then run harness init again.',
    );
  return freshSettings(place.config.project.name, await withoutUntrue(place, tree, found, place.emit), options);
}

/** Language and commands of a tree. */
export async function foundIn(place: Place, tree: string): Promise<Detected> {
  const room = await place.rooms.prepare(tree, { name: 'detect' });
  return await detectProject(place.platform, room.path);
}
