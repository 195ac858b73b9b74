import { expect, test } from 'vitest';
import type { HarnessEvent } from '../domain/event.ts';
import { createPaint } from './paint.ts';
import { renderText } from './render-text.ts';

const show = (event: HarnessEvent, quiet = false): string => renderText(event, createPaint(false), { quiet }).join('\n');

test('what an agent prints cannot drive the terminal', () => {
  const evil = '\u001b]52;c;ZXZpbA==\u0007\u001b[2Jhello\u202eworld\r\n\u009b31mnext';
  for (const event of [
    { type: 'agent.text', session: 1, text: evil },
    { type: 'agent.tool', session: 1, name: evil, input: { command: evil } },
    { type: 'agent.error', session: 1, message: evil, class: 'agent' },
    { type: 'verify.check', name: 'claim', state: 'failed', detail: evil, duration_ms: 1 },
    { type: 'quality.warning', file: evil, message: evil, severity: 'warning' },
  ] satisfies HarnessEvent[]) {
    expect(show(event)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(show(event)).toContain('hello');
  }
});

test('a tool call is one short line', () => {
  const line = show({ type: 'agent.tool', session: 1, name: 'shell', input: { command: `echo ${'x'.repeat(500)}\nrm` } });
  expect(line.length).toBeLessThan(200);
  expect(line).not.toContain('\n');
});

test("an agent's lines fit the terminal", () => {
  const text = 'a word and another '.repeat(30);
  for (const event of [
    { type: 'agent.tool', session: 1, name: 'shell', input: { command: text } },
    { type: 'agent.result', session: 1, name: 'shell', ok: false, output: text },
    { type: 'session.inject', session: 1, text, delivered: true },
  ] satisfies HarnessEvent[]) {
    const lines = renderText(event, createPaint(false), { quiet: false, width: 59 });
    expect(lines.map((line) => line.length)).toEqual([59]);
  }
});

test("an agent's words are wrapped, not cut", () => {
  const lines = renderText({ type: 'agent.text', session: 1, text: 'one two three four five' }, createPaint(false), {
    quiet: false,
    width: 15,
  });
  expect(lines).toEqual(['  │ one two', '  │ three four', '  │ five']);
});

test('the model is named only where the harness chose it', () => {
  const start = { type: 'session.start', session: 1, feature: 1, prompt: 'coding', model: 'some-model', workspace: '' } as const;
  expect(show({ ...start, backend: 'anthropic' })).toBe('Session 1: feature #1 (coding, anthropic, some-model)');
  expect(show({ ...start, backend: 'command' })).toBe('Session 1: feature #1 (coding, command)');
});

test('the end of a session names outcome, reasons and commit', () => {
  const line = show({
    type: 'session.end',
    session: 5,
    feature: 12,
    outcome: 'verified',
    reasons: [],
    duration_ms: 61_000,
    cost_usd: 0.5,
    commit: 'abcdef0123456789',
  });
  expect(line).toBe('Session 5, feature #12 verified (1 min 1 s, $0.50, commit abcdef0123)\n');
});

test('an unknown cost is said, never shown as nothing', () => {
  const line = show({
    type: 'session.end',
    session: 5,
    feature: null,
    outcome: 'rejected',
    reasons: ['test.failed', 'regression'],
    duration_ms: 10,
    cost_usd: null,
  });
  expect(line).toBe('Session 5 rejected: test.failed, regression (10 ms, cost unknown)\n');
});

test('under --quiet results and warnings stay, progress goes', () => {
  expect(show({ type: 'progress', message: 'busy' }, true)).toBe('');
  expect(show({ type: 'warning', message: 'careful' }, true)).toBe('careful');
});

test('a question shows its options and how to answer', () => {
  const text = show({
    type: 'gate.asked',
    gate: {
      id: 'project.stuck',
      asked_at: '',
      header: 'Stuck',
      question: 'How on?',
      options: [{ label: 'Skip', description: 'Set it aside.', recommended: true }],
      non_negotiable: false,
      context: [],
    },
  });
  expect(text).toBe('Stuck: How on?\n  1. Skip: Set it aside. (recommended)\n  answer with: harness answer project.stuck <option>');
});

test('a line with tabs stays behind its border', () => {
  const lines = renderText({ type: 'agent.text', session: 1, text: '\tone\n\t\ttwo' }, createPaint(false), { quiet: false, width: 30 });
  expect(lines).toEqual(['  │     one', '  │         two']);
});
