/** Lint findings by rule, as far as the output of the usual tools names them. Pure. */

export interface RuleCount {
  rule: string;
  count: number;
}

const MOST_RULES = 20;

/** The most frequent first. */
export function lintRules(output: string): RuleCount[] {
  const counts = new Map<string, number>();
  for (const line of output.split('\n')) {
    const rule = RULES.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined);
    if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return [...counts]
    .map(([rule, count]) => ({ rule, count }))
    .toSorted((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1))
    .slice(0, MOST_RULES);
}

const RULES: readonly RegExp[] = [
  // ruff, flake8, pylint: src/a.py:3:1: F401 ...
  /:\d+(?::\d+)?:\s+([A-Z]{1,5}\d{2,5})\b/,
  // eslint: 12:5  error  'x' is never used  no-unused-vars
  /^\s*\d+:\d+\s+(?:error|warning)\s+.*?\s{2,}([\w@/-]+)\s*$/,
  // oxlint: eslint(no-unused-vars)
  /\b((?:eslint|typescript|unicorn|oxc|react|import|promise|jsdoc)(?:-[\w-]+)?\([\w-]+\))/,
  // biome: lint/suspicious/noExplicitAny
  /\b(lint\/\w+\/\w+)\b/,
  // tsc: error TS2304
  /\berror (TS\d+)\b/,
  // mypy: [attr-defined]
  /\berror: .*\[([a-z][a-z-]+)\]\s*$/,
];
