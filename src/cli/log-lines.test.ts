import { expect, test } from 'vitest';
import { logLine, logLines } from './log-lines.ts';

test('an entry is one line of its time, its type and its fields', () => {
  const entry = {
    ts: '2026-01-01T00:00:00.000Z',
    type: 'session.end',
    level: 'important',
    session: 3,
    feature: null,
    reasons: ['test.failed'],
    message: 'two words',
  };
  expect(logLine(entry)).toBe('2026-01-01T00:00:00.000Z session.end session=3 reasons=["test.failed"] message="two words"');
});

test('long and hostile values are shortened and cleaned', () => {
  const line = logLine({ ts: 't', type: 'agent.text', text: `\u001b[31m${'x'.repeat(1_000)}\nmore` });
  expect(line).not.toContain('\u001b');
  expect(line).not.toContain('\n');
  expect(line.length).toBeLessThan(250);
});

test('an empty answer says so', () => {
  expect(logLines([])).toBe('Nothing found.');
});
