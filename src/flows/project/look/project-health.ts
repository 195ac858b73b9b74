/**
 * `harness health`: runs the suite and the linter on the current commit and measures its files. Needs no lock and writes no project state.
 *
 * 1. `cached`: nothing is run; tests are those of the baseline, lint and sizes what is known.
 * 2. The result of the linter is remembered with the user's caches, by tree and command; the last one of each project is what `status` shows.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Baseline, ProjectState } from '../../../domain/session.ts';
import { healthOf, type Health } from './health.ts';
import { withOwnRoom } from '../../../kernel/flight/own-rooms.ts';
import { runCommand } from '../../../kernel/flight/run-context.ts';
import { countLint, type LintCount } from './lint-count.ts';
import { LINT_CACHE, lastLint, lastLintFile, lintCommand, parseLintCount } from './last-lint.ts';
import { rememberTests } from './last-tests.ts';
import { LOOK, lookAtTree } from './verify.ts';
import { readBaseline, readSizes, sizesOf } from '../../../kernel/flight/memory-files.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import type { Project } from '../project.ts';
import { readState } from '../state-files.ts';
import { readTrusted } from '../list/trusted.ts';
import { mustHave } from '../../../domain/must-have.ts';

export interface HealthReport extends Health {
  project: string;
  features: { passing: number; total: number; skipped: number; unverified: number[] };
  tests: { passing: number; total: number; commit: string; current: boolean; problems: string[] } | null;
  lint: (LintCount & { command: string }) | null;
  files: { total: number; limit: number };
  next_cleanup: { after_features: number } | null;
}

export async function projectHealth(project: Project, options: { signal: AbortSignal; cached: boolean }): Promise<HealthReport> {
  const [state, baseline, known] = await Promise.all([
    readState(project, { writer: false }),
    readBaseline(project, { writer: false }),
    readSizes(project),
  ]);
  const { loaded, head } = await readTrusted(project, state, { anyCircle: true });
  const { features } = loaded.list;
  const passing = features.filter((feature) => feature.passes).length;
  const runs = !options.cached && head.tree !== '';
  const lint = head.tree === '' ? null : await lintOf(project, head.tree, options);
  const tests = runs ? await testsNow(project, head, options) : knownTests(baseline, head.tree);
  const sizes = runs ? await sizesOf(project, head.tree, known) : known;
  const health = healthOf({
    features: { passing, total: features.length },
    tests,
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
    tests,
    lint: lint === null ? null : { ...lint, command: mustHave(lintCommand(project), 'only a command that is set is run') },
    files: { total: Object.keys(sizes?.files ?? {}).length, limit: project.config.quality.max_file_lines },
    next_cleanup: nextCleanup(project, state),
  };
}

function knownTests(baseline: Baseline | null, tree: string): HealthReport['tests'] {
  if (baseline === null) return null;
  const { total_passing: passing, total_tests: total, commit } = baseline;
  return { passing, total, commit, current: baseline.tree === tree, problems: [] };
}

async function testsNow(project: Project, { commit }: Head, { signal }: { signal: AbortSignal }): Promise<HealthReport['tests']> {
  const { tree, passing, total, problems } = await lookAtTree(project, commit, { noCache: false, signal });
  if (problems.length === 0) await rememberTests(project, { tree, total_passing: passing, total_tests: total });
  return { passing, total, commit, current: true, problems };
}

async function lintOf(project: Project, tree: string, options: { signal: AbortSignal; cached: boolean }): Promise<LintCount | null> {
  const command = lintCommand(project);
  if (command === null) return null;
  const { files } = project.platform;
  const folder = join(project.harnessHome, LINT_CACHE);
  const file = join(folder, `${createHash('sha256').update(`${tree}\0${command}`).digest('hex').slice(0, 32)}.json`);
  const known = parseLintCount(await files.readTextIfExists(file).catch(() => null));
  if (known === null && options.cached) return await lastLint(files, project.harnessHome, project.root);
  const count = known ?? (await runLint(project, { tree, command, signal: options.signal }));
  await files.mkdir(folder);
  if (known === null) await files.writeAtomic(file, `${JSON.stringify(count)}\n`);
  if (!options.cached) await files.writeAtomic(lastLintFile(project.harnessHome, project.root), `${JSON.stringify(count)}\n`);
  return count;
}

async function runLint(
  project: Project,
  { tree, command, signal }: { tree: string; command: string; signal: AbortSignal },
): Promise<LintCount> {
  const result = await withOwnRoom(project, LOOK, (rooms) =>
    runCommand({ ...project, rooms }, { tree, command }, { noCache: false, signal }),
  );
  return countLint(result.output_tail, result.exit_code);
}

function nextCleanup(project: Project, state: ProjectState): HealthReport['next_cleanup'] {
  const interval = project.config.quality.cleanup_interval;
  return interval === 0
    ? null
    : { after_features: state.next_prompt === 'cleanup' ? 0 : Math.max(0, interval - state.features_since_cleanup) };
}
