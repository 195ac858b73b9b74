import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AgentBackend, AgentConversation, AgentEnd, AgentEvent, AgentHost, AgentTask } from '../agents/contract.ts';
import type { HarnessEvent } from '../domain/event.ts';
import { NO_USAGE, type Usage } from '../domain/money.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Session, SessionInput, WatchSettings } from './contract.ts';
import { openSession } from './run-agent.ts';

describe('what an agent says', () => {
  test('goes out in its order, with what the harness adds in its place', async () => {
    const { session, events, heard } = bench([
      [
        say('one'),
        tool('bash', { command: 'ls' }),
        result('bash', true, 'a.js'),
        usage(10),
        { type: 'warning', message: 'careful' },
        say('two'),
        finished,
      ],
    ]);
    expect(await session.turn('Go.')).toEqual({ stop: null });
    expect(events.map((event) => event.type)).toEqual(['agent.text', 'agent.tool', 'agent.result', 'agent.usage', 'warning', 'agent.text']);
    expect(heard).toEqual(['one', '{"command":"ls"}', 'a.js', 'two']);
    await session.close();
  });

  test('is cut in the event and kept whole for the evidence', async () => {
    const { session, events, heard } = bench([[result('bash', true, 'x'.repeat(10_000)), finished]]);
    await session.turn('Go.');
    expect(only(events, 'agent.result')[0]!.output).toHaveLength(4_000);
    expect(heard[0]).toHaveLength(10_000);
  });

  test('about a wait carries the time it ends', async () => {
    const { session, events } = bench([
      [{ type: 'retry', class: 'unavailable', message: 'overloaded', at: Date.UTC(2026, 0, 1) }, finished],
    ]);
    await session.turn('Go.');
    expect(events).toEqual([
      { type: 'session.limit', session: 7, kind: 'usage', level: 'warn', message: 'overloaded', until: '2026-01-01T00:00:00.000Z' },
    ]);
  });

  test('in a second turn belongs to the same conversation', async () => {
    const { session, agent } = bench([
      [say('one'), finished],
      [say('two'), finished],
    ]);
    expect(session.canAnswer()).toBe(false);
    await session.turn('Go.');
    expect(session.canAnswer()).toBe(true);
    await session.turn('Again.');
    expect(agent.log).toEqual(['start', 'turn Go.', 'turn Again.']);
    await session.close();
    expect(agent.log.at(-1)).toBe('stop');
  });
});

describe('how a turn ends', () => {
  const failure = (errorClass: Extract<AgentEnd, { kind: 'failed' }>['class']): AgentEvent => ({
    type: 'end',
    end: { kind: 'failed', class: errorClass, message: `broken: ${errorClass}`, retryAt: null },
  });

  test.each([
    ['auth', 'api.auth'],
    ['unavailable', 'api.unavailable'],
    ['usage_limit', 'usage_limit'],
    ['context_too_long', 'context_limit'],
    ['aborted', 'interrupted'],
  ] as const)('by the class %s is the reason %s, and it is told', async (errorClass, reason) => {
    const { session, events } = bench([[failure(errorClass)]]);
    expect(await session.turn('Go.')).toEqual({ stop: { reason, message: `broken: ${errorClass}`, retryAt: null } });
    expect(events).toEqual([{ type: 'agent.error', session: 7, message: `broken: ${errorClass}`, class: errorClass }]);
  });

  test.each([
    ['before its first tool', [], true],
    ['after a tool', [{ type: 'tool', id: '1', name: 'shell', input: {} }], undefined],
  ] as [string, AgentEvent[], true | undefined][])(
    'by a failure %s is told, and known as a death at once or not',
    async (_, first, atOnce) => {
      const { session, events } = bench([[...first, failure('agent')]]);
      expect((await session.turn('Go.')).stop).toEqual({
        reason: 'agent.failed',
        message: 'broken: agent',
        retryAt: null,
        ...(atOnce === undefined ? {} : { diedAtOnce: true }),
      });
      expect(events).toContainEqual({ type: 'agent.error', session: 7, message: 'broken: agent', class: 'agent' });
    },
  );

  test('from outside counts as a failure of the agent', async () => {
    const { session } = bench([[STOPPED]]);
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'agent.failed' });
  });
});

