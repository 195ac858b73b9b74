/** One turn of the agent: read its events, tell them, let the monitors see them, do what they say. */
import type { AgentConversation, AgentEnd, AgentEvent } from '../agents/contract.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import type { ActionFollower } from './follow-actions.ts';
import type { Ledger } from './ledger.ts';
import type { Directive, Watch } from './monitor.ts';
import { ENDED_BY_WORD, INTERRUPTED, PAUSED, type SessionInput, type Stop } from './contract.ts';
import type { WatchClock } from './watch-clock.ts';

export interface Watched {
  platform: Platform;
  input: SessionInput;
  watch: Watch;
  ledger: Ledger;
  actions: ActionFollower;
  time: WatchClock;
  lastFilesLook: number;
  /** A tick is still at work. */
  busy: boolean;
}

export interface TurnStart {
  /** A conversation that was never spoken to. */
  fresh: boolean;
  prompt: string;
  /** The turn that a usage limit ended goes on; nothing is said. */
  resumed: boolean;
}

export interface WatchedTurn {
  stop: Stop | null;
  /** Whether the agent did anything at all. */
  worked: boolean;
  /** Whether it used a tool. */
  acted: boolean;
}

interface Turn extends WatchedTurn {
  over: boolean;
  stopping: Promise<void> | null;
  /** Why the turn ends when the agent ends it: it was told to wrap up. */
  wrapUp: Stop | null;
  /** Tools at work: what is said reaches the agent with a tool's result. */
  tools: Set<string>;
  /** One look at what people say follows the other. */
  hearing: Promise<void>;
  /** When the request under way began, for traces. */
  requestAt: number;
  /** Set while the agent waits for its provider: lets the session's time run again. */
  waiting: { until: number; resume(): void } | null;
}

export async function runTurn(watched: Watched, conversation: AgentConversation, start: TurnStart): Promise<WatchedTurn> {
  const { input, watch, ledger, time } = watched;
  const begin = watched.platform.clock.monotonic();
  const turn: Turn = {
    stop: null,
    worked: false,
    acted: false,
    over: false,
    stopping: null,
    wrapUp: null,
    tools: new Set(),
    hearing: Promise.resolve(),
    requestAt: begin,
    waiting: null,
  };
  const end = (stop: Stop): void => {
    if (turn.over || !outranks(stop.reason, turn.stop)) return;
    turn.stop = stop;
    turn.stopping ??= conversation.stop();
  };
  const obey = (directives: Directive[]): void => {
    for (const directive of directives) {
      if (turn.stop === null || (directive.kind === 'stop' && outranks(directive.reason, turn.stop)))
        obeyOne(input, conversation, { directive, turn, end });
    }
  };
  const onAbort = (): void => end(INTERRUPTED);
  obey(watch.step({ kind: 'turn', fresh: start.fresh, at: time.now() }));
  if (input.signal.aborted) onAbort();
  input.signal.addEventListener('abort', onAbort, { once: true });
  const ticker = setInterval(() => void tick(watched, conversation, turn, { obey, end }), input.watch.tickMs);
  try {
    for await (const raw of turn.stop === null ? eventsOf(conversation, start) : []) {
      const event = ledger.account(raw);
      if (input.traces === true) trace(watched, turn, event);
      noteWaiting(watched, turn, event);
      reportEvent(input, event);
      watched.actions.see(event);
      if (watch.wantsFiles(event)) obey(watch.step({ kind: 'files', changed: await lookAtFiles(watched), at: time.now() }));
      obey(watch.step({ kind: 'event', event, at: time.now() }));
      if (event.type === 'end') turn.stop ??= stopFor(event.end, input, ledger) ?? turn.wrapUp;
      if (event.type === 'tool') turn.acted = true;
      noteTools(turn, event);
      if (event.type === 'tool' || event.type === 'tool_result') await hear(input, conversation, turn, end);
      await input.drained?.();
    }
  } finally {
    turn.over = true;
    turn.waiting?.resume();
    clearInterval(ticker);
    input.signal.removeEventListener('abort', onAbort);
  }
  await turn.stopping;
  const early = start.fresh && !turn.acted && watched.platform.clock.monotonic() - begin < AT_ONCE_MS;
  return { stop: early ? asDeath(turn.stop) : turn.stop, worked: turn.worked, acted: turn.acted };
}

