/** What the linter said last about a project, with the user's caches: no state of the project's, and read without running anything. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Project } from '../project.ts';
import type { LintCount } from './lint-count.ts';

export const LINT_CACHE = 'cache/lint';

export function lintCommand({ config }: Pick<Project, 'config'>): string | null {
  return config.quality.lint_command ?? config.testing.sanity.lint;
}

export function lastLintFile(harnessHome: string, root: string): string {
  return join(harnessHome, LINT_CACHE, `last-${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);
}

/** Null: it never ran. */
export async function lastLint(files: Project['platform']['files'], harnessHome: string, root: string): Promise<LintCount | null> {
  return parseLintCount(await files.readTextIfExists(lastLintFile(harnessHome, root)).catch(() => null));
}

export function parseLintCount(text: string | null): LintCount | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<LintCount> | null;
    return typeof value?.errors === 'number' && typeof value.warnings === 'number'
      ? { errors: value.errors, warnings: value.warnings }
      : null;
  } catch {
    return null;
  }
}
