/** Documents in memory: for flows that leave nothing on the disk. The same promises, for the life of one process. */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { isoNow, type Clock } from '../platform/platform.ts';
import type { Holder } from './lock.ts';
import { sealInMemory } from './seal.ts';
import { asideName, type DocumentStore, type Shelf } from './shelf.ts';
import { beforeFirst } from '../domain/text-parts.ts';
import { mustHave } from '../domain/must-have.ts';

/** Texts as they are; bytes in base64, under a mark that no text of ours begins with. */
type Kept = Map<string, string>;
const BYTES = '\0base64:';

export function memoryStore(clock: Clock, kept: Kept = new Map()): DocumentStore {
  let holder: Holder | null = null;
  return {
    ...memoryShelf(clock, kept, ''),
    hold: async (command, work) => {
      if (holder !== null)
        throw new HarnessError(`Another command holds this place: ${holder.command}, since ${holder.since}.`, { exitCode: EXIT.locked });
      holder = { token: '00', pid: 0, started: '', boot: '', namespace: '', host: '', command, since: isoNow(clock) };
      try {
        return await work();
      } finally {
        holder = null;
      }
    },
    holder: async () => holder,
  };
}

function memoryShelf(clock: Clock, kept: Kept, prefix: string): Shelf {
  const where = (name?: string): string => (name === undefined ? prefix : `${prefix}${name}`);
  const below = (name: string): string[] => [...kept.keys()].filter((key) => key === where(name) || key.startsWith(`${where(name)}/`));
  return {
    where: (name) => `memory:${where(name)}`,
    read: async (name) => (kept.has(where(name)) ? bytesOf(kept.get(where(name))!).toString('utf8') : null),
    readBytes: async (name) => (kept.has(where(name)) ? bytesOf(kept.get(where(name))!) : null),
    has: async (name) => below(name).length > 0,
    write: async (name, content) => void kept.set(where(name), typeof content === 'string' ? content : textOf(content)),
    remove: async (name) => below(name).forEach((key) => kept.delete(key)),
    move: async (name, to) => {
      const moved = below(name);
      if (moved.length === 0) return;
      below(to).forEach((key) => kept.delete(key));
      for (const key of moved) {
        kept.set(`${where(to)}${key.slice(where(name).length)}`, mustHave(kept.get(key), 'what is moved is kept'));
        kept.delete(key);
      }
    },
    make: async () => {},
    list: async () => {
      const names = [...kept.keys()].filter((key) => key.startsWith(prefix)).map((key) => beforeFirst(key.slice(prefix.length), '/'));
      return [...new Set(names)].toSorted();
    },
    setAside: async (name, why) => {
      const aside = asideName(name, clock.now(), why);
      kept.set(where(aside), kept.get(where(name)) ?? '');
      kept.delete(where(name));
      return `memory:${where(aside)}`;
    },
    seal: sealInMemory(),
    in: (name) => memoryShelf(clock, kept, `${where(name)}/`),
  };
}

function textOf(content: Uint8Array): string {
  const text = Buffer.from(content).toString('utf8');
  return Buffer.from(text).equals(content) ? text : `${BYTES}${Buffer.from(content).toString('base64')}`;
}

function bytesOf(kept: string): Buffer {
  return kept.startsWith(BYTES) ? Buffer.from(kept.slice(BYTES.length), 'base64') : Buffer.from(kept);
}
