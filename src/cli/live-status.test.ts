import { expect, test } from 'vitest';
import { displayWidth } from '../domain/display-width.ts';
import type { HarnessEvent } from '../domain/event.ts';
import { NO_USAGE } from '../domain/money.ts';
import { foldWatch, NOTHING, type Watch } from '../reading/watch.ts';
import { isWaiting, statusLines, type Frame } from './live-status.ts';

const started = (session: number, feature: number | null, lane?: string): HarnessEvent => ({
  type: 'session.start',
  session,
  feature,
  prompt: 'coding',
  backend: 'anthropic',
  model: 'm',
  workspace: '/w',
  ...(lane === undefined ? {} : { lane }),
});
const used = (session: number, context: number, cost: number): HarnessEvent => ({
  type: 'agent.usage',
  session,
  usage: NO_USAGE,
  context_tokens: context,
  context_window: 200_000,
  cost_usd: cost,
});
const acting = (session: number, command: string): HarnessEvent => ({ type: 'agent.tool', session, name: 'shell', input: { command } });
const after = (...events: HarnessEvent[]): Watch => events.reduce((watch, event) => foldWatch(watch, event, 0), NOTHING);
const frame = (change: Partial<Frame> = {}): Frame => ({ elapsedMs: 125_000, now: 0, columns: 110, rows: 40, budget: null, ...change });
const ALONE = [started(1, 12), used(1, 40_000, 0.2), used(1, 50_400, 0.3)];

