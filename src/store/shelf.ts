/**
 * Where documents lie, by name. Nobody but an implementation knows whether a name is a file.
 *
 * 1. A name is a word, or words with `/` between them; it never leads out.
 * 2. A write is whole: after a crash the old content or the new one is there. What the name needs on the way is made.
 * 3. One holder writes at a time. Requests and answers are the exception: they come from others, each under a name of its own.
 */
import type { Holder } from './lock.ts';
import type { Seal } from './seal.ts';

export type AsideReason = 'unreadable' | 'foreign';

export interface Shelf {
  /** `null` when there is none. */
  read(name: string): Promise<string | null>;
  readBytes(name: string): Promise<Uint8Array | null>;
  has(name: string): Promise<boolean>;
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** One, or everything below a name; missing is fine. */
  remove(name: string): Promise<void>;
  /** One, or everything below a name, gets another name; missing is fine, and what had that name is replaced. */
  move(name: string, to: string): Promise<void>;
  /** The shelf is there for whoever looks, also with nothing on it. */
  make(): Promise<void>;
  /** Names that lie here themselves, sorted. */
  list(): Promise<string[]>;
  /** Moves one to a name that says why (it could not be understood, without another reason), and gives where it is now. */
  setAside(name: string, why?: AsideReason): Promise<string>;
  /** The same, for the names below one. */
  in(folder: string): Shelf;
  /** Tells decisions made here from those that came with the project. */
  seal: Seal;
  /** How a person finds it; without a name, the whole shelf. */
  where(name?: string): string;
}

export interface DocumentStore extends Shelf {
  /** Runs as the one holder; exit 9 when another process is it. */
  hold<Result>(command: string, work: () => Promise<Result>): Promise<Result>;
  /** Who holds it now. */
  holder(): Promise<Holder | null>;
}

/** `2026-01-01T10:00:00Z` in the name of what was set aside. */
export function asideName(name: string, now: number, why: AsideReason = 'unreadable'): string {
  return `${name}.${why}-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}`;
}
