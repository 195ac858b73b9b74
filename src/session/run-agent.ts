/**
 * One agent under watch, turn by turn, until it ends.
 *
 * 1. Events go out in the order in which they came; monitors see each before the next is read.
 * 2. The first stop directive wins; the agent is stopped and its reason returned. After that nothing is injected and nothing told twice.
 * 3. Silence starts the agent once more; the second silence ends the session. So does anything else that comes up while a silent agent is stopped.
 * 4. Time in which the agent does not have the word is no silence; a new conversation is an empty context window.
 */
import type { AgentBackend, AgentConversation, AgentEnd, AgentEvent, AgentTask } from '../agents/contract.ts';
import type { HarnessEvent } from '../domain/event.ts';
import { addUsage, costOf, NO_USAGE, type Price, type Usage } from '../domain/money.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import { budgetMonitor, exhausted, type BudgetSettings } from './budget-monitor.ts';
import { clockMonitor, type ClockSettings } from './clock-monitor.ts';
import { contextMonitor, type ContextSettings } from './context-monitor.ts';
import { combine, type Directive, type Watch } from './monitor.ts';
import { progressMonitor, type ProgressSettings } from './progress-monitor.ts';
import { silenceMonitor } from './silence-monitor.ts';

export interface WatchSettings {
  context: ContextSettings;
  clock: ClockSettings;
  progress: Omit<ProgressSettings, 'windowTokens'>;
  budget: BudgetSettings;
  silenceMs: number;
  tickMs: number;
}

export interface SessionInput {
  backend: AgentBackend;
  task: AgentTask;
  price: Price | null;
  watch: WatchSettings;
  emit(event: HarnessEvent): void;
  /** Everything the agent said and everything its tools printed. */
  heard(text: string): void;
  /** The user's interrupt. */
  signal: AbortSignal;
  /** Asked at each tick: has a person asked for a pause? */
  pauseRequested(): Promise<boolean>;
  /** Files changed in the workspace since the given time; asked only when a progress look is due. */
  changedFiles(sinceMs: number): Promise<number>;
}

export interface TurnResult {
  /** null: the agent finished by itself. */
  stop: { reason: Reason; message: string; retryAt: number | null } | null;
}

export interface Totals {
  usage: Usage;
  cost_usd: number | null;
  context_tokens: number;
}

export interface Session {
  turn(prompt: string): Promise<TurnResult>;
  /** Whether a refused claim can be answered in the same conversation. */
  canAnswer(): boolean;
  totals(): Totals;
  close(): Promise<void>;
}

export function openSession(platform: Platform, input: SessionInput): Session {
  const ledger = openLedger(input);
  const { context, clock, progress, budget, silenceMs } = input.watch;
  const watch = combine([
    contextMonitor(context),
    clockMonitor(clock),
    progressMonitor({ ...progress, windowTokens: context.windowTokens }),
    budgetMonitor(budget),
    silenceMonitor(silenceMs),
  ] as never);
  const watched: Watched = { platform, input, watch, ledger, lastFilesLook: platform.clock.now() };
  let conversation: AgentConversation | null = null;
  let restarted = false;

  const turnOnce = async (prompt: string): Promise<TurnResult> => {
    const fresh = conversation === null;
    conversation ??= await input.backend.start(input.task, { platform, beforeRequest: ledger.beforeRequest });
    return await runTurn(watched, conversation, fresh, prompt);
  };

  return {
    canAnswer: () => conversation?.manyTurns ?? false,
    totals: () => ({ ...ledger.totals }),
    close: async () => conversation?.stop(),
    turn: async (prompt) => {
      if (input.signal.aborted) return { stop: INTERRUPTED };
      const result = await turnOnce(prompt);
      if (result.stop?.reason !== 'stalled' || restarted) return result;
      restarted = true;
      input.emit({ type: 'session.limit', session: input.task.session, kind: 'silence', level: 'warn', message: `${result.stop.message}: starting it once more` });
      conversation = null;
      return await turnOnce(prompt);
    },
  };
}

const INTERRUPTED: NonNullable<TurnResult['stop']> = { reason: 'interrupted', message: 'interrupted by the user', retryAt: null };

interface Ledger {
  totals: Totals;
  /** The event with its cost, after it was added to the totals. */
  account(event: AgentEvent): AgentEvent;
  beforeRequest(estimate: { input_tokens: number }): 'go' | 'stop';
  /** The budget for which a request was not sent. */
  refusedFor(): Reason | null;
}

function openLedger(input: SessionInput): Ledger {
  const totals: Totals = { usage: NO_USAGE, cost_usd: null, context_tokens: 0 };
  let saidUnknownCost = false;
  let refusedFor: Reason | null = null;
  return {
    totals,
    refusedFor: () => refusedFor,
    account: (event) => {
      if (event.type !== 'usage') return event;
      const cost = event.cost_usd ?? (input.price === null ? null : costOf(event.usage, input.price));
      totals.usage = addUsage(totals.usage, event.usage);
      totals.context_tokens = event.context_tokens;
      if (cost !== null) totals.cost_usd = (totals.cost_usd ?? 0) + cost;
      else if (!saidUnknownCost) {
        saidUnknownCost = true;
        input.emit({ type: 'warning', message: `the cost of this session is unknown: no price for model "${input.task.model}" (set prices in .harness.yaml) and none reported by the agent` });
      }
      return { ...event, cost_usd: cost };
    },
    beforeRequest: ({ input_tokens }) => {
      const next = input.price === null ? 0 : costOf({ ...NO_USAGE, cache_read_input_tokens: input_tokens }, input.price);
      refusedFor = exhausted(input.watch.budget, (totals.cost_usd ?? 0) + next)?.reason ?? null;
      return refusedFor === null ? 'go' : 'stop';
    },
  };
}

