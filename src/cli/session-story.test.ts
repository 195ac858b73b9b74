import { expect, test } from 'vitest';
import type { JournalEntry } from '../journal/query.ts';
import { sessionStory } from './commands/log-session.ts';

const entry = (seq: number, type: string, fields: object): JournalEntry => ({
  ts: new Date(2026, 10, 16, 3, 0, seq).toISOString(),
  type,
  seq,
  session: 2,
  ...fields,
});

const EVENTS = [
  entry(1, 'session.start', { feature: 2, prompt: 'coding', backend: 'command', model: '', workspace: '/w' }),
  entry(2, 'agent.text', { text: 'a sample' }),
  entry(6, 'verify.result', {
    feature: 2,
    verdict: 'abc',
    decision: 'rejected',
    reasons: ['test.failed'],
    messages: ['1 of 1 test failed.'],
  }),
  entry(7, 'session.end', { feature: 2, outcome: 'rejected', reasons: ['test.failed'], duration_ms: 5_000, cost_usd: 0.1 }),
];

test('a session is told in order, with all that its agent said and what its tools answered', () => {
  const said = [
    entry(2, 'agent.text', { text: 'I begin.\nWith the test.' }),
    entry(3, 'agent.tool', { name: 'shell', input: { command: 'npm test' } }),
    entry(4, 'agent.result', { name: 'shell', ok: true, output: Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n') }),
  ];
  const story = sessionStory(EVENTS, said);
  expect(story.split('\n')[0]).toBe('03:00:01 Session 2: feature #2 (coding, command)');
  expect(story).toMatch(/03:00:02 {3}│ I begin\.\n {9} {2}│ With the test\.\n03:00:03 {3}› shell npm test\n03:00:04 {5}line 0\n/);
  expect(story).toContain('… 8 more lines');
  expect(story).not.toContain('a sample');
  expect(story).toMatch(/verdict abc: rejected\n.*1 of 1 test failed\.\n03:00:07 Session 2, feature #2 rejected: test\.failed/);
});

test('what is no longer kept is reported, and the sample of it is shown', () => {
  expect(sessionStory(EVENTS, null)).toMatch(/a sample[\s\S]*no longer kept/);
});
