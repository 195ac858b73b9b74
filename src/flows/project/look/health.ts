/**
 * The project's health: one figure, and the four it is made of. Pure.
 *
 * 1. A part that is not known (no baseline yet, no test, no lint command) is left out, and the others keep their proportions.
 * 2. GOOD above 0.8, FAIR above 0.6, POOR else.
 */

export interface HealthFacts {
  features: { passing: number; total: number };
  tests: { passing: number; total: number } | null;
  lint: { errors: number; warnings: number } | null;
  files: Readonly<Record<string, { lines: number; session_added: number; lines_at_start: number }>> | null;
  maxLines: number;
  /** The session in which the sizes were measured last. */
  session: number;
}

export interface Health {
  overall: number;
  status: 'GOOD' | 'FAIR' | 'POOR';
  feature_completion: number;
  test_pass_rate: number | null;
  lint_score: number | null;
  file_health: number | null;
  /** Files over the limit, largest first. */
  oversized: { file: string; lines: number }[];
  /** Files close to the limit. */
  large: { file: string; lines: number }[];
  growing: { file: string; lines_per_session: number }[];
}

const NEAR = 0.9;
const FAST_GROWTH = 50;

export function healthOf(facts: HealthFacts): Health {
  const files = Object.entries(facts.files ?? {});
  const totalLines = files.reduce((sum, [, info]) => sum + info.lines, 0);
  const byLines = files
    .map(([file, info]) => ({ file, lines: info.lines }))
    .toSorted((a, b) => b.lines - a.lines || (a.file < b.file ? -1 : 1));
  const oversized = byLines.filter((entry) => entry.lines > facts.maxLines);
  const parts = {
    feature_completion: share(facts.features.passing, facts.features.total),
    test_pass_rate: facts.tests === null || facts.tests.total === 0 ? null : share(facts.tests.passing, facts.tests.total),
    lint_score: facts.lint === null ? null : Math.max(0, 1 - facts.lint.errors / Math.max(totalLines, 1)),
    file_health: facts.files === null ? null : 1 - oversized.length / Math.max(files.length, 1),
  };
  const overall = weighted([
    [parts.feature_completion, 0.4],
    [parts.test_pass_rate, 0.3],
    [parts.lint_score, 0.2],
    [parts.file_health, 0.1],
  ]);
  return {
    overall,
    status: overall > 0.8 ? 'GOOD' : overall > 0.6 ? 'FAIR' : 'POOR',
    ...parts,
    oversized,
    large: byLines.filter((entry) => entry.lines <= facts.maxLines && entry.lines > facts.maxLines * NEAR),
    growing: files
      .map(([file, info]) => ({ file, lines_per_session: growth(info, facts.session) }))
      .filter((entry) => entry.lines_per_session > FAST_GROWTH)
      .toSorted((a, b) => b.lines_per_session - a.lines_per_session),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function weighted(parts: readonly (readonly [number | null, number])[]): number {
  const known = parts.filter((part): part is readonly [number, number] => part[0] !== null);
  const weight = known.reduce((sum, [, own]) => sum + own, 0);
  const total = known.reduce((sum, [value, own]) => sum + value * own, 0);
  return Math.round((total / weight) * 10_000) / 10_000;
}

function growth(info: { lines: number; session_added: number; lines_at_start: number }, session: number): number {
  return session > info.session_added ? Math.round((info.lines - info.lines_at_start) / (session - info.session_added)) : 0;
}
