/**
 * Agents of one command start one after the other within this process.
 *
 * They share the folder in which they keep their state, and several of them set it up when they start: two at the same time get in each
 * other's way. A start that hangs holds up the next one for a while, not for good.
 */
import type { Clock } from '../../platform/platform.ts';

const LONGEST_WAIT_MS = 30_000;

const lastStart = new Map<string, Promise<unknown>>();

export async function afterOtherStarts<Result>(command: string, clock: Clock, start: () => Promise<Result>): Promise<Result> {
  const before = lastStart.get(command) ?? Promise.resolve();
  const mine = (async () => {
    const waited = new AbortController();
    await Promise.race([before, clock.sleep(LONGEST_WAIT_MS, waited.signal)]).finally(() => waited.abort());
    return await start();
  })();
  lastStart.set(
    command,
    mine.catch(() => {}),
  );
  return await mine;
}