/** A program that fails sooner than this, before its first tool, did not get as far as its task. */
const AT_ONCE_MS = 10_000;

function asDeath(stop: Stop | null): Stop | null {
  return stop?.reason === 'agent.failed' && stop.neverStarted !== true ? { ...stop, diedAtOnce: true } : stop;
}

function eventsOf(conversation: AgentConversation, start: TurnStart): AsyncIterable<AgentEvent> {
  return start.resumed && conversation.resume !== undefined ? conversation.resume() : conversation.turn(start.prompt);
}

async function tick(
  watched: Watched,
  conversation: AgentConversation,
  turn: Turn,
  { obey, end }: { obey: (directives: Directive[]) => void; end: (stop: Stop) => void },
): Promise<void> {
  const { platform, input, watch, time } = watched;
  if (turn.waiting !== null && platform.clock.now() >= turn.waiting.until) finishWaiting(turn);
  if (!time.isSuspended()) obey(watch.step({ kind: 'tick', at: time.now() }));
  if (watched.busy) return;
  watched.busy = true;
  try {
    if (await input.pauseRequested()) end(PAUSED);
    await hear(input, conversation, turn, end);
    await input.onTick?.();
  } catch {
    // What a tick could not find out, the next one can.
  } finally {
    watched.busy = false;
  }
}

/** Not every program says when a tool is done; one that speaks again has none at work. */
function noteTools({ tools }: Turn, event: AgentEvent): void {
  if (event.type === 'tool') tools.add(event.id);
  else if (event.type === 'tool_result') tools.delete(event.id);
  else if (event.type === 'text' || event.type === 'usage') tools.clear();
}

/**
 * What people say goes out with the result of a tool that is at work, so that it is certain to arrive; an agent that cannot be reached so hears
 * it with its next turn, or in the next session. A session that is to end does so between two tools.
 */
function hear(input: SessionInput, conversation: AgentConversation, turn: Turn, end: (stop: Stop) => void): Promise<void> {
  if (input.hearing === undefined) return turn.hearing;
  return (turn.hearing = turn.hearing.then(() => hearOnce(input, conversation, turn, end)).catch(() => {}));
}

async function hearOnce(input: SessionInput, conversation: AgentConversation, turn: Turn, end: (stop: Stop) => void): Promise<void> {
  const heard = (await input.hearing?.look()) ?? null;
  if (heard === null || turn.over || turn.stop !== null) return;
  if (heard.ends && turn.tools.size === 0) {
    end(ENDED_BY_WORD);
    await input.hearing?.ended();
  }
  if (heard.said === null || conversation.inject === undefined || turn.tools.size === 0 || turn.over) return;
  conversation.inject(heard.said);
  await input.hearing?.delivered(heard);
}

/** A retry stops the session's time until the provider wants to be asked again; whatever comes next lets it run. */
function noteWaiting(watched: Watched, turn: Turn, event: AgentEvent): void {
  finishWaiting(turn);
  if (event.type === 'retry') turn.waiting = { until: event.at, resume: watched.time.suspend() };
  else if (event.type !== 'end' && event.type !== 'warning') turn.worked = true;
}

function finishWaiting(turn: Turn): void {
  turn.waiting?.resume();
  turn.waiting = null;
}

async function lookAtFiles(watched: Watched): Promise<number> {
  const { input, ledger, platform } = watched;
  const since = watched.lastFilesLook;
  watched.lastFilesLook = platform.clock.now();
  const files = await input.changedFiles(since);
  if (input.traces === true)
    input.emit({
      type: 'progress.check',
      session: input.task.session,
      context_tokens: ledger.totals().context_tokens,
      files_changed: files,
    });
  return files;
}

/** A request lasts from the turn's beginning, or the last result of a tool, to its usage. */
function trace({ platform, input }: Watched, turn: Turn, event: AgentEvent): void {
  const now = platform.clock.monotonic();
  if (event.type === 'usage')
    input.emit({
      type: 'agent.request',
      session: input.task.session,
      latency_ms: Math.round(now - turn.requestAt),
      input_tokens: event.usage.input_tokens + event.usage.cache_creation_input_tokens + event.usage.cache_read_input_tokens,
      output_tokens: event.usage.output_tokens,
      context_tokens: event.context_tokens,
    });
  if (event.type === 'usage' || event.type === 'tool_result') turn.requestAt = now;
}

