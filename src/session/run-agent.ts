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
import { INTERRUPTED, PAUSED, type Session, type SessionInput, type Stop } from './contract.ts';
import { followActions } from './follow-actions.ts';
import { openLedger } from './ledger.ts';
import { combine } from './monitor.ts';
import { progressMonitor } from './progress-monitor.ts';
import { runTurn, type Watched, type WatchedTurn } from './run-turn.ts';
import { silenceMonitor } from './silence-monitor.ts';
import { waitForReset } from './wait-for-reset.ts';
import { watchClock } from './watch-clock.ts';

export function openSession(platform: Platform, input: SessionInput): Session {
  const { session } = input.task;
  const { context, clock, progress, budget, silenceMs } = input.watch;
  const ledger = openLedger({
    price: input.price,
    model: input.backend.servesModel?.(input.task.model) === false ? null : input.task.model,
    budget,
    now: platform.clock.monotonic,
    warn: (message) => input.emit({ type: 'warning', message, code: 'cost.unknown' }),
  });
  const watch = combine([
    contextMonitor(context),
    clockMonitor(clock),
    progressMonitor({ ...progress, windowTokens: context.windowTokens }),
    budgetMonitor(budget),
    silenceMonitor(silenceMs),
  ] as never);
  const actions = followActions(input.actions, session, input.emit);
  const watched: Watched = {
    platform,
    input,
    watch,
    ledger,
    actions,
    time: watchClock(platform.clock),
    lastFilesLook: platform.clock.now(),
    busy: false,
  };
  let conversation: AgentConversation | null = null;
  let restarted = false;

  const say = (kind: 'silence' | 'usage', level: 'info' | 'warn', message: string, until?: number): void =>
    input.emit({
      type: 'session.limit',
      session,
      kind,
      level,
      message,
      ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
    });

  const turnOnce = async (prompt: string, resumed: boolean): Promise<WatchedTurn> => {
    const fresh = conversation === null;
    conversation ??= await input.backend.start(input.task, { platform, beforeRequest: ledger.beforeRequest });
    return await runTurn(watched, conversation, { fresh, prompt, resumed: resumed && !fresh });
  };

  const startAnew = async (): Promise<void> => {
    await conversation?.stop();
    conversation = null;
  };

  /** The stop that ends the waiting, or null when the limit is over. */
  const waitOut = async (until: number): Promise<Stop | null> => {
    if (conversation?.resume === undefined) await startAnew();
    say('usage', 'warn', 'waiting for the usage limit to end', until);
    const resumeTime = watched.time.suspend();
    const how = await waitForReset(platform, {
      until,
      stepMs: input.watch.tickMs,
      signal: input.signal,
      pauseRequested: input.pauseRequested,
    });
    resumeTime();
    if (how === 'interrupted') return INTERRUPTED;
    if (how === 'paused') return PAUSED;
    say('usage', 'info', 'the usage limit is over; continuing');
    return null;
  };

  return {
    canAnswer: () => conversation?.manyTurns ?? false,
    totals: () => ledger.totals(),
    close: async () => conversation?.stop(),
    turn: async (prompt) => {
      if (input.signal.aborted) return { stop: INTERRUPTED };
      let result = await turnOnce(prompt, false);
      for (let refusals = 0; ;) {
        const { stop } = result;
        if (stop?.reason === 'stalled' && !restarted) {
          restarted = true;
          say('silence', 'warn', `${stop.message}: starting it once more`);
          conversation = null;
          result = await turnOnce(prompt, false);
        } else if (
          stop?.reason === 'usage_limit' &&
          input.leavesAtLimit !== true &&
          (stop.retryAt ?? 0) <= (input.endsBy ?? Infinity) &&
          stop.retryAt !== null &&
          isBelievable(stop, platform.clock.now()) &&
          refusals < MOST_REFUSALS
        ) {
          const ended = await waitOut(
            Math.max(stop.retryAt, platform.clock.now() + (refusals === 0 ? 0 : REFUSED_AGAIN_MS * 2 ** refusals)),
          );
          if (ended !== null) return { stop: ended };
          result = await turnOnce(prompt, true);
          refusals = result.worked ? 0 : refusals + 1;
        } else {
          actions.end(stop === null);
          if (result.worked) ledger.close();
          return { stop: stop === null || isBelievable(stop, platform.clock.now()) ? stop : { ...stop, retryAt: null } };
        }
      }
    },
  };
}

/** A provider that refuses right after the time it named is asked this often, less and less often. */
const MOST_REFUSALS = 5;
const REFUSED_AGAIN_MS = 2_000;
/** Longer than any allowance lasts: a time beyond it is not believed, and the session ends. */
const LONGEST_WAIT_MS = 8 * 24 * 60 * 60_000;

function isBelievable(stop: Stop, now: number): boolean {
  return stop.retryAt === null || stop.retryAt - now < LONGEST_WAIT_MS;
}