describe('a usage limit', () => {
  const limited =
    (inMs: number): Step =>
    () => [{ type: 'end', end: { kind: 'failed', class: 'usage_limit', message: 'limit reached', retryAt: Date.now() + inMs } }];
  const waits = (events: readonly HarnessEvent[]): (string | undefined)[] => only(events, 'session.limit').map((event) => event.until);

  test('with a known end is waited out, and a conversation that can go on does', async () => {
    const { session, agent, events } = bench(
      [
        [say('one'), limited(80)],
        [say('two'), finished],
      ],
      { resume: true },
    );
    const begin = Date.now();
    expect(await session.turn('Go.')).toEqual({ stop: null });
    expect(Date.now() - begin).toBeGreaterThanOrEqual(79);
    expect(agent.log).toEqual(['start', 'turn Go.', 'resume']);
    expect(waits(events)).toEqual([expect.stringMatching(/^2/), undefined]);
  });

  test('starts an agent again that cannot go on, with the same prompt and nothing left of the first', async () => {
    const { session, agent } = bench([[limited(30)], [say('two'), finished]]);
    expect(await session.turn('Go.')).toEqual({ stop: null });
    expect(agent.log).toEqual(['start', 'turn Go.', 'stop', 'start', 'turn Go.']);
  });

  test('costs no session time and is no silence', async () => {
    const { session } = bench(
      [[limited(200)], [say('two'), pause(20), finished]],
      {},
      { clock: { timeoutMs: 120, warningMs: 110 }, silenceMs: 100 },
    );
    expect(await session.turn('Go.')).toEqual({ stop: null });
  });

  test('inside the agent costs none either, but only until the time that was named', async () => {
    const retry: Step = () => [{ type: 'retry', class: 'usage_limit', message: 'slow down', at: Date.now() + 150 }];
    const calm = bench([[retry, pause(150), say('two'), finished]], {}, { silenceMs: 100 });
    expect(await calm.session.turn('Go.')).toEqual({ stop: null });
    const hung = bench([[retry, HANG], [HANG]], {}, { silenceMs: 100 });
    expect((await hung.session.turn('Go.')).stop).toMatchObject({ reason: 'stalled' });
  });

  test('that comes again at once is asked about a few times, more and more slowly, and then ends the session', async () => {
    const now = bench([[say('work'), limited(-1)], [limited(-1)], [say('work'), limited(0)], [finished]], { resume: true });
    expect(await now.session.turn('Go.')).toEqual({ stop: null });
    expect(now.agent.log.filter((entry) => entry === 'resume')).toHaveLength(3);
  }, 20_000);

  test('that would end in years is not believed', async () => {
    const { session } = bench([[limited(400 * 86_400_000)]]);
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'usage_limit', retryAt: null });
  });

  test('is not waited for once a person pauses or interrupts', async () => {
    let asked = false;
    const paused = bench([[limited(60_000)]], { pauseRequested: async () => asked });
    setTimeout(() => (asked = true), 30);
    expect((await paused.session.turn('Go.')).stop).toMatchObject({ reason: 'user_pause' });
    const controller = new AbortController();
    const interrupted = bench([[limited(60_000)]], { signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    expect((await interrupted.session.turn('Go.')).stop).toMatchObject({ reason: 'interrupted' });
  });
});

describe('the actions of an agent', () => {
  const all = { prefixes: true, fallback: true, warnOnMissing: true };

  test('are told from its prefixes and its tool calls, each once', async () => {
    const { session, events } = bench(
      [
        [
          say('[CMD:RUN] npm test\n[DECISION] PATCH, not PUT'),
          tool('bash', { command: 'npm test' }),
          tool('write', { path: 'a.js' }),
          finished,
        ],
      ],
      { actions: all },
    );
    await session.turn('Go.');
    expect(only(events, 'agent.action').map((event) => event.action)).toEqual([
      { kind: 'cmd_run', cmd: 'npm test' },
      { kind: 'decision', text: 'PATCH, not PUT' },
      { kind: 'file_write', path: 'a.js' },
    ]);
    expect(only(events, 'decision')).toEqual([{ type: 'decision', session: 7, text: 'PATCH, not PUT', by: 'agent' }]);
    expect(only(events, 'warning').filter((event) => event.message.includes('[CMD:RUN]'))).toEqual([]);
  });

  test('without any prefix are mentioned once in a session', async () => {
    const { session, events } = bench([[say('hello'), finished], [finished]], { actions: all });
    await session.turn('Go.');
    await session.turn('Again.');
    expect(only(events, 'warning').filter((event) => event.message.includes('[CMD:RUN]'))).toHaveLength(1);
  });

  test('are left alone where the settings say so', async () => {
    const { session, events } = bench([[say('[CMD:RUN] npm test'), tool('bash', { command: 'npm test' }), finished]]);
    await session.turn('Go.');
    expect(only(events, 'agent.action')).toEqual([]);
  });
});

