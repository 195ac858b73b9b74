/**
 * Waits until a usage limit ends.
 *
 * 1. Looked at in short steps, so that a machine that slept goes on at once, and a pause or an interrupt is heard.
 * 2. The time in the reset is the provider's: wall clock, not running time.
 */
import type { Platform } from '../platform/platform.ts';

export interface ResetWait {
  /** Epoch milliseconds. */
  until: number;
  stepMs: number;
  signal: AbortSignal;
  pauseRequested(): Promise<boolean>;
}

export async function waitForReset(platform: Platform, wait: ResetWait): Promise<'over' | 'interrupted' | 'paused'> {
  const { clock } = platform;
  for (;;) {
    if (wait.signal.aborted) return 'interrupted';
    if (await wait.pauseRequested().catch(() => false)) return 'paused';
    const left = wait.until - clock.now();
    if (left <= 0) return 'over';
    await clock.sleep(Math.min(left, wait.stepMs), wait.signal);
  }
}
