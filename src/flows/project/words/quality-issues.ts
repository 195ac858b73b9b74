/** The points a cleanup session is given, from the sizes that are known and a run of the linter. */
import type { Feature } from '../../../domain/feature.ts';
import { fence } from '../../../domain/fence.ts';
import { readSizes } from '../../../kernel/flight/memory-files.ts';
import { runCommand } from '../../../kernel/flight/run-context.ts';
import { countLint } from '../look/lint-count.ts';
import { lintRules } from '../look/lint-rules.ts';
import type { Project } from '../project.ts';
import { qualityPoints, type QualityFacts } from './quality-points.ts';

/** `tree`: the linter runs on it; null: the session is only foreseen, and nothing is run. */
export async function qualityIssues(project: Project, tree: string | null, next: Feature | null): Promise<string> {
  const facts = { sizes: await readSizes(project), limit: project.config.quality.max_file_lines, next, lint: await lintOf(project, tree) };
  return fence('quality points', qualityPoints(facts).join('\n'));
}

async function lintOf(project: Project, tree: string | null): Promise<QualityFacts['lint']> {
  const command = project.config.quality.lint_command ?? project.config.testing.sanity.lint;
  if (command === null) return null;
  if (tree === null) return { command, found: null };
  const { output_tail, exit_code } = await runCommand(project, { tree, command }, project);
  if (exit_code === 0 && output_tail.trim() === '') return null;
  return { command, found: { count: countLint(output_tail, exit_code), rules: lintRules(output_tail) } };
}
