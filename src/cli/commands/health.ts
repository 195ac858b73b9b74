/** `harness health`: the composite metric and each of its parts. */
import { counted } from '../../domain/counted.ts';
import { EXIT } from '../../domain/reasons.ts';
import { projectHealth, type HealthReport } from '../../flows/project/look/project-health.ts';
import { openProject } from '../../flows/project/project.ts';
import type { Command } from '../command.ts';
import { flagOption } from '../options.ts';

export const run: Command = async ({ platform, root, output, options, signal }) => {
  const report = await projectHealth(await openProject(platform, root, { emit: output.emit, journal: false }), {
    signal,
    cached: flagOption(options, 'cached'),
  });
  output.object(report, describe(report));
  return { exitCode: EXIT.done };
};

function describe(report: HealthReport): string {
  const { features, tests, lint, files } = report;
  const unverified =
    features.unverified.length === 0 ? '' : `, on a person's word alone: ${features.unverified.map((id) => `#${id}`).join(', ')}`;
  const rows: [string, string][] = [
    ['Project', report.project],
    ['Features', `${features.passing}/${features.total} passing (${percent(report.feature_completion)})${unverified}`],
    [
      'Tests',
      tests === null
        ? 'no baseline yet'
        : `${tests.total === 0 ? 'no tests' : `${tests.passing}/${tests.total} passing (${percent(report.test_pass_rate ?? 0)})`}${tests.current ? '' : `, as of ${tests.commit.slice(0, 10)}`}${tests.problems.length === 0 ? '' : `; ${tests.problems[0]}`}`,
    ],
    ['Lint', lint === null ? 'no lint command' : `${counted(lint.errors, 'error')}, ${counted(lint.warnings, 'warning')}`],
    [
      'Files',
      files.total === 0 ? 'not measured yet' : `${files.total - report.oversized.length} of ${files.total} within ${files.limit} lines`,
    ],
  ];
  return [
    ...rows.map(([name, value]) => `${`${name}:`.padEnd(13)}${value}`),
    ...report.oversized.slice(0, 20).map((entry) => `  ${entry.file}: ${entry.lines} lines, over the limit`),
    ...report.large.slice(0, 20).map((entry) => `  ${entry.file}: ${entry.lines} lines, consider splitting it`),
    ...report.growing.slice(0, 20).map((entry) => `  ${entry.file}: grows by ${entry.lines_per_session} lines a session`),
    `${'Health:'.padEnd(13)}${report.status} (${report.overall.toFixed(2)})`,
    `${'Cleanup:'.padEnd(13)}${cleanupLine(report)}`,
  ].join('\n');
}

function cleanupLine(report: HealthReport): string {
  const left = report.next_cleanup?.after_features;
  if (left === undefined) return 'never by itself (quality.cleanup_interval: 0)';
  return left === 0 ? 'due with the next session' : `after ${left} more feature${left === 1 ? '' : 's'}`;
}

function percent(share: number): string {
  return `${Math.floor(share * 100)}%`;
}
