/** The points a cleanup session is given, from the sizes that are known and a run of the linter. */
import type { Feature } from '../../../domain/feature.ts';
import { fence } from '../../../domain/fence.ts';
import { readSizes } from '../../../kernel/flight/memory-files.ts';
import { runCommand } from '../../../kernel/flight/run-context.ts';
import { countLint } from '../look/lint-count.ts';
import { lintRules } from '../look/lint-rules.ts';
import type { Project } from '../project.ts';
import { MOST_LARGE, qualityPoints, type QualityFacts } from './quality-points.ts';

/** `runs`: the linter is run on the tree; else the session is only foreseen. */
export async function qualityIssues(
  project: Project,
  { tree, runs }: { tree: string; runs: boolean },
  next: Feature | null,
): Promise<string> {
  const [sizes, limit] = [await readSizes(project), project.config.quality.max_file_lines];
  const texts = await largeTexts(project, tree, sizes, limit);
  const lint = await lintOf(project, runs ? tree : null);
  return fence('quality points', qualityPoints({ sizes, limit, texts, next, lint }).join('\n'));
}

async function largeTexts(
  { trees }: Project,
  tree: string,
  sizes: QualityFacts['sizes'],
  limit: number,
): Promise<ReadonlyMap<string, string>> {
  const large = Object.entries(sizes?.files ?? {}).filter(([, { lines }]) => lines > limit);
  const texts = new Map<string, string>();
  for (const [path] of large.toSorted(([, a], [, b]) => b.lines - a.lines).slice(0, MOST_LARGE)) {
    const text = await trees.read(tree, path);
    if (text !== null) texts.set(path, text.toString('utf8'));
  }
  return texts;
}

async function lintOf(project: Project, tree: string | null): Promise<QualityFacts['lint']> {
  const command = project.config.quality.lint_command ?? project.config.testing.sanity.lint;
  if (command === null) return null;
  if (tree === null) return { command, found: null };
  const { output_tail, exit_code } = await runCommand(project, { tree, command }, project);
  if (exit_code === 0 && output_tail.trim() === '') return null;
  return { command, found: { count: countLint(output_tail, exit_code), rules: lintRules(output_tail) } };
}
