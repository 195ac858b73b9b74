/** What a replay found, as a page: counts by runner and kind, then every session. */
import type { Replayed } from './session.ts';
import type { Variant } from './variants.ts';

export interface Row extends Replayed {
  repository: string;
  commit: string;
  subject: string;
  kind: 'adds' | 'changes';
  variant: Variant | 'honest';
}

const DECISIONS = ['accepted', 'asked', 'refused', 'no verdict'] as const;

export function describeRows(rows: readonly Row[]): string {
  const honest = rows.filter((row) => row.variant === 'honest');
  const cheats = rows.filter((row) => row.variant !== 'honest');
  return [
    counts('honest commits', honest, (row) => `${row.runner || 'none'}, ${row.kind === 'adds' ? 'only adds to tests' : 'changes tests'}`),
    ...(cheats.length === 0 ? [] : [counts('cheating variants', cheats, (row) => row.variant)]),
    everyOne(rows),
  ].join('\n\n');
}

function counts(title: string, rows: readonly Row[], keyOf: (row: Row) => string): string {
  const keys = [...new Set(rows.map(keyOf))].toSorted();
  const count = (some: readonly Row[]): string =>
    DECISIONS.map((decision) => some.filter((row) => row.decision === decision).length).join(' | ');
  return [
    `| ${title} | ${DECISIONS.join(' | ')} |`,
    `| --- |${' --: |'.repeat(DECISIONS.length)}`,
    ...keys.map((key) => `| ${key} | ${count(rows.filter((row) => keyOf(row) === key))} |`),
    `| together | ${count(rows)} |`,
  ].join('\n');
}

/** Times against one run of the suite, so that machines can be compared. */
function everyOne(rows: readonly Row[]): string {
  const ratio = ({ judged, suite }: Row): string => (suite === 0 ? '' : `${(judged / suite).toFixed(1)} x`);
  return [
    '| repository | commit | runner | session | decision | why | suite | judging | against the suite | runs |',
    '| --- | --- | --- | --- | --- | --- | --: | --: | --: | --: |',
    ...rows.map((row) => {
      const session = row.variant === 'honest' ? `honest, ${row.kind}` : row.variant;
      const seconds = [row.suite, row.judged].map((one) => (one === 0 ? '' : `${one} s`));
      const cells = [
        row.repository,
        row.commit.slice(0, 10),
        row.runner,
        session,
        row.decision,
        whyOf(row),
        ...seconds,
        ratio(row),
        row.runs,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}

function whyOf({ reasons, message }: Row): string {
  const words = message.replaceAll('|', '/').replaceAll(/\s+/g, ' ').slice(0, 160);
  return [reasons.join(', '), words].filter((part) => part !== '').join(': ');
}