describe('a limit', () => {
  test('injects its text and says that it was delivered', async () => {
    const { session, agent, events } = bench([[usage(800), say('ok'), finished]]);
    await session.turn('Go.');
    expect(agent.injected).toHaveLength(1);
    expect(only(events, 'session.inject')).toEqual([{ type: 'session.inject', session: 7, text: agent.injected[0], delivered: true }]);
    expect(events.map((event) => event.type)).toEqual(['agent.usage', 'session.inject', 'agent.text']);
  });

  test('is declared undelivered where the agent cannot be reached', async () => {
    const { session, agent, events } = bench([[usage(800), finished]], { inject: false });
    await session.turn('Go.');
    expect(agent.injected).toEqual([]);
    expect(only(events, 'session.inject')).toMatchObject([{ delivered: false, text: expect.stringContaining('75%') }]);
  });

  test('that stops ends the conversation and is told once, whatever the agent still says', async () => {
    const { session, agent, events } = bench(
      [[usage(1_000), usage(2_000, 50), say('still here'), usage(3_000, 50), finished]],
      {},
      { budget: { perSession: 10, perFeature: null, perProject: null, featureSpent: 0, projectSpent: 0 } },
    );
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'context_limit' });
    expect(agent.log.filter((entry) => entry === 'stop')).toHaveLength(1);
    expect(only(events, 'session.limit').filter((event) => event.level === 'stop')).toHaveLength(1);
    expect(only(events, 'agent.text')).toHaveLength(1);
    expect(session.totals().cost_usd).toBe(100);
  });

  test('injects nothing into an agent that is being stopped', async () => {
    const { session, agent } = bench(
      [[usage(10, 20), usage(800), finished]],
      {},
      { budget: { perSession: 10, perFeature: null, perProject: null, featureSpent: 0, projectSpent: 0 } },
    );
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'budget.session' });
    expect(agent.injected).toEqual([]);
  });

  test('of time ends an agent that works without end', async () => {
    const { session, events } = bench([forever(say('working'))], {}, { clock: { timeoutMs: 80, warningMs: 40 } });
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'timeout' });
    expect(only(events, 'session.inject')).toHaveLength(1);
    expect(only(events, 'session.limit')).toMatchObject([{ kind: 'time', level: 'stop' }]);
  });

  test('of progress asks for changed files only when a look is due, and each time for those since the last', async () => {
    const asked: number[] = [];
    const { session, agent } = bench(
      [[usage(10), usage(90), usage(100), usage(150), usage(200), finished]],
      { changedFiles: async (since) => (asked.push(since), 1) },
      { progress: { ...WATCH.progress, intervalTokens: 100 } },
    );
    expect(await session.turn('Go.')).toEqual({ stop: null });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toBeGreaterThanOrEqual(asked[0]!);
    expect(agent.injected).toEqual([]);
  });

  test('of progress stops an agent that never does anything', async () => {
    const { session } = bench([[usage(100), usage(200), finished]], {}, { progress: { ...WATCH.progress, intervalTokens: 100 } });
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'stuck' });
  });

  test.each([
    ['writes down what blocks it and ends', [10, 20, 30, 40, 50], { inject: true }, 0],
    ['goes on all the same', [10, 20, 30, 40, 50, 60], { inject: true }, 1],
    ['cannot be told', [10, 20], { inject: false }, 1],
  ])('of progress ends one that %s, and tells of it once', async (_, idle, options, stops) => {
    const turn = [...idle.map((tokens) => usage(tokens)), finished];
    const { session, agent, events } = bench([turn], options, { progress: { ...WATCH.progress, intervalTokens: 10 } });
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'stuck' });
    expect(agent.log.filter((entry) => entry === 'stop')).toHaveLength(stops);
    expect(only(events, 'session.limit')).toMatchObject([{ kind: 'progress', level: 'stop' }]);
    expect(only(events, 'session.inject')).toMatchObject([
      {},
      { text: expect.stringContaining('what blocks you'), delivered: options.inject },
    ]);
  });
});

