/** What the harness adds to the tree that the initializer left: scripts, settings, ignore rules, and a list in which nothing passes yet. */
import { join } from 'node:path';
import type { TreeEdit } from '../../../domain/tree.ts';
import { setPasses } from '../list/feature-text.ts';
import { settingsForTree } from '../../../kernel/founding/new-settings.ts';
import type { AgentChoice } from '../../../kernel/place-settings.ts';
import type { InitializerWork } from './initializer-session.ts';
import type { Project } from '../project.ts';
import { progressFileText, scriptText, withStateIgnored } from '../../../kernel/founding/scaffold.ts';
import { mustHave } from '../../../domain/must-have.ts';

export async function finalFiles(
  project: Project,
  outcome: InitializerWork,
  options: AgentChoice,
): Promise<(TreeEdit & { kind: 'write' })[]> {
  const { trees, config } = project;
  const tree = outcome.capture.tree;
  const read = async (path: string): Promise<string | null> => (await trees.read(tree, path))?.toString('utf8') ?? null;
  const edits: (TreeEdit & { kind: 'write' })[] = [];
  const scripts = await Promise.all((['init', 'reset'] as const).map(async (kind) => ({ kind, text: await read(`${kind}.sh`) })));
  for (const { kind, text } of scripts)
    edits.push({ path: `${kind}.sh`, kind: 'write', content: text ?? scriptText(kind), mode: '100755' });
  if ((await read(config.paths.progress)) === null)
    edits.push({ path: config.paths.progress, kind: 'write', content: progressFileText(config.project.name) });
  const { list } = outcome;
  let text = mustHave(await read(config.paths.features), 'an accepted draft holds the feature list');
  for (const feature of list.features) if (feature.passes) text = setPasses(text, feature.id, false);
  edits.push({ path: config.paths.features, kind: 'write', content: text });
  const ignore = await read('.gitignore');
  if (ignore === null || !ignore.split('\n').some((line) => /^\/?\.harness\/?$/.test(line.trim())))
    edits.push({ path: '.gitignore', kind: 'write', content: withStateIgnored(ignore, config.paths.state_dir) });
  if (!(await project.platform.files.exists(join(project.root, '.harness.yaml'))))
    edits.push({ path: '.harness.yaml', kind: 'write', content: await settingsForTree(project, tree, options) });
  return edits;
}
