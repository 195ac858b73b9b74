/**
 * Two ways to disturb a command at its durable operations.
 *
 * 1. `recorded` runs it once and keeps the disk as it stands before and after each operation: what a machine that went down there would
 *    leave. Operations take turns, so that each image is whole.
 * 2. `refused` runs it with one operation that the system refuses. A full disk and a disk error refuse one; a disk that became read-only
 *    refuses everything from there on. Operations that run side by side may come in another order than when they were recorded: one that
 *    reaches a remote is never refused, for that is told as a remote's failure and not made up for.
 */
import { existsSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from '../../../src/platform/platform.ts';
import { restore } from './ground.ts';
import { throughOneHand, type Operation, type Trace } from './operations.ts';

export const CRASHES = ['before', 'after', 'torn', 'unsynced'] as const;
export const REFUSALS = ['ENOSPC', 'EIO', 'EROFS'] as const;
export type Crash = (typeof CRASHES)[number];
export type Refusal = (typeof REFUSALS)[number];
export type Fault = Crash | Refusal;

/** The disk at the moment of a crash. */
export interface Image {
  point: number;
  fault: Crash;
  folder: string;
  /** What the fault changes in the restored folder. */
  finish(): void;
  acknowledged: Trace['acknowledged'];
}

export interface Recorded {
  operations: Operation[];
  images: Image[];
}

export async function recorded(
  real: Platform,
  ground: string,
  into: string,
  wanted: (point: number, operation: Operation) => boolean,
  run: (platform: Platform) => Promise<void>,
): Promise<Recorded> {
  const result: Recorded = { operations: [], images: [] };
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work);
    turn = next.catch(() => {});
    return next;
  };
  const { platform, trace } = throughOneHand(real, (operation, act) =>
    inTurn(async () => {
      const point = result.operations.push(operation) - 1;
      if (!wanted(point, operation)) return await act();
      const keep = (fault: Crash, folder: string, finish: () => void): void =>
        void result.images.push({ point, fault, folder, finish, acknowledged: [...trace.acknowledged] });
      const [before, after] = [join(into, `${point}-before`), join(into, `${point}-after`)];
      restore(ground, before);
      keep('before', before, () => {});
      keep('torn', before, operation.torn);
      try {
        return await act();
      } finally {
        restore(ground, after);
        const lengths = [...trace.certain];
        keep('after', after, () => {});
        keep('unsynced', after, () => cutTo(lengths));
      }
    }),
  );
  await run(platform);
  await turn;
  return result;
}

function cutTo(lengths: readonly (readonly [string, number])[]): void {
  for (const [path, length] of lengths) if (existsSync(path)) truncateSync(path, length);
}

export function refused(
  real: Platform,
  plan: { point: number; fault: Refusal },
): { platform: Platform; trace: Trace; hit(): boolean; end(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  let count = 0;
  let over = false;
  const guard = (): void => {
    if (over) throw new Error('the process has ended');
  };
  const { platform, trace } = throughOneHand(
    real,
    async (operation, act) => {
      guard();
      const point = count++;
      const isMeant = point === plan.point || (point > plan.point && plan.fault === 'EROFS');
      if (isMeant && operation.remote !== true) return operation.refuse(plan.fault) as never;
      const work = act();
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    guard,
  );
  return {
    platform,
    trace,
    hit: () => count > plan.point,
    end: async () => {
      over = true;
      await Promise.allSettled(running);
    },
  };
}
