/**
 * One agent under watch, turn by turn, until it ends.
 *
 * 1. Events go out in the order in which they came; monitors see each before the next is read.
 * 2. The first stop directive wins; the agent is stopped and its reason returned. After that nothing is injected and nothing told twice.
 * 3. Silence starts the agent once more; the second silence ends the session. So does anything else that comes up while a silent agent is stopped.
 * 4. A usage limit whose end is known is waited out: the same conversation goes on where the agent can, else it is started again. A person's
 *    pause or interrupt ends the waiting.
 * 5. Time in which the agent does not have the word, or waits for its provider, is neither silence nor session time; a new conversation is an
 *    empty context window.
 */
import type { AgentConversation } from '../agents/contract.ts';
import type { Platform } from '../platform/platform.ts';
import { budgetMonitor } from './budget-monitor.ts';
import { clockMonitor } from './clock-monitor.ts';
import { contextMonitor } from './context-monitor.ts';
import { INTERRUPTED, PAUSED, type Session, type SessionInput, type Stop, type TurnResult } from './contract.ts';
import { followActions } from './follow-actions.ts';
import { openLedger } from './ledger.ts';
import { combine } from './monitor.ts';
import { progressMonitor } from './progress-monitor.ts';
import { runTurn, type Watched, type WatchedTurn } from './run-turn.ts';
import { silenceMonitor } from './silence-monitor.ts';
import { waitForReset } from './wait-for-reset.ts';
import { watchClock } from './watch-clock.ts';

/** What others call are fields: a session is spread where more is done at its end. */
class WatchedSession implements Session {
  readonly #platform: Platform;
  readonly #input: SessionInput;
  readonly #watched: Watched;
  #conversation: AgentConversation | null = null;
  #restarted = false;

  constructor(platform: Platform, input: SessionInput) {
    this.#platform = platform;
    this.#input = input;
    this.#watched = {
      platform,
      input,
      watch: monitorsOf(input),
      ledger: ledgerFor(platform, input),
      actions: followActions(input.actions, input.task.session, input.emit),
      time: watchClock(platform.clock),
      lastFilesLook: platform.clock.now(),
      busy: false,
    };
  }

  readonly canAnswer = (): boolean => this.#conversation?.manyTurns ?? false;

  readonly totals = (): ReturnType<Session['totals']> => this.#watched.ledger.totals();

  readonly close = async (): Promise<void> => await this.#conversation?.stop();

  readonly turn = async (prompt: string): Promise<TurnResult> => {
    if (this.#input.signal.aborted) return { stop: INTERRUPTED };
    let result = await this.#turnOnce(prompt, false);
    for (let refusals = 0; ;) {
      const { stop } = result;
      if (stop?.reason === 'stalled' && !this.#restarted) {
        this.#restarted = true;
        this.#say('silence', 'warn', `${stop.message}: starting it once more`);
        this.#conversation = null;
        result = await this.#turnOnce(prompt, false);
      } else if (stop !== null && stop.retryAt !== null && refusals < MOST_REFUSALS && this.#waitsFor(stop)) {
        const ended = await this.#waitOut(Math.max(stop.retryAt, this.#now() + (refusals === 0 ? 0 : REFUSED_AGAIN_MS * 2 ** refusals)));
        if (ended !== null) return { stop: ended };
        result = await this.#turnOnce(prompt, true);
        refusals = result.worked ? 0 : refusals + 1;
      } else return this.#ended(result);
    }
  };

  #ended({ stop, worked }: WatchedTurn): TurnResult {
    this.#watched.actions.end(stop === null);
    if (worked) this.#watched.ledger.close();
    return { stop: stop === null || isBelievable(stop, this.#now()) ? stop : { ...stop, retryAt: null } };
  }

  #waitsFor(stop: Stop): boolean {
    const { leavesAtLimit, endsBy = null } = this.#input;
    return (
      stop.reason === 'usage_limit' &&
      leavesAtLimit !== true &&
      (stop.retryAt ?? 0) <= (endsBy ?? Infinity) &&
      isBelievable(stop, this.#now())
    );
  }

  #now(): number {
    return this.#platform.clock.now();
  }

  #say(kind: 'silence' | 'usage', level: 'info' | 'warn', message: string, until?: number): void {
    this.#input.emit({
      type: 'session.limit',
      session: this.#input.task.session,
      kind,
      level,
      message,
      ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
    });
  }

  async #turnOnce(prompt: string, resumed: boolean): Promise<WatchedTurn> {
    const fresh = this.#conversation === null;
    this.#conversation ??= await this.#input.backend.start(this.#input.task, {
      platform: this.#platform,
      beforeRequest: this.#watched.ledger.beforeRequest,
    });
    return await runTurn(this.#watched, this.#conversation, { fresh, prompt, resumed: resumed && !fresh });
  }

  async #startAnew(): Promise<void> {
    await this.#conversation?.stop();
    this.#conversation = null;
  }

  /** The stop that ends the waiting, or null when the limit is over. */
  async #waitOut(until: number): Promise<Stop | null> {
    if (this.#conversation?.resume === undefined) await this.#startAnew();
    this.#say('usage', 'warn', 'waiting for the usage limit to end', until);
    const resumeTime = this.#watched.time.suspend();
    const how = await waitForReset(this.#platform, {
      until,
      stepMs: this.#input.watch.tickMs,
      signal: this.#input.signal,
      pauseRequested: this.#input.pauseRequested,
    });
    resumeTime();
    if (how === 'interrupted') return INTERRUPTED;
    if (how === 'paused') return PAUSED;
    this.#say('usage', 'info', 'the usage limit is over; continuing');
    return null;
  }
}

export function openSession(platform: Platform, input: SessionInput): Session {
  return new WatchedSession(platform, input);
}

function ledgerFor(platform: Platform, { task, backend, price, watch, emit }: SessionInput): Watched['ledger'] {
  return openLedger({
    price,
    model: backend.servesModel?.(task.model) === false ? null : task.model,
    budget: watch.budget,
    now: platform.clock.monotonic,
    warn: (message) => emit({ type: 'warning', message, code: 'cost.unknown' }),
  });
}

function monitorsOf({ watch }: SessionInput): Watched['watch'] {
  const { context, clock, progress, budget, silenceMs } = watch;
  return combine([
    contextMonitor(context),
    clockMonitor(clock),
    progressMonitor({ ...progress, windowTokens: context.windowTokens }),
    budgetMonitor(budget),
    silenceMonitor(silenceMs),
  ] as never);
}

/** A provider that refuses right after the time it named is asked this often, less and less often. */
const MOST_REFUSALS = 5;
const REFUSED_AGAIN_MS = 2_000;
/** Longer than any allowance lasts: a time beyond it is not believed, and the session ends. */
const LONGEST_WAIT_MS = 8 * 24 * 60 * 60_000;

function isBelievable(stop: Stop, now: number): boolean {
  return stop.retryAt === null || stop.retryAt - now < LONGEST_WAIT_MS;
}
