/** What is asked of the process that holds the project, instead of turning a person away because a run is under way. */
import { join } from 'node:path';
import { loadSettings } from '../../config/user-settings.ts';
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { openRequests, type Requests, type Wish } from './requests.ts';
import type { Platform } from '../../platform/platform.ts';
import { folderStore } from '../../store/folder-store.ts';
import type { Holder } from '../../store/lock.ts';

export type RunningHolder = Pick<Holder, 'pid' | 'command' | 'since'>;

/** The holder has been asked; null: it was gone by then, and the next command takes the request up. */
export interface Requested {
  kind: 'requested';
  holder: RunningHolder | null;
}

/** `work` as the one writer; where another process is, what is wished is left for it. */
export async function orAskHolder<Result>(
  platform: Platform,
  root: string,
  work: () => Promise<Result>,
  wish: () => Promise<Wish>,
): Promise<Result | Requested> {
  try {
    return await work();
  } catch (error) {
    if (!isLocked(error)) throw error;
    const door = await doorOf(platform, root);
    await door.requests.ask(await wish());
    return { kind: 'requested', holder: await door.holder() };
  }
}

export function isLocked(error: unknown): boolean {
  return error instanceof HarnessError && error.exitCode === EXIT.locked;
}

/** How a process that does not hold the project reaches the one that does. */
export async function doorOf(platform: Platform, root: string): Promise<{ requests: Requests; holder(): Promise<RunningHolder | null> }> {
  const store = folderStore(platform, join(root, (await loadSettings(platform, root)).config.paths.state_dir));
  return {
    requests: openRequests(platform, store.in('requests')),
    holder: async () => {
      const holder = await store.holder();
      return holder === null ? null : { pid: holder.pid, command: holder.command, since: holder.since };
    },
  };
}