describe('a silent agent', () => {
  test('is stopped and started once more, with the same prompt', async () => {
    const { session, agent, events } = bench(
      [
        [say('hm'), HANG],
        [say('here again'), finished],
      ],
      {},
      { silenceMs: 60 },
    );
    expect(await session.turn('Go.')).toEqual({ stop: null });
    expect(agent.log).toEqual(['start', 'turn Go.', 'stop', 'start', 'turn Go.']);
    expect(only(events, 'session.limit').map((event) => event.level)).toEqual(['stop', 'warn']);
  });

  test('that falls silent again ends the session as stalled', async () => {
    const { session, agent } = bench([[HANG], [HANG]], {}, { silenceMs: 60 });
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'stalled', retryAt: null });
    expect(agent.log).toEqual(['start', 'turn Go.', 'stop', 'start', 'turn Go.', 'stop']);
  });

  test('is started anew once in a session, not once in a turn', async () => {
    const { session, agent } = bench([[HANG], [finished], [HANG]], {}, { silenceMs: 60 });
    expect(await session.turn('Go.')).toEqual({ stop: null });
    expect((await session.turn('Again.')).stop).toMatchObject({ reason: 'stalled' });
    expect(agent.log.filter((entry) => entry === 'start')).toHaveLength(2);
  });

  test('is not one that waited for the harness between two turns', async () => {
    const { session, agent } = bench([[finished], [say('thinking'), pause(30), finished]], {}, { silenceMs: 80 });
    await session.turn('Go.');
    await delay(200);
    expect(await session.turn('Again.')).toEqual({ stop: null });
    expect(agent.log).toEqual(['start', 'turn Go.', 'turn Again.']);
  });

  test('is not started again when something else ends the session while it is stopped', async () => {
    const controller = new AbortController();
    const { session, agent } = bench(
      [[HANG], [finished]],
      { signal: controller.signal, stopMs: 60, onStop: () => void setTimeout(() => controller.abort(), 10) },
      { silenceMs: 40 },
    );
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'interrupted' });
    expect(agent.log).toEqual(['start', 'turn Go.', 'stop']);
  });

  test('has a new context window when it is started again', async () => {
    const { session, agent } = bench(
      [
        [usage(950), HANG],
        [usage(760), usage(910), finished],
      ],
      {},
      { silenceMs: 60 },
    );
    await session.turn('Go.');
    expect(agent.injected.map((text) => /\d+%/.exec(text)?.[0])).toEqual(['90%', '75%', '90%']);
  });
});

describe('a person', () => {
  test('who interrupts stops the agent at once', async () => {
    const controller = new AbortController();
    const { session, agent } = bench([[say('working'), HANG]], { signal: controller.signal });
    const turn = session.turn('Go.');
    setTimeout(() => controller.abort(), 30);
    expect((await turn).stop).toEqual({
      reason: 'interrupted',
      message: 'interrupted by the user; the state is saved, and the same command continues',
      retryAt: null,
    });
    expect(agent.log.at(-1)).toBe('stop');
  });

  test('who interrupted before the start gets no agent at all', async () => {
    const { session, agent } = bench([[finished]], { signal: AbortSignal.abort() });
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'interrupted' });
    expect(agent.log).toEqual([]);
  });

  test('who interrupts while the agent is started stops it before its turn', async () => {
    const controller = new AbortController();
    const { session, agent } = bench([[finished]], { signal: controller.signal, onStart: () => controller.abort() });
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'interrupted' });
    expect(agent.log).toEqual(['start', 'stop']);
  });

  test('who asks for a pause gets it at the next tick', async () => {
    let asked = false;
    const { session } = bench([[say('working'), HANG]], { pauseRequested: async () => asked });
    setTimeout(() => (asked = true), 30);
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'user_pause' });
  });

  test('whose pause comes when the turn is over does not end the conversation behind the back of the next', async () => {
    const { session, agent } = bench(
      [
        [pause(30), finished],
        [say('two'), finished],
      ],
      { pauseRequested: () => delay(60, true) },
    );
    expect(await session.turn('Go.')).toEqual({ stop: null });
    await delay(80);
    expect(agent.log).toEqual(['start', 'turn Go.']);
  });

  test('whose pause file cannot be read does not bring the harness down', async () => {
    const { session } = bench([[pause(40), finished]], { pauseRequested: () => Promise.reject(new Error('EACCES')) });
    expect(await session.turn('Go.')).toEqual({ stop: null });
  });
});

