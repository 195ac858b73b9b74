/**
 * `harness stop`: whoever holds a place is asked to end, and waited for.
 *
 * 1. The request is a document, so that it also reaches a process in another container or of another user. Where a signal can be sent, it is
 *    sent as well: then nothing waits for the next look at the documents.
 * 2. Nothing is killed: what is under way is saved by the process itself.
 */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import { ownIdentity } from '../platform/process-identity.ts';
import type { Holder } from '../store/lock.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { openRequests, type Requests } from './documents/requests.ts';

export interface StopReport {
  stopped: Pick<Holder, 'pid' | 'command' | 'since'> | null;
}

const POLL_MS = 100;

export async function stopHolder(platform: Platform, store: DocumentStore, timeoutMs: number): Promise<StopReport> {
  const holder = await store.holder();
  if (holder === null) return { stopped: null };
  const requests = openRequests(platform, store.in('requests'));
  await requests.ask({ kind: 'stop' });
  const signalled = await signal(platform, holder);
  const deadline = platform.clock.monotonic() + timeoutMs;
  while ((await store.holder())?.token === holder.token) {
    if (platform.clock.monotonic() >= deadline) throw stillThere(holder, signalled, timeoutMs);
    await platform.clock.sleep(POLL_MS);
  }
  await requests.drop('stop');
  return { stopped: { pid: holder.pid, command: holder.command, since: holder.since } };
}

async function signal(platform: Platform, holder: Holder): Promise<boolean> {
  const here = await ownIdentity();
  return holder.host === here.host && holder.namespace === here.namespace && platform.processes.terminate(holder.pid);
}

function stillThere(holder: Holder, signalled: boolean, timeoutMs: number): HarnessError {
  const where = signalled ? '' : `, on ${holder.host}, where no signal reaches it from here`;
  return new HarnessError(
    `Process ${holder.pid} (${holder.command}, since ${holder.since}) still holds this project: it was asked to end and has not done so for ${Math.round(timeoutMs / 1000)} seconds${where}; it may be frozen or still saving.`,
    { exitCode: EXIT.locked, next: 'retry_at', details: ['Look at it where it runs, then try again: harness stop'] },
  );
}

/** A signal that is aborted once somebody asks for the end. The caller ends the watch. */
export function watchForStop(platform: Pick<Platform, 'clock'>, requests: Requests): { signal: AbortSignal; end(): Promise<void> } {
  const asked = new AbortController();
  const over = new AbortController();
  const watch = (async () => {
    while (!over.signal.aborted && !asked.signal.aborted) {
      if (await requests.has('stop').catch(() => false)) asked.abort();
      else await platform.clock.sleep(LOOK_MS, over.signal);
    }
  })();
  return {
    signal: asked.signal,
    end: async () => {
      over.abort();
      await watch;
    },
  };
}

const LOOK_MS = 500;
