import { expect, test } from 'vitest';
import { commitSubject } from '../steps/finish.ts';

const TASK = 'Implement what docs/harness/export/spec.md describes';

test.each([
  ['changed 2 files — orders can be exported as CSV.', 'Orders can be exported as CSV'],
  ['Changed 1 file — 주문을 CSV로 내보낼 수 있습니다', '주문을 CSV로 내보낼 수 있습니다'],
  ['changed 2 files — ok', TASK],
  ['', TASK],
  ['I am done', TASK],
  ['changed 1 file — \u001b[31mround totals\u001b[0m to\u202e cents', 'Round totals to cents'],
])('%j is told as %j', (line, subject) => {
  expect(commitSubject(TASK, line)).toBe(subject);
});

test('it is cut at a word, and never longer than a line of the log', () => {
  const long = commitSubject(TASK, `changed 9 files — ${'orders are exported '.repeat(20)}`);
  expect(long).toMatch(/^Orders are exported .* (orders|are|exported)…$/);
  expect(long.length).toBeLessThanOrEqual(72);
  expect(commitSubject('x'.repeat(500), '')).toHaveLength(72);
});
