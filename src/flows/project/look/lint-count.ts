/** How many errors and warnings a lint run reported, as far as its output tells. Pure. */

export interface LintCount {
  errors: number;
  warnings: number;
}

/** By the summary of the tool where it prints one, else by the places it names; a failed run has at least one error. */
export function countLint(output: string, exitCode: number | null): LintCount {
  const summary = SUMMARIES.map((pattern) => [...output.matchAll(pattern)].at(-1)).find((match) => match !== undefined)?.groups;
  const places = output.split('\n').filter((line) => PLACE.test(line.trim()));
  const warned = places.filter((line) => /\bwarn(ing)?\b/i.test(line)).length;
  const errors = summary?.['errors'] === undefined ? (exitCode === 0 ? 0 : places.length - warned) : Number(summary['errors']);
  const warnings = summary?.['warnings'] === undefined ? (exitCode === 0 ? places.length : warned) : Number(summary['warnings']);
  return { errors: exitCode === 0 ? errors : Math.max(1, errors), warnings };
}

const SUMMARIES: readonly RegExp[] = [
  // eslint: 5 problems (3 errors, 2 warnings)
  /\d+ problems? \((?<errors>\d+) errors?, (?<warnings>\d+) warnings?\)/g,
  // oxlint and biome: Found 2 warnings and 3 errors.
  /Found (?<warnings>\d+) warnings? and (?<errors>\d+) errors?/g,
  // ruff, tsc, mypy: Found 3 errors
  /Found (?<errors>\d+) errors?/g,
];

/** `path:line`, with or without a column. */
const PLACE = /^(?:\.{0,2}[\w@./\\-]+)(?::\d+){1,2}\b|^[\w@./\\-]+\(\d+,\d+\)/;
