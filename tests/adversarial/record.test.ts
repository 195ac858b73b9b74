import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Verdict } from '../../src/domain/verdict.ts';
import type { Behaviour } from './behaviour.ts';
import type { Examination } from './examine.ts';
import { aloneTable, compareRecords, recordTo } from './record.ts';

const folder = mkdtempSync(join(tmpdir(), 'corpus-record-'));
afterAll(() => rmSync(folder, { recursive: true }));

function judged(id: string, decision: Verdict['decision'], by: readonly string[]): Examination {
  const findings = by.map((reason) => ({ check: 'red', reason, weight: 'ask', message: `because of ${reason}`, subjects: [] }));
  return {
    behaviour: { id, kind: 'cheat' } as Behaviour,
    runner: 'node:test',
    seed: 0,
    verdict: { decision, reasons: by, findings } as unknown as Verdict,
    right: true,
    complaint: null,
    captured: '',
    duration_ms: 1_000,
  };
}

function recordOf(name: string, some: readonly Examination[]): string {
  const file = join(folder, name);
  const add = recordTo(file);
  for (const one of some) add(one);
  return file;
}

test('two records are compared by verdict, reasons and weights, not by wording', () => {
  const before = recordOf('before', [judged('row-is-added', 'accepted', []), judged('hardcoded', 'needs_human', ['test.not_red'])]);
  const same = recordOf('same', [judged('hardcoded', 'needs_human', ['test.not_red']), judged('row-is-added', 'accepted', [])]);
  expect(compareRecords(before, same).isEqual).toBe(true);
  const other = recordOf('other', [judged('row-is-added', 'accepted', []), judged('hardcoded', 'accepted', [])]);
  const { text, isEqual } = compareRecords(before, other);
  expect(isEqual).toBe(false);
  expect(text).toContain('hardcoded on node:test\n  before  needs_human [test.not_red] red/test.not_red/ask\n  after   accepted []');
  expect(text).toContain('2 fixtures in both records, 1 different');
});

test('records without a fixture in common are not equal', () => {
  const one = recordOf('one', [judged('row-is-added', 'accepted', [])]);
  expect(compareRecords(one, recordOf('none', [])).isEqual).toBe(false);
});

test('what only one instrument objects to is counted, and counted again without a deleted one', () => {
  const file = join(folder, 'thorough');
  const found = (...by: string[]): object[] => by.map((instrument) => ({ instrument, weight: 'ask' }));
  const lines = [
    { fixture: 'a', kind: 'cheat', decision: 'rejected', findings: found('red', 'red/idle') },
    { fixture: 'b', kind: 'cheat', decision: 'rejected', findings: found('red', 'red/loose') },
    { fixture: 'c', kind: 'cheat', decision: 'needs_human', findings: found('red/idle') },
    { fixture: 'd', kind: 'honest', decision: 'needs_human', findings: found('red/loose') },
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const table = aloneTable(file, []);
  expect(table).toContain('| red | 2 | 0 | 0 |  |');
  expect(table).toContain('| red/idle | 2 | 1 | 0 | c |');
  expect(table).toContain('| red/loose | 1 | 0 | 1 | d |');
  expect(aloneTable(file, ['red/loose'])).toContain('| red | 2 | 1 | 0 | b |');
});