test('one line a lane: what is done, context and money against their limits, time', () => {
  const [line, ...more] = statusLines(after(...ALONE, acting(1, 'npm test')), frame({ budget: 1 }));
  expect(line).toMatch(/^#12 session 1 {2}› shell npm test +\[##------\] 50k\/200k {2}\[####----\] \$0\.50\/\$1\.00 {2}2 min 5 s$/);
  expect(more).toEqual([]);
  const lanes = [started(1, 7, 'lane-1'), started(2, 11, 'lane-2'), acting(1, 'ls'), used(2, 100_000, 0.1), acting(2, 'npm test')];
  expect(statusLines(after(...lanes), frame()).map((text) => text.slice(0, 32))).toEqual([
    '#7 session 1   › shell ls       ',
    '#11 session 2  › shell npm test ',
  ]);
});

test('forty columns keep every figure', () => {
  const [line] = statusLines(after(...ALONE, acting(1, 'npm test -- --reporter=verbose')), frame({ columns: 40 }));
  expect(line).toMatch(/^#12 {2}› shell np\S* {2}25% \$0\.50 2 min 5 s$/);
});

test('more lanes than rows are counted', () => {
  const lanes = Array.from({ length: 9 }, (_, at) => started(at + 1, at + 1, `lane-${at + 1}`));
  const lines = statusLines(after(...lanes), frame({ rows: 10 }));
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toBe('+6');
});

test('verification names its last check, and the end of a session its outcome', () => {
  const judged: HarnessEvent[] = [
    { type: 'verify.start', session: 1, feature: 12, tree: 't' },
    { type: 'verify.check', name: 'regression', title: 'existing tests', state: 'passed', detail: '', duration_ms: 1 },
  ];
  expect(statusLines(after(...ALONE, ...judged), frame())[0]).toContain('verifying: existing tests passed');
  const ended = {
    type: 'session.end',
    session: 1,
    feature: 12,
    outcome: 'verified',
    reasons: [],
    duration_ms: 1,
    cost_usd: 0.5,
  } as HarnessEvent;
  expect(statusLines(after(...ALONE, ...judged, ended), frame())).toEqual(['session 1 · verified · 2 min 5 s']);
});

test('a wait shows what is left of it, and is over with the next sign of the agent', () => {
  const until = new Date(3_725_000).toISOString();
  const limit: HarnessEvent = { type: 'session.limit', session: 1, kind: 'usage', level: 'warn', message: 'limit', until };
  const waiting = after(...ALONE, limit);
  expect(statusLines(waiting, frame({ now: 0 }))[0]).toContain('waiting for the provider: 1 h 2 min left, until');
  expect(statusLines(waiting, frame({ now: 3_724_100 }))[0]).toContain('1 s left');
  expect(statusLines(after(...ALONE, limit, { type: 'agent.text', session: 1, text: 'on' }), frame())[0]).toContain('agent at work');
});

test('what an agent names its tools and files cannot reach the terminal as a command', () => {
  const hostile: HarnessEvent = { type: 'agent.tool', session: 1, name: 'sh\u001b[2Jell', input: { command: 'a\u202eb\n\u009b31mc' } };
  expect(statusLines(after(...ALONE, hostile), frame())[0]).toMatch(/^#12 session 1 {2}› shell ab c {2}/);
});

test('a new session starts from nothing', () => {
  expect(after(...ALONE, started(2, 13)).lanes).toMatchObject([{ session: 2, feature: 13, context_tokens: 0, cost_usd: null }]);
});

test.each([1, 2, 10, 40, 59, 60, 80])('no line ever reaches the edge of a terminal of %i columns', (columns) => {
  for (const command of ['npm test', '日本語'.repeat(40), '🎉'.repeat(60)])
    for (const line of statusLines(after(PHASE, ...ALONE, acting(1, command)), frame({ columns, budget: 10 })))
      expect(displayWidth(line)).toBeLessThan(columns);
});

const PHASE: HarnessEvent = {
  type: 'flow.phase',
  flow: 'workflow',
  phase: 'generating',
  label: 'Generate — in progress',
  round: { number: 2, of: 3 },
  retry: 1,
};
const ROLE = { ...started(4, null), prompt: 'lead-developer' } as HarnessEvent;

test('in a flow a line above the lanes tells phase, round and retry', () => {
  const lines = statusLines(after(PHASE, ROLE), frame({ columns: 80 }));
  expect(lines[0]).toBe('Generate — in progress · round 2/3 · retry 1');
  expect(lines[1]).toMatch(/^lead-developer session 4 {2}agent at work +2 min 5 s$/);
  expect(statusLines(after(PHASE, ROLE), frame({ columns: 50 }))).toHaveLength(1);
});

test.each([
  ['ko', '라운드 2/3', 'workflow.spec 답변'],
  ['ja', 'ラウンド 2/3', 'workflow.spec への回答'],
  ['zh', '第 2/3 轮', 'workflow.spec 的回答'],
  ['es', 'ronda 2/3', 'esperando una respuesta a workflow.spec'],
  ['de-AT', 'Runde 2/3', 'wartet auf eine Antwort zu workflow.spec'],
  ['fr', 'round 2/3', 'waiting for an answer to workflow.spec'],
])('the words are those of the user: %s', (language, ...words) => {
  const asked = { type: 'gate.asked', gate: { id: 'workflow.spec' } } as HarnessEvent;
  const watch = after({ ...PHASE, language } as HarnessEvent, ROLE, used(4, 10, 0.1), asked);
  for (const word of words) expect(statusLines(watch, frame()).join('\n')).toContain(word);
});

test('waiting for a person or the provider is told from work', () => {
  const asked = { type: 'gate.asked', gate: { id: 'workflow.spec' } } as HarnessEvent;
  const answered = { type: 'gate.answered', id: 'workflow.spec', option: null, text: null, by: 'person' } as HarnessEvent;
  const until = '2026-01-01T00:00:00Z';
  const limit = { type: 'session.limit', session: 4, kind: 'usage', level: 'warn', message: '', until } as HarnessEvent;
  const waits = (...more: HarnessEvent[]): boolean => isWaiting(after(PHASE, ROLE, ...more));
  expect([
    waits(),
    waits(asked),
    waits(asked, answered),
    waits(limit),
    waits(limit, used(4, 1, 0.1)),
    waits({ ...asked, left: true } as HarnessEvent),
  ]).toEqual([false, true, false, true, false, false]);
});
