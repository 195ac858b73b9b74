/**
 * Ends what an agent left running.
 *
 * 1. The process group gets SIGTERM, and SIGKILL after the grace time; that is the platform's `stop`.
 * 2. What left its group is found by the workspace in its environment and killed, until a search finds nothing.
 */
import type { Platform } from '../platform/platform.ts';
import { WORKSPACE_VARIABLE } from './environment.ts';

const MAX_ROUNDS = 50;
const PAUSE_MS = 10;

/** Returns the processes that could not be ended; normally none. */
export async function reapEscaped(platform: Platform, workspace: string): Promise<number[]> {
  let left: number[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    left = await platform.processes.findByEnvironment(WORKSPACE_VARIABLE, workspace);
    if (left.length === 0) return [];
    platform.processes.kill(left);
    await platform.clock.sleep(PAUSE_MS);
  }
  return left;
}
