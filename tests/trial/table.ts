/** What a trial found, as a page. */
export interface TrialRow {
  runner: string;
  instrument: string;
  /** How many packages hold without the instrument. */
  held: number;
  /** Packages that say nothing, because their test fails without it as well. */
  failing: string[];
  /** Packages whose test does not pass under it. */
  changed: string[];
}

export function describeTrials(rows: readonly TrialRow[]): string {
  const runners = [...new Set(rows.map((row) => row.runner))];
  const instruments = [...new Set(rows.map((row) => row.instrument))];
  const cell = (runner: string, instrument: string): string => {
    const row = rows.find((one) => one.runner === runner && one.instrument === instrument);
    return row === undefined ? '' : `${row.held - row.changed.length} of ${row.held}`;
  };
  return [
    `| runner | ${instruments.join(' | ')} |`,
    `| --- |${' --: |'.repeat(instruments.length)}`,
    ...runners.map((runner) => `| ${runner} | ${instruments.map((one) => cell(runner, one)).join(' | ')} |`),
    '',
    ...rows.flatMap((row) => row.changed.map((one) => `- ${row.runner}, ${row.instrument}: ${one}`)),
    ...runners.flatMap((runner) => {
      const failing = rows.find((row) => row.runner === runner)?.failing ?? [];
      return failing.length === 0 ? [] : [`- ${runner}: without any instrument these do not hold: ${failing.join(', ')}`];
    }),
  ].join('\n');
}
