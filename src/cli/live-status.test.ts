import { expect, test } from 'vitest';
import { displayWidth } from '../domain/display-width.ts';
import type { HarnessEvent } from '../domain/event.ts';
import { NO_USAGE } from '../domain/money.ts';
import { foldStatus, IDLE, statusLines, type Frame } from './live-status.ts';

const events: HarnessEvent[] = [
  { type: 'session.start', session: 1, feature: 12, prompt: 'coding', backend: 'anthropic', model: 'm', workspace: '/w' },
  { type: 'agent.usage', session: 1, usage: NO_USAGE, context_tokens: 40_000, context_window: 200_000, cost_usd: 0.2 },
  { type: 'agent.usage', session: 1, usage: NO_USAGE, context_tokens: 50_400, context_window: 200_000, cost_usd: 0.3 },
];

const frame = (change: Partial<Frame> = {}): Frame => ({ elapsedMs: 125_000, now: 0, columns: 120, rows: 40, ...change });

test('the lines show phase, feature, tokens against the window, money against the budget, time and the last action', () => {
  const acting: HarnessEvent = { type: 'agent.tool', session: 1, name: 'shell', input: { command: 'npm test' } };
  const status = { ...[...events, acting].reduce(foldStatus, IDLE), budget: 10 };
  expect(statusLines(status, frame())).toEqual([
    'session 1 · agent at work · feature #12',
    '50k/200k tokens (25%) · $0.50/$10.00 · 2 min 5 s · › shell npm test',
  ]);
});

test('a small terminal gets one line', () => {
  const status = events.reduce(foldStatus, IDLE);
  for (const small of [{ columns: 56 }, { rows: 8 }])
    expect(statusLines(status, frame(small))).toEqual(['agent at work · #12 · 50k/200k · $0.50 · 2 min 5 s']);
});

test('a wait shows what is left of it, and is over with the next sign of the agent', () => {
  const limit: HarnessEvent = {
    type: 'session.limit',
    session: 1,
    kind: 'usage',
    level: 'warn',
    message: 'limit',
    until: new Date(3_725_000).toISOString(),
  };
  const waiting = [...events, limit].reduce(foldStatus, IDLE);
  expect(statusLines(waiting, frame({ now: 0 }))[0]).toContain('waiting for the provider: 1 h 2 min left, until');
  expect(statusLines(waiting, frame({ now: 3_724_100 }))[0]).toContain('1 s left');
  expect(statusLines(foldStatus(waiting, { type: 'agent.text', session: 1, text: 'on' }), frame())[0]).toContain('agent at work');
});

test('what an agent names its tools and files cannot reach the terminal as a command', () => {
  const status = foldStatus(events.reduce(foldStatus, IDLE), {
    type: 'agent.tool',
    session: 1,
    name: 'sh\u001b[2Jell',
    input: { command: 'a\u202eb\n\u009b31mc' },
  });
  expect(statusLines(status, frame())[1]).toMatch(/› shell ab c$/);
});

test('a new session starts from nothing', () => {
  const next: HarnessEvent = { type: 'session.start', session: 2, feature: 13, prompt: 'coding', backend: 'x', model: '', workspace: '' };
  expect(foldStatus(events.reduce(foldStatus, IDLE), next)).toMatchObject({ session: 2, feature: 13, contextTokens: 0, cost: null });
});

test.each([1, 2, 10, 40, 59, 60, 80])('no line ever reaches the edge of a terminal of %i columns', (columns) => {
  for (const command of ['npm test', '日本語'.repeat(40), '🎉'.repeat(60)]) {
    const acting: HarnessEvent = { type: 'agent.tool', session: 1, name: 'shell', input: { command } };
    for (const line of statusLines([...events, acting].reduce(foldStatus, IDLE), frame({ columns })))
      expect(displayWidth(line)).toBeLessThan(columns);
  }
});

const PHASE: HarnessEvent = {
  type: 'flow.phase',
  flow: 'workflow',
  phase: 'generating',
  label: 'Generate — in progress',
  round: { number: 2, of: 3 },
  retry: 1,
};
const ROLE: HarnessEvent = {
  ...(events[0] as Extract<HarnessEvent, { type: 'session.start' }>),
  feature: null,
  session: 4,
  prompt: 'lead-developer',
};

test('in a flow the first line tells role, phase, round and retry', () => {
  const status = [PHASE, ROLE].reduce(foldStatus, IDLE);
  expect(statusLines(status, frame({ columns: 80 }))[0]).toBe('lead-developer · Generate — in progress · round 2/3 · retry 1 · session 4');
  expect(statusLines(status, frame({ columns: 50 }))[0]).toBe('lead-developer · 2 min 5 s');
  const next = foldStatus(status, { ...PHASE, label: 'Verify — running checks', retry: undefined } as HarnessEvent);
  expect(statusLines(next, frame())[0]).toBe('Verify — running checks · round 2/3 · session 4');
});

test.each([
  ['ko', '라운드 2/3', '토큰'],
  ['ja', 'ラウンド 2/3', 'トークン'],
  ['zh', '第 2/3 轮', '令牌'],
  ['es', 'ronda 2/3', 'esperando una respuesta a workflow.spec'],
  ['de-AT', 'Runde 2/3', 'wartet auf eine Antwort zu workflow.spec'],
  ['fr', 'round 2/3', 'waiting for an answer to workflow.spec'],
])('the words of the footer are those of the user: %s', (language, ...words) => {
  const asked = { type: 'gate.asked', gate: { id: 'workflow.spec' } } as HarnessEvent;
  const status = [{ ...PHASE, language } as HarnessEvent, ROLE, { ...events[1]!, session: 4 } as HarnessEvent, asked].reduce(
    foldStatus,
    IDLE,
  );
  for (const word of words) expect(statusLines(status, frame()).join('\n')).toContain(word);
});

test('waiting for a person or the provider is told from work', () => {
  const asked = { type: 'gate.asked', gate: { id: 'workflow.spec' } } as HarnessEvent;
  const answered = { type: 'gate.answered', id: 'workflow.spec', option: null, text: null, by: 'person' } as HarnessEvent;
  const limit = {
    type: 'session.limit',
    session: 1,
    kind: 'usage',
    level: 'warn',
    message: '',
    until: '2026-01-01T00:00:00Z',
  } as HarnessEvent;
  const waits = (...more: HarnessEvent[]): boolean => [PHASE, ROLE, ...more].reduce(foldStatus, IDLE).waits;
  expect([
    waits(),
    waits(asked),
    waits(asked, answered),
    waits(limit),
    waits(limit, events[1]!),
    waits({ ...asked, left: true } as HarnessEvent),
  ]).toEqual([false, true, false, true, false, false]);
});
