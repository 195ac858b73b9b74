/**
 * One agent under watch, turn by turn, until it ends.
 *
 * 1. Events go out in the order in which they came; monitors see each before the next is read.
 * 2. The first stop directive wins; the agent is stopped and its reason returned.
 * 3. Silence starts the agent once more; the second silence ends the session.
 */
import type { AgentBackend, AgentConversation, AgentEnd, AgentEvent, AgentTask } from '../agents/contract.ts';
import type { HarnessEvent } from '../domain/event.ts';
import { addUsage, costOf, NO_USAGE, type Price, type Usage } from '../domain/money.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import { budgetMonitor, exhausted, type BudgetSettings } from './budget-monitor.ts';
import { clockMonitor, type ClockSettings } from './clock-monitor.ts';
import { contextMonitor, type ContextSettings } from './context-monitor.ts';
import { combine, type Directive, type WatchInput } from './monitor.ts';
import { progressMonitor, type ProgressSettings } from './progress-monitor.ts';
import { silenceMonitor } from './silence-monitor.ts';

export interface WatchSettings {
  context: ContextSettings;
  clock: ClockSettings;
  progress: ProgressSettings;
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
  const watch = combine([
    contextMonitor(input.watch.context),
    clockMonitor(input.watch.clock),
    progressMonitor(input.watch.progress),
    budgetMonitor(input.watch.budget),
    silenceMonitor(input.watch.silenceMs),
  ] as never);
  const totals: Totals = { usage: NO_USAGE, cost_usd: null, context_tokens: 0 };
  let conversation: AgentConversation | null = null;
  let restarted = false;
  let saidUnknownCost = false;

  const begin = async (): Promise<AgentConversation> => {
    const host = { platform, beforeRequest: (estimate: { input_tokens: number }) => affordable(input, totals, estimate.input_tokens) };
    return (conversation ??= await input.backend.start(input.task, host));
  };

  const account = (event: AgentEvent): AgentEvent => {
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
  };

  return {
    canAnswer: () => conversation?.manyTurns ?? false,
    totals: () => ({ ...totals }),
    close: async () => conversation?.stop(),
    turn: async (prompt) => {
      let result = await runTurn(platform, input, await begin(), watch, account, prompt);
      if (result.stop?.reason === 'stalled' && !restarted) {
        restarted = true;
        input.emit({ type: 'session.limit', session: input.task.session, kind: 'silence', level: 'warn', message: `${result.stop.message}: starting it once more` });
        conversation = null;
        result = await runTurn(platform, input, await begin(), watch, account, prompt);
      }
      return result;
    },
  };
}

function affordable(input: SessionInput, totals: Totals, inputTokens: number): 'go' | 'stop' {
  const next = input.price === null ? 0 : costOf({ ...NO_USAGE, cache_read_input_tokens: inputTokens }, input.price);
  return exhausted(input.watch.budget, (totals.cost_usd ?? 0) + next) === null ? 'go' : 'stop';
}

async function runTurn(
  platform: Platform,
  input: SessionInput,
  conversation: AgentConversation,
  watch: { step(input: WatchInput): Directive[] },
  account: (event: AgentEvent) => AgentEvent,
  prompt: string,
): Promise<TurnResult> {
  let stop: TurnResult['stop'] = null;
  let stopping: Promise<void> | null = null;
  const end = (reason: Reason, message: string, retryAt: number | null = null): void => {
    if (stop !== null) return;
    stop = { reason, message, retryAt };
    stopping = conversation.stop();
  };
  const obey = (directives: Directive[]): void => {
    for (const directive of directives) obeyOne(input, conversation, directive, end);
  };
  const onAbort = (): void => end('interrupted', 'interrupted by the user');
  if (input.signal.aborted) onAbort();
  input.signal.addEventListener('abort', onAbort, { once: true });
  const ticker = setInterval(() => {
    obey(watch.step({ kind: 'tick', at: platform.clock.monotonic() }));
    void input.pauseRequested().then((asked) => asked && end('user_pause', 'paused by the user'));
  }, input.watch.tickMs);
  let lastFilesLook = platform.clock.now();
  try {
    for await (const raw of conversation.turn(prompt)) {
      const event = account(raw);
      report(input, event);
      if (event.type === 'usage') {
        obey(watch.step({ kind: 'files', changed: await input.changedFiles(lastFilesLook), at: platform.clock.monotonic() }));
        lastFilesLook = platform.clock.now();
      }
      obey(watch.step({ kind: 'event', event, at: platform.clock.monotonic() }));
      if (event.type === 'end') stop ??= stopFor(event.end, input);
    }
  } finally {
    clearInterval(ticker);
    input.signal.removeEventListener('abort', onAbort);
  }
  await stopping;
  return { stop };
}

function obeyOne(input: SessionInput, conversation: AgentConversation, directive: Directive, end: (reason: Reason, message: string) => void): void {
  const session = input.task.session;
  if (directive.kind === 'note') input.emit({ type: 'session.limit', session, kind: directive.limit, level: 'info', message: directive.message });
  if (directive.kind === 'inject') {
    conversation.inject?.(directive.text);
    input.emit({ type: 'session.inject', session, text: directive.text, delivered: conversation.inject !== undefined });
  }
  if (directive.kind === 'stop') {
    input.emit({ type: 'session.limit', session, kind: directive.limit, level: 'stop', message: directive.message });
    end(directive.reason, directive.message);
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

function stopFor(end: AgentEnd, input: SessionInput): TurnResult['stop'] {
  if (end.kind === 'finished') return null;
  if (end.kind === 'stopped') return { reason: 'agent.failed', message: 'the agent was stopped from outside', retryAt: null };
  const table: Record<typeof end.class, Reason> = {
    auth: 'api.auth',
    unavailable: 'api.unavailable',
    usage_limit: 'usage_limit',
    context_too_long: 'context_limit',
    agent: 'agent.failed',
    budget: exhausted(input.watch.budget, 0)?.reason ?? 'budget.session',
    aborted: 'interrupted',
  };
  input.emit({ type: 'agent.error', session: input.task.session, message: end.message, class: end.class });
  return { reason: table[end.class], message: end.message, retryAt: end.retryAt };
}
