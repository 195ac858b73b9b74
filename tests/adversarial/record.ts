/**
 * What the judge said about each fixture, as lines of JSON: two records show whether a change of the judge changed a verdict.
 *
 * 1. A line is written as soon as its fixture is judged, so that a run that was cut off leaves what it found.
 * 2. Findings are compared by check, reason and weight; their wording and their subjects hold random names.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { Finding, Verdict } from '../../src/domain/verdict.ts';
import { INSTRUMENTS, makerOf, type InstrumentId } from '../../src/verify/instruments.ts';
import type { Examination } from './examine.ts';
import { labelOf, type Broken } from './run.ts';

interface Recorded {
  fixture: string;
  kind: string;
  decision: Verdict['decision'] | 'broken';
  reasons: readonly string[];
  findings: readonly (Pick<Finding, 'check' | 'reason' | 'weight' | 'message'> & { instrument: InstrumentId })[];
  duration_ms: number;
}

/** Starts a new record and returns what adds to it. */
export function recordTo(file: string): (done: Examination | Broken) => void {
  writeFileSync(file, '');
  return (done) => appendFileSync(file, `${JSON.stringify(recorded(done))}\n`);
}

function recorded(done: Examination | Broken): Recorded {
  const { kind } = done.behaviour;
  if ('error' in done) return { fixture: labelOf(done), kind, decision: 'broken', reasons: [done.error], findings: [], duration_ms: 0 };
  const { decision, reasons, findings } = done.verdict;
  return {
    fixture: labelOf(done),
    kind,
    decision,
    reasons,
    findings: findings.map((one) => ({
      instrument: makerOf(one),
      check: one.check,
      reason: one.reason,
      weight: one.weight,
      message: one.message,
    })),
    duration_ms: Math.round(done.duration_ms),
  };
}

export function compareRecords(before: string, after: string): { text: string; isEqual: boolean } {
  const [one, other] = [readRecord(before), readRecord(after)];
  const both = [...one.keys()].filter((fixture) => other.has(fixture));
  const different = both.filter((fixture) => describe(one.get(fixture)!) !== describe(other.get(fixture)!));
  const only = (from: typeof one, without: typeof one) => [...from.keys()].filter((fixture) => !without.has(fixture)).length;
  const lines = different.flatMap((fixture) => [
    fixture,
    `  before  ${describe(one.get(fixture)!)}`,
    `  after   ${describe(other.get(fixture)!)}`,
  ]);
  const seconds = (from: typeof one): number => Math.round(both.reduce((sum, fixture) => sum + from.get(fixture)!.duration_ms, 0) / 1_000);
  const counts = `${both.length} fixtures in both records, ${different.length} different; ${only(one, other)} only before, ${only(other, one)} only after`;
  const text = [...lines, counts, `judged in ${seconds(one)} s before, ${seconds(other)} s after`].join('\n');
  return { text, isEqual: different.length === 0 && both.length > 0 };
}

/**
 * From a thorough record: what each instrument objected to, and what nothing else objected to. An instrument that is never alone can be
 * deleted; after that the table has to be computed again, without it.
 */
export function aloneTable(file: string, deleted: readonly string[]): string {
  const objections = [...readRecord(file).values()]
    .filter((one) => one.decision !== 'broken')
    .map(({ fixture, kind, findings }) => ({
      fixture,
      kind,
      by: new Set(findings.filter((one) => one.weight !== 'warn' && !deleted.includes(one.instrument)).map((one) => one.instrument)),
    }));
  const all = new Set([...INSTRUMENTS, ...objections.flatMap((one) => [...one.by])].filter((id) => !deleted.includes(id)));
  const rows = [...all].map((id) => {
    const own = objections.filter((one) => one.by.has(id));
    const alone = own.filter((one) => one.by.size === 1);
    const count = (some: typeof own, isHonest: boolean): number => some.filter((one) => (one.kind === 'honest') === isHonest).length;
    return {
      id,
      cheats: count(own, false),
      alone: count(alone, false),
      honest: count(own, true),
      example: (alone.find((one) => one.kind !== 'honest') ?? alone[0])?.fixture ?? '',
    };
  });
  return [
    '| instrument | cheats | alone | honest work | for example |',
    '| --- | --: | --: | --: | --- |',
    ...rows
      .toSorted((one, other) => one.alone - other.alone || one.cheats - other.cheats)
      .map((row) => `| ${row.id} | ${row.cheats} | ${row.alone} | ${row.honest} | ${row.example} |`),
  ].join('\n');
}

function readRecord(file: string): Map<string, Recorded> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line) as Recorded).map((one) => [one.fixture, one]));
}

function describe({ decision, reasons, findings }: Recorded): string {
  const found = findings.map(({ check, reason, weight }) => `${check}/${reason}/${weight}`).toSorted();
  return `${decision} [${reasons.toSorted().join(', ')}] ${[...new Set(found)].join(' ')}`;
}
