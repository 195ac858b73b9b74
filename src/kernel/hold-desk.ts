/**
 * A command that works at a desk: the lock first, then everything else.
 *
 * 1. One process writes in a directory at a time, whichever flow it runs (exit 9 for the second).
 * 2. What a dead process left running or lying about is gone before the work begins; what it had spent is in the books.
 * 3. The journal is on the disk before the result is told.
 */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { withLock } from '../store/lock.ts';
import { sweepShared, sweepTemporaries } from '../store/sweep.ts';
import { sweepOwnFiles } from '../workspace/own-index.ts';
import { endLeftovers } from './flight/agent-processes.ts';
import type { Desk } from './contract.ts';
import { flushing } from './flushing.ts';
import { deskSettings, openDesk, type DeskOptions } from './open-desk.ts';
import { settleCutOffRoles } from './books/role-record.ts';

export interface HoldDeskOptions extends Omit<DeskOptions, 'journal'> {
  /** As it was typed, for whoever finds the lock taken. */
  command: string;
}

export async function holdDesk<Result>(
  platform: Platform,
  root: string,
  options: HoldDeskOptions,
  work: (desk: Desk) => Promise<Result>,
): Promise<Result> {
  const { config } = await deskSettings(platform, root, options);
  return await withLock(platform, join(root, config.paths.state_dir, 'lock'), options.command, async () => {
    const desk = await openDesk(platform, root, { ...options, journal: true });
    return await flushing(desk, async () => {
      await tidy(desk);
      try {
        return await work(desk);
      } finally {
        await desk.rooms.dispose();
      }
    });
  });
}

async function tidy(desk: Desk): Promise<void> {
  const { platform, home, harnessHome } = desk;
  for (const { file, bytes } of desk.journal?.recovered ?? [])
    desk.emit({ type: 'state.recovered', what: `half a line at the end of ${file} (${bytes} bytes)`, action: 'cut off' });
  await endLeftovers(desk);
  await settleCutOffRoles(desk);
  const removed = [...(await sweepTemporaries(platform, desk.stateDir)), ...(await sweepOwnFiles(platform, home))];
  for (const folder of [join(harnessHome, 'scratch'), desk.root]) removed.push(...(await sweepShared(platform, folder)));
  for (const path of removed) desk.emit({ type: 'state.recovered', what: `temporary file ${path}`, action: 'removed' });
}
