/** The points a cleanup session is given: large and fast-growing files with a hint how to split each, and lint findings counted by rule. */
import type { Feature } from '../../../domain/feature.ts';
import { fence } from '../../../domain/fence.ts';
import { readSizes } from '../../../kernel/flight/memory-files.ts';
import { runCommand } from '../../../kernel/flight/run-context.ts';
import { lintRules } from '../look/lint-rules.ts';
import type { Project } from '../project.ts';

/** `tree`: the linter runs on it; null: the session is only foreseen, and nothing is run. */
export async function qualityIssues(project: Project, tree: string | null, next: Feature | null): Promise<string> {
  const sizes = await readSizes(project);
  const limit = project.config.quality.max_file_lines;
  const large = Object.entries(sizes?.files ?? {})
    .filter(([, info]) => info.lines > limit)
    .toSorted(([, a], [, b]) => b.lines - a.lines)
    .slice(0, 20)
    .map(([path, info]) => `- warning: ${path}: ${info.lines} lines (limit ${limit}): ${splitHint(path)}`);
  const growing = Object.entries(sizes?.files ?? {})
    .filter(
      ([, info]) => sizes!.session > info.session_added && (info.lines - info.lines_at_start) / (sizes!.session - info.session_added) > 50,
    )
    .slice(0, 10)
    .map(
      ([path, info]) =>
        `- info: ${path}: grew by ${info.lines - info.lines_at_start} lines in ${sizes!.session - info.session_added} sessions`,
    );
  const points = [
    ...(next === null ? [] : [`Before work on feature #${next.id} (${next.description}) begins:`]),
    ...large,
    ...growing,
    ...(await lintPoints(project, tree)),
    '- code that nothing uses: unused imports, functions, files',
    '- public functions whose purpose is not clear from name and signature: document them',
  ];
  return fence('quality points', points.join('\n'));
}

/** By what the file seems to hold. */
export function splitHint(path: string): string {
  if (/(^|[/._-])(?:test|tests|spec|specs)([/._-]|$)/i.test(path)) return 'split it by what is tested';
  if (/(^|[/._-])(?:api|route|routes|router|controller|controllers|handler|handlers|view|views)([/._-]|$)/i.test(path))
    return 'split it by resource';
  if (/(^|[/._-])(?:util|utils|helper|helpers|common|lib|service|services)([/._-]|$)/i.test(path))
    return 'take helpers out by what they serve';
  if (/(^|[/._-])(?:model|models|schema|schemas|type|types)([/._-]|$)/i.test(path)) return 'split it by model';
  return 'split it by responsibility';
}

async function lintPoints(project: Project, tree: string | null): Promise<string[]> {
  const command = project.config.quality.lint_command ?? project.config.testing.sanity.lint;
  if (command === null) return [];
  if (tree === null) return [`- run \`${command}\` and fix what it reports`];
  const { output_tail, exit_code } = await runCommand(project, { tree, command }, project);
  if (exit_code === 0 && output_tail.trim() === '') return [];
  const rules = lintRules(output_tail).map(({ rule, count }) => `    ${rule}: ${count}`);
  return [`- run \`${command}\` and fix what it reports${rules.length === 0 ? '' : ', by rule:'}`, ...rules];
}
