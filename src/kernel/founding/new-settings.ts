/** The settings file of a new project: what was detected in it, and the agent that was asked for. */
import { DEFAULT_BACKEND, isBackend } from '../../agents/registry.ts';
import { detectProject, type Detected } from '../../config/detect.ts';
import { renderConfig } from '../../config/render-config.ts';
import { HarnessError, usageError } from '../../domain/errors.ts';
import type { Emit } from '../../domain/event.ts';
import type { Platform } from '../../platform/platform.ts';
import { sanityChecks } from '../flight/baseline.ts';
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
  if (found.type_check === null || (await sanityHolds(platform, root, text))) return text;
  options.emit({
    type: 'warning',
    message: `"${found.type_check}" does not succeed on this commit, so no session is held to it. Once it does, set testing.sanity.type_check in .harness.yaml.`,
  });
  return freshSettings(name, { ...found, type_check: null }, options);
}

/** Whether a session could start with these settings. What cannot be tried, such as an install that fails, is told where it is needed. */
async function sanityHolds(platform: Platform, root: string, configText: string): Promise<boolean> {
  const place = await openPlace(platform, root, { emit: () => {}, journal: false, configText, needs: 'project' });
  try {
    const reports = await sanityChecks(place, { tree: await place.trees.of(place.home.head!) }, { noCache: false });
    return reports.every((report) => report.state !== 'failed');
  } catch (error) {
    if (error instanceof HarnessError) return true;
    throw error;
  } finally {
    await place.rooms.dispose();
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
  return freshSettings(place.config.project.name, found, options);
}

/** Language and commands of a tree. */
export async function foundIn(place: Place, tree: string): Promise<Detected> {
  const room = await place.rooms.prepare(tree, { name: 'detect' });
  return await detectProject(place.platform, room.path);
}