interface Watched {
  platform: Platform;
  input: SessionInput;
  watch: Watch;
  ledger: Ledger;
  lastFilesLook: number;
}

async function runTurn(watched: Watched, conversation: AgentConversation, fresh: boolean, prompt: string): Promise<TurnResult> {
  const { platform, input, watch, ledger } = watched;
  const { clock } = platform;
  const turn: TurnResult & { over: boolean; stopping: Promise<void> | null } = { stop: null, over: false, stopping: null };
  const end = (stop: NonNullable<TurnResult['stop']>): void => {
    if (turn.over || !outranks(stop.reason, turn.stop)) return;
    turn.stop = stop;
    turn.stopping ??= conversation.stop();
  };
  const obey = (directives: Directive[]): void => {
    for (const directive of directives) {
      if (turn.stop === null || (directive.kind === 'stop' && outranks(directive.reason, turn.stop))) obeyOne(input, conversation, directive, end);
    }
  };
  const onAbort = (): void => end(INTERRUPTED);
  obey(watch.step({ kind: 'turn', fresh, at: clock.monotonic() }));
  if (input.signal.aborted) onAbort();
  input.signal.addEventListener('abort', onAbort, { once: true });
  const ticker = setInterval(() => {
    obey(watch.step({ kind: 'tick', at: clock.monotonic() }));
    const pause = (asked: boolean): void => (asked ? end({ reason: 'user_pause', message: 'paused by the user', retryAt: null }) : undefined);
    input.pauseRequested().then(pause, () => {});
  }, input.watch.tickMs);
  try {
    for await (const raw of turn.stop === null ? conversation.turn(prompt) : []) {
      const event = ledger.account(raw);
      report(input, event);
      if (watch.wantsFiles(event)) {
        const since = watched.lastFilesLook;
        watched.lastFilesLook = clock.now();
        obey(watch.step({ kind: 'files', changed: await input.changedFiles(since), at: clock.monotonic() }));
      }
      obey(watch.step({ kind: 'event', event, at: clock.monotonic() }));
      if (event.type === 'end') turn.stop ??= stopFor(event.end, input, ledger);
    }
  } finally {
    turn.over = true;
    clearInterval(ticker);
    input.signal.removeEventListener('abort', onAbort);
  }
  await turn.stopping;
  return { stop: turn.stop };
}

/** A silent agent is started again, so whatever else ends the session goes before that. */
function outranks(reason: Reason, current: TurnResult['stop']): boolean {
  return current === null || (current.reason === 'stalled' && reason !== 'stalled');
}

function obeyOne(input: SessionInput, conversation: AgentConversation, directive: Directive, end: (stop: NonNullable<TurnResult['stop']>) => void): void {
  const session = input.task.session;
  if (directive.kind === 'note') input.emit({ type: 'session.limit', session, kind: directive.limit, level: 'info', message: directive.message });
  if (directive.kind === 'inject') {
    conversation.inject?.(directive.text);
    input.emit({ type: 'session.inject', session, text: directive.text, delivered: conversation.inject !== undefined });
  }
  if (directive.kind === 'stop') {
    input.emit({ type: 'session.limit', session, kind: directive.limit, level: 'stop', message: directive.message });
    end({ reason: directive.reason, message: directive.message, retryAt: null });
  }
}

function report(input: SessionInput, event: AgentEvent): void {
  const session = input.task.session;
  if (event.type === 'text') {
    input.heard(event.text);
    input.emit({ type: 'agent.text', session, text: event.text });
  }
  if (event.type === 'tool') {
    input.heard(JSON.stringify(event.input));
    input.emit({ type: 'agent.tool', session, name: event.name, input: event.input });
  }
  if (event.type === 'tool_result') {
    input.heard(event.output);
    input.emit({ type: 'agent.result', session, name: event.name, ok: event.ok, output: event.output.slice(0, 4_000) });
  }
  if (event.type === 'usage') {
    const window = input.watch.context.windowTokens;
    input.emit({ type: 'agent.usage', session, usage: event.usage, context_tokens: event.context_tokens, context_window: window, cost_usd: event.cost_usd });
  }
  if (event.type === 'retry') {
    input.emit({ type: 'session.limit', session, kind: 'usage', level: 'warn', message: event.message, until: new Date(event.at).toISOString() });
  }
  if (event.type === 'warning') input.emit({ type: 'warning', message: event.message });
}

function stopFor(end: AgentEnd, input: SessionInput, ledger: Ledger): TurnResult['stop'] {
  if (end.kind === 'finished') return null;
  if (end.kind === 'stopped') return { reason: 'agent.failed', message: 'the agent was stopped from outside', retryAt: null };
  const table: Record<typeof end.class, Reason> = {
    auth: 'api.auth',
    unavailable: 'api.unavailable',
    usage_limit: 'usage_limit',
    context_too_long: 'context_limit',
    agent: 'agent.failed',
    budget: ledger.refusedFor() ?? 'budget.session',
    aborted: 'interrupted',
  };
  input.emit({ type: 'agent.error', session: input.task.session, message: end.message, class: end.class });
  return { reason: table[end.class], message: end.message, retryAt: end.retryAt };
}
