/** The feature list and the commit that everything of a session is measured against. */
import { join } from 'node:path';
import type { ProjectState } from '../../domain/session.ts';
import { readHead, treeOf } from '../../workspace/home.ts';
import { checkFeatureList, type LoadedList, type Project } from './project.ts';

export interface Head {
  commit: string;
  tree: string;
  branch: string;
}

/** `anyCircle`: features that wait for each other are no error, because the command is about to break the circle. */
export async function readTrusted(
  project: Project,
  state: Pick<ProjectState, 'skipped'>,
  options: { anyCircle?: boolean } = {},
): Promise<{ loaded: LoadedList; head: Head }> {
  const { branch, head } = await readHead(project.platform, project.home);
  const path = project.config.paths.features;
  const skipped = options.anyCircle === true ? 'all' : state.skipped.map((entry) => entry.feature);
  if (head === null)
    return {
      loaded: checkFeatureList(project, await project.platform.files.readTextIfExists(join(project.root, path)), path, { skipped }),
      head: { commit: '', tree: '', branch: branch ?? '' },
    };
  const tree = await treeOf(project.platform, project.home, head);
  const text = (await project.trees.read(tree, path))?.toString('utf8') ?? null;
  return { loaded: checkFeatureList(project, text, path, { skipped }), head: { commit: head, tree, branch: branch ?? '' } };
}