describe('money', () => {
  const spent: Usage = {
    input_tokens: 1_000_000,
    output_tokens: 500_000,
    cache_read_input_tokens: 2_000_000,
    cache_creation_input_tokens: 0,
  };
  const price = { input: 2, output: 10, cache_read: 0.5 };
  const using = (cost_usd: number | null): AgentEvent => ({ type: 'usage', usage: spent, context_tokens: 10, cost_usd, estimated: false });

  test('is counted by the price list, where the agent reports none', async () => {
    const { session, events } = bench([[using(null), using(null), finished]], { price });
    await session.turn('Go.');
    expect(session.totals()).toEqual({
      usage: { input_tokens: 2_000_000, output_tokens: 1_000_000, cache_read_input_tokens: 4_000_000, cache_creation_input_tokens: 0 },
      cost_usd: 16,
      context_tokens: 10,
    });
    expect(only(events, 'agent.usage').map((event) => event.cost_usd)).toEqual([8, 8]);
    expect(only(events, 'warning')).toEqual([]);
  });

  test('is what the agent reports, where it does', async () => {
    const { session } = bench([[using(3), using(0), finished]], { price });
    await session.turn('Go.');
    expect(session.totals().cost_usd).toBe(3);
  });

  test('that nobody knows is unknown, never zero, and that is said once', async () => {
    const { session, events } = bench([
      [using(null), using(null), finished],
      [using(null), finished],
    ]);
    await session.turn('Go.');
    await session.turn('Again.');
    expect(session.totals().cost_usd).toBeNull();
    expect(only(events, 'warning')).toMatchObject([{ message: expect.stringContaining('"model-x"') }]);
  });

  test('decides before each request whether it may be sent, and names the budget that refused it', async () => {
    const budget = { perSession: 100, perFeature: null, perProject: 15, featureSpent: 0, projectSpent: 1 };
    const asking =
      (input_tokens: number): Step =>
      (host) => [say(host.beforeRequest!({ input_tokens }))];
    const refusedEnd: AgentEvent = {
      type: 'end',
      end: { kind: 'failed', class: 'budget', message: 'the budget does not allow another request', retryAt: null },
    };
    const { session, events } = bench([[asking(1_000), using(null), asking(1_000), asking(2_000_000), refusedEnd]], { price }, { budget });
    expect((await session.turn('Go.')).stop).toMatchObject({ reason: 'budget.project' });
    expect(only(events, 'agent.text').map((event) => event.text)).toEqual(['go', 'go', 'stop']);
  });

  test('of a session is given out even while it runs, and cannot be changed from outside', async () => {
    const { session } = bench([[using(2), finished]], { price });
    session.totals().cost_usd = 99;
    expect(session.totals().cost_usd).toBeNull();
    await session.turn('Go.');
    expect(session.totals().cost_usd).toBe(2);
  });
});

type Step = AgentEvent | ((host: AgentHost, stopped: AbortSignal) => AgentEvent[] | Promise<AgentEvent[]>);

const WATCH: WatchSettings = {
  context: { windowTokens: 1_000, warnThreshold: 0.75, forceThreshold: 0.9 },
  clock: { timeoutMs: 60_000, warningMs: 50_000 },
  progress: { intervalTokens: 1_000_000, stuckWarning: 'Stuck?', stopAfter: 2, maxRepeatedErrors: 5 },
  budget: { perSession: null, perFeature: null, perProject: null, featureSpent: 0, projectSpent: 0 },
  silenceMs: 60_000,
  tickMs: 10,
};