/** A silent agent is started again, so whatever else ends the session goes before that. */
function outranks(reason: Reason, current: Stop | null): boolean {
  return current === null || (current.reason === 'stalled' && reason !== 'stalled');
}

function obeyOne(
  input: SessionInput,
  conversation: AgentConversation,
  { directive, turn, end }: { directive: Directive; turn: Turn; end: (stop: Stop) => void },
): void {
  const session = input.task.session;
  if (directive.kind === 'note')
    input.emit({ type: 'session.limit', session, kind: directive.limit, level: 'info', message: directive.message });
  if (directive.kind === 'inject' || directive.kind === 'wrap_up') {
    conversation.inject?.(directive.text);
    input.emit({ type: 'session.inject', session, text: directive.text, delivered: conversation.inject !== undefined });
  }
  if (directive.kind !== 'stop' && directive.kind !== 'wrap_up') return;
  const { limit: kind, reason, message } = directive;
  const waits = directive.kind === 'wrap_up' && conversation.inject !== undefined;
  if (turn.wrapUp?.reason !== reason) input.emit({ type: 'session.limit', session, kind, level: 'stop', message });
  if (waits) turn.wrapUp = { reason, message, retryAt: null };
  else end({ reason, message, retryAt: null });
}

function stopFor(end: AgentEnd, input: SessionInput, ledger: Ledger): Stop | null {
  if (end.kind === 'finished') return null;
  if (end.kind === 'stopped') return { reason: 'agent.failed', message: 'the agent was stopped from outside', retryAt: null };
  const refusal = end.class === 'budget' ? ledger.refusal() : null;
  const message = refusal?.message ?? end.message;
  if (end.class !== 'budget') input.emit({ type: 'agent.error', session: input.task.session, message, class: end.class });
  else input.emit({ type: 'session.limit', session: input.task.session, kind: 'budget', level: 'stop', message });
  return {
    reason: refusal?.reason ?? REASON_OF[end.class],
    message,
    retryAt: end.retryAt,
    ...(end.class === 'start' ? { neverStarted: true } : {}),
  };
}

const REASON_OF: Readonly<Record<Extract<AgentEnd, { kind: 'failed' }>['class'], Reason>> = {
  auth: 'api.auth',
  unavailable: 'api.unavailable',
  usage_limit: 'usage_limit',
  context_too_long: 'context_limit',
  start: 'agent.failed',
  agent: 'agent.failed',
  budget: 'budget.session',
  aborted: 'interrupted',
};

const LONGEST_RESULT = 4_000;

/** An agent's event, told to whoever listens. */
function reportEvent(input: SessionInput, event: AgentEvent): void {
  const session = input.task.session;
  switch (event.type) {
    case 'text':
      input.heard(event.text);
      return input.emit({ type: 'agent.text', session, text: event.text, ...(event.aside === true ? { aside: true } : {}) });
    case 'tool':
      input.heard(JSON.stringify(event.input));
      return input.emit({ type: 'agent.tool', session, name: event.name, input: event.input });
    case 'tool_result':
      input.heard(event.output);
      return input.emit({ type: 'agent.result', session, name: event.name, ok: event.ok, output: event.output.slice(0, LONGEST_RESULT) });
    case 'usage':
      return input.emit({
        type: 'agent.usage',
        session,
        usage: event.usage,
        context_tokens: event.context_tokens,
        context_window: input.watch.context.windowTokens,
        cost_usd: event.cost_usd,
        ...(event.effort === undefined ? {} : { effort: event.effort }),
      });
    case 'retry':
      return input.emit({
        type: 'session.limit',
        session,
        kind: 'usage',
        level: 'warn',
        message: event.message,
        until: new Date(event.at).toISOString(),
      });
    case 'warning':
      return input.emit({ type: 'warning', message: event.message });
    case 'end':
      return;
  }
}
