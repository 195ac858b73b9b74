/**
 * What a run without a sandbox left running: processes that went out of its group.
 *
 * Known by the run's own directories, in their environment or as the place where they stand. One that gave up both is not found.
 */
import type { Platform } from '../../platform/platform.ts';

const MOST_ROUNDS = 5;

/** Ends them, and those that they started meanwhile. */
export async function endLeftovers(
  platform: Pick<Platform, 'processes'>,
  run: { home: string; temporary: string; room: string },
): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = new Set([
      ...(await platform.processes.findByEnvironment('HOME', run.home)),
      ...(await platform.processes.findByEnvironment('TMPDIR', run.temporary)),
      ...(await platform.processes.orphansIn(run.room)).map((known) => known.pid),
    ]);
    if (found.size === 0) return;
    platform.processes.kill([...found]);
  }
}
