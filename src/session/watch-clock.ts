/** Session time: it stands still while nobody can work, and otherwise runs as the machine's. */
import type { Clock } from '../platform/platform.ts';

export interface WatchClock {
  /** Milliseconds of session time. */
  now(): number;
  /** Stops it; the returned function lets it run again. Nested stops count once. */
  suspend(): () => void;
  isSuspended(): boolean;
}

export function watchClock(clock: Clock): WatchClock {
  let holds = 0;
  let since = 0;
  let lost = 0;
  return {
    now: () => (holds > 0 ? since : clock.monotonic()) - lost,
    isSuspended: () => holds > 0,
    suspend: () => {
      if (holds === 0) since = clock.monotonic();
      holds += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holds -= 1;
        if (holds === 0) lost += clock.monotonic() - since;
      };
    },
  };
}
