/** Waits for others that hold a store for a moment; one that holds it for long is exit 9. Within this process whoever asks first is first. */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { inTurn } from './flight/in-turn.ts';
import type { Place } from './place.ts';

const PAUSE_MS = 50;

export interface Patience {
  /** As it was typed, for whoever finds the lock taken. */
  command: string;
  seconds: number;
}

export function holdWhenFree<Result>(
  { platform, signal }: Pick<Place, 'platform' | 'signal'>,
  store: DocumentStore,
  { command, seconds }: Patience,
  work: () => Promise<Result>,
): Promise<Result> {
  return inTurn(`store ${store.where()}`, async () => {
    const until = platform.clock.monotonic() + seconds * 1_000;
    for (;;) {
      let held = false;
      try {
        return await store.hold(command, () => {
          held = true;
          return work();
        });
      } catch (error) {
        const isTaken = !held && isHeldByOthers(error);
        if (!isTaken || signal.aborted || platform.clock.monotonic() >= until) throw error;
        await platform.clock.sleep(PAUSE_MS + Number.parseInt(platform.random.id(1), 16) / 4);
      }
    }
  });
}

export function isHeldByOthers(error: unknown): boolean {
  return error instanceof HarnessError && error.exitCode === EXIT.locked;
}
