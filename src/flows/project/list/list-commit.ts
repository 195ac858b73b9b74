/** Changes to the feature list that a person asked for: one commit of that file alone, its formatting kept. */
import { join } from 'node:path';
import { usageError } from '../../../domain/errors.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import { commitRecord } from '../../../kernel/ground/record-commit.ts';
import { withLastUpdated } from './feature-text.ts';
import { checkFeatureList, type LoadedList, type Project } from '../project.ts';

/** The list as committed; refuses while the file has changes of its own, because they would end up in the same commit. */
export async function committedList(project: Project, skipped: readonly number[] | 'all' = []): Promise<LoadedList> {
  const path = project.config.paths.features;
  const head = await headOf(project);
  const committed = head === null ? null : ((await project.trees.read(head.tree, path))?.toString('utf8') ?? null);
  const present = await project.platform.files.readTextIfExists(join(project.root, path));
  if (committed !== null && present !== committed)
    throw usageError(`${path} has changes that are not committed.`, `Commit them first: git commit -m "Feature list" -- ${path}`);
  return checkFeatureList(project, committed, path, { skipped });
}

/** The commit, or null when the text is the same already. */
export async function commitList(project: Project, text: string, subject: string, skipped: readonly number[] = []): Promise<string | null> {
  const path = project.config.paths.features;
  checkFeatureList(project, text, path, { skipped });
  const head = await headOf(project);
  const before = head === null ? null : ((await project.trees.read(head.tree, path))?.toString('utf8') ?? null);
  const content = text === before ? text : withLastUpdated(text, project.now());
  return await commitRecord(project, { path, content, subject, what: 'features' });
}

export function findFeature(loaded: LoadedList, id: number): LoadedList['list']['features'][number] {
  const found = loaded.list.features.find((feature) => feature.id === id);
  if (found !== undefined) return found;
  const known = loaded.list.features.map((feature) => feature.id);
  throw usageError(
    `There is no feature #${id}.`,
    `The list has ${known.length <= 20 ? known.map((other) => `#${other}`).join(', ') : `${known.length} features, #${Math.min(...known)} to #${Math.max(...known)}`}.`,
  );
}
