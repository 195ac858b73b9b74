/** The points a cleanup session is given: large and fast-growing files, and the last lint findings. */
import { readSizes } from '../../../kernel/flight/memory-files.ts';
import type { Project } from '../project.ts';
import { fence } from '../../../domain/fence.ts';

export async function qualityIssues(project: Project): Promise<string> {
  const sizes = await readSizes(project);
  const limit = project.config.quality.max_file_lines;
  const large = Object.entries(sizes?.files ?? {})
    .filter(([, info]) => info.lines > limit)
    .toSorted(([, a], [, b]) => b.lines - a.lines)
    .slice(0, 20)
    .map(([path, info]) => `- ${path}: ${info.lines} lines (limit ${limit}): split it by responsibility`);
  const growing = Object.entries(sizes?.files ?? {})
    .filter(
      ([, info]) => sizes!.session > info.session_added && (info.lines - info.lines_at_start) / (sizes!.session - info.session_added) > 50,
    )
    .slice(0, 10)
    .map(
      ([path, info]) => `- ${path}: grew by ${info.lines - info.lines_at_start} lines in ${sizes!.session - info.session_added} sessions`,
    );
  const lint = project.config.quality.lint_command ?? project.config.testing.sanity.lint;
  const points = [...large, ...growing];
  if (lint !== null) points.push(`- run \`${lint}\` and fix what it reports`);
  points.push(
    '- code that nothing uses: unused imports, functions, files',
    '- public functions whose purpose is not clear from name and signature: document them',
  );
  return fence('quality points', points.join('\n'));
}