const finished: AgentEvent = { type: 'end', end: { kind: 'finished' } };
const STOPPED: AgentEvent = { type: 'end', end: { kind: 'stopped' } };

/** Says nothing until it is stopped. */
const HANG: Step = async (_, stopped) => {
  if (!stopped.aborted) await new Promise((resolve) => stopped.addEventListener('abort', resolve, { once: true }));
  return [STOPPED];
};

function pause(ms: number): Step {
  return async () => (await delay(ms), []);
}

/** The same event again and again until it is stopped. */
function forever(event: AgentEvent): Step[] {
  return Array<Step>(500).fill(async (_, stopped) => (await delay(5), [stopped.aborted ? STOPPED : event]));
}

function say(text: string): AgentEvent {
  return { type: 'text', text };
}

function tool(name: string, input: Record<string, unknown>): AgentEvent {
  return { type: 'tool', id: '1', name, input };
}

function result(name: string, ok: boolean, output: string): AgentEvent {
  return { type: 'tool_result', id: '1', name, ok, output };
}

function usage(context_tokens: number, cost_usd: number | null = 0): AgentEvent {
  return { type: 'usage', usage: NO_USAGE, context_tokens, cost_usd, estimated: false };
}

function only<Type extends HarnessEvent['type']>(events: readonly HarnessEvent[], type: Type): Extract<HarnessEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<HarnessEvent, { type: Type }> => event.type === type);
}

interface FakeAgent {
  log: string[];
  injected: string[];
}

interface BenchOptions extends Partial<
  Pick<SessionInput, 'price' | 'signal' | 'pauseRequested' | 'changedFiles' | 'actions' | 'onTick' | 'drained'>
> {
  inject?: boolean;
  resume?: boolean;
  /** How long the agent takes to stop. */
  stopMs?: number;
  onStart?(): void;
  onStop?(): void;
}

function bench(
  turns: readonly (readonly Step[])[],
  options: BenchOptions = {},
  watch: Partial<WatchSettings> = {},
): { session: Session; agent: FakeAgent; events: HarnessEvent[]; heard: string[] } {
  const agent: FakeAgent = { log: [], injected: [] };
  const events: HarnessEvent[] = [];
  const heard: string[] = [];
  const session = openSession(nodePlatform({}), {
    backend: fakeBackend(agent, turns, options),
    task: { session: 7, model: 'model-x' } as AgentTask,
    price: options.price ?? null,
    watch: { ...WATCH, ...watch },
    emit: (event) => events.push(event),
    heard: (text) => heard.push(text),
    signal: options.signal ?? new AbortController().signal,
    pauseRequested: options.pauseRequested ?? (async () => false),
    changedFiles: options.changedFiles ?? (async () => 0),
    actions: options.actions ?? { prefixes: false, fallback: false, warnOnMissing: false },
    ...(options.onTick === undefined ? {} : { onTick: options.onTick }),
    ...(options.drained === undefined ? {} : { drained: options.drained }),
  });
  return { session, agent, events, heard };
}

/** An agent at our own seam: each turn, in whichever conversation, plays the next of the given ones. */
function fakeBackend(agent: FakeAgent, turns: readonly (readonly Step[])[], options: BenchOptions): AgentBackend {
  let played = 0;
  return {
    name: 'fake',
    usage: 'exact',
    check: async () => ({ name: 'fake', found: true, version: null, can_start: true, detail: '', install: null }),
    start: async (_, host): Promise<AgentConversation> => {
      agent.log.push('start');
      options.onStart?.();
      const stopped = new AbortController();
      async function* play(what: string): AsyncGenerator<AgentEvent> {
        agent.log.push(what);
        for (const step of turns[played++] ?? []) {
          const events = typeof step === 'function' ? await step(host, stopped.signal) : [step];
          yield* events;
          if (events.some((event) => event.type === 'end')) return;
        }
      }
      return {
        manyTurns: true,
        ...(options.inject === false ? {} : { inject: (text: string) => void agent.injected.push(text) }),
        ...(options.resume === true ? { resume: () => play('resume') } : {}),
        turn: (prompt) => play(`turn ${prompt}`),
        stop: async () => {
          agent.log.push('stop');
          options.onStop?.();
          await delay(options.stopMs ?? 0);
          stopped.abort();
        },
      };
    },
  };
}
