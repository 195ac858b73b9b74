/**
 * A worker of the fleet: it beats, takes drives as its slots allow, and goes on with what the dead left.
 *
 * 1. Recovery is everybody's, at every beat, until nothing is left: there is no leader.
 * 2. Asked to end, it takes nothing more, rests its drives and sends them again, and leaves. Declared dead, it ends its sessions and exits 9.
 */
import type { Emit } from '../domain/event.ts';
import { HARNESS_VERSION } from '../domain/version.ts';
import type { Platform } from '../platform/platform.ts';
import { URL_VARIABLE, type Connection } from './connect.ts';
import { openDatabase } from './database.ts';
import { driveOrder } from './drive.ts';
import { openEngine, type Engine } from './engine.ts';
import { BEAT_MS, join, notAlive, TIMEOUT_MS, type Member } from './member.ts';

export interface WorkerOptions {
  name: string;
  slots: number;
  labels: readonly string[];
  signal: AbortSignal;
  beatMs?: number;
  timeoutMs?: number;
  emit(project: string): Emit;
  warn(message: string): void;
  /** Called when it starts to take work. */
  ready(id: string): void;
}

export async function work(platform: Platform, { packages, url, pool }: Connection, options: WorkerOptions): Promise<void> {
  const { name, slots, labels, signal, warn, emit } = options;
  const drives = new Set<Promise<unknown>>();
  const engines: Engine[] = [];
  const me = {
    name,
    version: HARNESS_VERSION,
    slots,
    labels,
    beatMs: options.beatMs ?? BEAT_MS,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  };
  // A separate connection, so that a beat never waits for a document.
  const heart = await openDatabase(platform, { url, connections: 1, patienceMs: 0 });
  const member = await join(platform, heart, me, {
    busy: () => drives.size,
    warn,
    beaten: async () => {
      for (const engine of engines) await engine.recover(await notAlive(heart, await engine.owners()));
    },
  });
  const engine = await openEngine(packages, { url, pool, me: member.id, slots, labels, warn });
  await engine.work((order, claim) => {
    const drive = driveOrder({ platform: withoutCredentials(platform), pool, member, signal, emit }, order, claim);
    drives.add(drive);
    return drive.finally(() => drives.delete(drive));
  });
  engines.push(engine);
  options.ready(member.id);
  await ended(AbortSignal.any([signal, member.lost]));
  await finish(member, engine, drives).finally(() => heart.end());
}

/** Nothing that is started for a project can be given the address of the database, whatever the project's settings name. */
function withoutCredentials(platform: Platform): Platform {
  const own = Object.entries(platform.env).filter(([name]) => name !== URL_VARIABLE && !/^PG[A-Z]+$/.test(name));
  return { ...platform, env: Object.fromEntries(own) };
}

async function finish(member: Member, engine: Engine, drives: ReadonlySet<Promise<unknown>>): Promise<void> {
  await Promise.allSettled(drives);
  await engine.close();
  await member.leave();
  if (member.lost.aborted) throw member.lost.reason;
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
