import { expect, test } from 'vitest';
import type { HarnessEvent } from '../domain/event.ts';
import { NO_USAGE } from '../domain/money.ts';
import { foldStatus, formatStatus, IDLE } from './live-status.ts';

const events: HarnessEvent[] = [
  { type: 'session.start', session: 1, feature: 12, prompt: 'coding', backend: 'anthropic', model: 'm', workspace: '/w' },
  { type: 'agent.usage', session: 1, usage: NO_USAGE, context_tokens: 40_000, context_window: 200_000, cost_usd: 0.2 },
  { type: 'agent.usage', session: 1, usage: NO_USAGE, context_tokens: 50_400, context_window: 200_000, cost_usd: 0.3 },
];

test('the line shows phase, feature, tokens against the window, money against the budget and time', () => {
  const status = { ...events.reduce(foldStatus, IDLE), budget: 10 };
  expect(formatStatus(status, 125_000, 120)).toBe('agent at work · feature #12 · 50k/200k tokens · $0.50/$10.00 · 2 min 5 s');
});

test('a new session starts from nothing', () => {
  const status = foldStatus(events.reduce(foldStatus, IDLE), {
    type: 'session.start',
    session: 2,
    feature: 13,
    prompt: 'coding',
    backend: 'x',
    model: '',
    workspace: '',
  });
  expect(status).toMatchObject({ session: 2, feature: 13, contextTokens: 0, cost: null });
});

test.each([1, 2, 10, 40, 80])('the line never reaches the edge of a terminal of %i columns', (width) => {
  expect(formatStatus(events.reduce(foldStatus, IDLE), 1_000, width).length).toBeLessThan(width);
});
