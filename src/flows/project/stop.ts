/** `harness stop`: a running process of this project is asked to end, and waited for. */
import { join } from 'node:path';
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import type { Platform } from '../../platform/platform.ts';
import { ownIdentity } from '../../platform/process-identity.ts';
import { readHolder, type Holder } from '../../store/lock.ts';

export interface StopReport {
  stopped: Pick<Holder, 'pid' | 'command' | 'since'> | null;
}

const POLL_MS = 100;

/** Nothing is killed: what is under way is saved by the process itself. */
export async function stopProject(platform: Platform, stateDir: string, timeoutMs: number): Promise<StopReport> {
  const lock = join(stateDir, 'lock');
  const holder = await readHolder(platform, lock);
  if (holder === null) return { stopped: null };
  const here = await ownIdentity();
  if (holder.host !== here.host || holder.namespace !== here.namespace)
    throw stillThere(
      holder,
      `it runs ${holder.host === here.host ? 'in another container' : `on ${holder.host}`}, where it cannot be reached from here`,
    );
  if (!platform.processes.terminate(holder.pid)) throw stillThere(holder, 'it belongs to another user');
  const deadline = platform.clock.monotonic() + timeoutMs;
  while ((await readHolder(platform, lock))?.token === holder.token) {
    if (platform.clock.monotonic() >= deadline)
      throw stillThere(
        holder,
        `it was asked to end and has not done so for ${Math.round(timeoutMs / 1000)} seconds; it may be frozen or busy with saving`,
      );
    await platform.clock.sleep(POLL_MS);
  }
  return { stopped: { pid: holder.pid, command: holder.command, since: holder.since } };
}

function stillThere(holder: Holder, why: string): HarnessError {
  return new HarnessError(`Process ${holder.pid} (${holder.command}, since ${holder.since}) still holds this project: ${why}.`, {
    exitCode: EXIT.locked,
    next: 'retry_at',
    details: ['Look at it where it runs, then try again: harness stop'],
  });
}
