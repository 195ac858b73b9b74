/**
 * `harness health`: reads what the harness has measured and runs the linter, once for each commit. Needs no lock and writes no project state.
 *
 * 1. Tests are those of the baseline: the harness's own last run.
 * 2. The result of the linter is remembered with the user's caches, by tree and command.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Baseline, ProjectState } from '../../../domain/session.ts';
import { healthOf, type Health } from './health.ts';
import { withOwnRooms } from '../../../kernel/flight/own-rooms.ts';
import { runCommand } from '../../../kernel/flight/run-context.ts';
import { countLint, type LintCount } from './lint-count.ts';
import { LOOK } from './verify.ts';
import type { Project } from '../project.ts';
import { readBaseline, readSizes } from '../../../kernel/flight/memory-files.ts';
import { readState } from '../state-files.ts';
import { readTrusted } from '../list/trusted.ts';

export interface HealthReport extends Health {
  project: string;
  features: { passing: number; total: number; skipped: number; unverified: number[] };
  tests: { passing: number; total: number; commit: string; current: boolean } | null;
  lint: (LintCount & { command: string }) | null;
  files: { total: number; limit: number };
  next_cleanup: { after_features: number } | null;
}

export async function projectHealth(project: Project, options: { signal: AbortSignal }): Promise<HealthReport> {
  const [state, baseline, sizes] = await Promise.all([
    readState(project, { writer: false }),
    readBaseline(project, { writer: false }),
    readSizes(project),
  ]);
  const { loaded, head } = await readTrusted(project, state, { anyCircle: true });
  const { features } = loaded.list;
  const passing = features.filter((feature) => feature.passes).length;
  const lint = head.tree === '' ? null : await lintOf(project, head.tree, options);
  const health = healthOf({
    features: { passing, total: features.length },
    tests: testsOf(baseline),
    lint,
    files: sizes?.files ?? null,
    maxLines: project.config.quality.max_file_lines,
    session: sizes?.session ?? 0,
  });
  return {
    project: project.config.project.name,
    ...health,
    features: {
      passing,
      total: features.length,
      skipped: state.skipped.length,
      unverified: state.overrides.filter((entry) => entry.passes).map((entry) => entry.feature),
    },
    tests:
      baseline === null
        ? null
        : { passing: baseline.total_passing, total: baseline.total_tests, commit: baseline.commit, current: baseline.tree === head.tree },
    lint: lint === null ? null : { ...lint, command: lintCommand(project)! },
    files: { total: Object.keys(sizes?.files ?? {}).length, limit: project.config.quality.max_file_lines },
    next_cleanup: nextCleanup(project, state),
  };
}

function testsOf(baseline: Baseline | null): { passing: number; total: number } | null {
  return baseline === null ? null : { passing: baseline.total_passing, total: baseline.total_tests };
}

function lintCommand(project: Project): string | null {
  return project.config.quality.lint_command ?? project.config.testing.sanity.lint;
}

async function lintOf(project: Project, tree: string, options: { signal: AbortSignal }): Promise<LintCount | null> {
  const command = lintCommand(project);
  if (command === null) return null;
  const { files } = project.platform;
  const folder = join(project.harnessHome, 'cache', 'lint');
  const file = join(folder, `${createHash('sha256').update(`${tree}\0${command}`).digest('hex').slice(0, 32)}.json`);
  const known = parseCount(await files.readTextIfExists(file).catch(() => null));
  if (known !== null) return known;
  const result = await withOwnRooms(project, LOOK, ([rooms]) =>
    runCommand({ ...project, rooms: rooms! }, { tree, command }, { noCache: false, signal: options.signal }),
  );
  const count = countLint(result.output_tail, result.exit_code);
  await files.mkdir(folder);
  await files.writeAtomic(file, `${JSON.stringify(count)}\n`);
  return count;
}

function parseCount(text: string | null): LintCount | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<LintCount> | null;
    return typeof value?.errors === 'number' && typeof value.warnings === 'number'
      ? { errors: value.errors, warnings: value.warnings }
      : null;
  } catch {
    return null;
  }
}

function nextCleanup(project: Project, state: ProjectState): HealthReport['next_cleanup'] {
  const interval = project.config.quality.cleanup_interval;
  return interval === 0
    ? null
    : { after_features: state.next_prompt === 'cleanup' ? 0 : Math.max(0, interval - state.features_since_cleanup) };
}
