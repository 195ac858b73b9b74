/** Runs that want the same room take turns, whoever asks for it: two at once would find each other's files. */
import type { CleanRooms } from '../../domain/tree.ts';

const turns = new WeakMap<CleanRooms, Map<string, Promise<unknown>>>();

export async function inTurn<Result>(rooms: CleanRooms, name: string, use: () => Promise<Result>): Promise<Result> {
  const waiting = turns.get(rooms) ?? new Map<string, Promise<unknown>>();
  turns.set(rooms, waiting);
  const before = waiting.get(name) ?? Promise.resolve();
  const mine = before.then(use, use);
  waiting.set(name, mine);
  return await mine;
}
