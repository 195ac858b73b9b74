/** The feature list and the commit that everything of a session is measured against. */
import { join } from 'node:path';
import type { ProjectState } from '../../../domain/session.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import { headOf, isSettled } from '../../../kernel/ground/head.ts';
import { checkFeatureList, type LoadedList, type Project } from '../project.ts';

/**
 * `anyCircle`: features that wait for each other are no error, because the command is about to break the circle.
 * `present`: the file as it stands has to be a valid list too, so that a mistake in it is named before the change itself is.
 */
export async function readTrusted(
  project: Project,
  state: Pick<ProjectState, 'skipped'>,
  options: { anyCircle?: boolean; present?: boolean } = {},
): Promise<{ loaded: LoadedList; head: Head }> {
  const head = await headOf(project);
  const path = project.config.paths.features;
  const skipped = options.anyCircle === true ? 'all' : state.skipped.map((entry) => entry.feature);
  if (head === null)
    return {
      loaded: checkFeatureList(project, await project.platform.files.readTextIfExists(join(project.root, path)), path, { skipped }),
      head: { commit: '', tree: '', branch: '' },
    };
  const text = (await project.trees.read(head.tree, path))?.toString('utf8') ?? null;
  const changed = options.present === true ? await changedText(project, text) : null;
  if (changed !== null) checkFeatureList(project, changed, path, { skipped });
  const where = changed === null ? path : `${path} as it is committed`;
  return { loaded: checkFeatureList(project, text, where, { skipped }), head };
}

/** The list in the working tree where it is another one; null too while git has something to settle there first. */
async function changedText(project: Project, committed: string | null): Promise<string | null> {
  const text = await project.platform.files.readTextIfExists(join(project.root, project.config.paths.features));
  if (text === null || text === committed) return null;
  return (await isSettled(project)) ? text : null;
}
