/** An index file of git (version 2) for files that are known, with what lstat said about those that are as their tree has them. Pure. */
import { createHash } from 'node:crypto';
import type { TreeEntry } from '../domain/tree.ts';
import type { ManifestEntry } from './manifest.ts';
import { formatOf } from './write-objects.ts';
import { itemAt } from '../domain/items.ts';

/** What lstat said about a file, with the content that it had; times in seconds and the nanoseconds of that second. */
export interface IndexStat {
  oid: string;
  mode: string;
  size: number;
  inode: number;
  changed: number;
  changedNs: number;
  modified: number;
  modifiedNs: number;
}

export type StatOf = (path: string) => IndexStat | undefined;

export interface IndexFacts {
  /** What the files were when they were written; git looks into those that it does not know or that have another content. */
  statOf: StatOf;
  uid: number;
  gid: number;
}

/** Entries in the order of a tree's own listing, which is that of an index. */
export function formatIndex(entries: readonly TreeEntry[], facts: IndexFacts): Buffer {
  const format = formatOf(entries[0]?.oid ?? '');
  const idBytes = format === 'sha256' ? 32 : 20;
  const head = 40 + idBytes + 2;
  const lengths = entries.map((entry) => Buffer.byteLength(entry.path));
  const sizes = lengths.map((length) => Math.ceil((head + length + 1) / 8) * 8);
  const index = Buffer.alloc(12 + sizes.reduce((sum, size) => sum + size, 0) + idBytes);
  const numbers = new DataView(index.buffer, index.byteOffset, index.byteLength);
  index.write('DIRC');
  numbers.setUint32(4, 2);
  numbers.setUint32(8, entries.length);
  let at = 12;
  for (const [number, entry] of entries.entries()) {
    const known = facts.statOf(entry.path);
    if (known !== undefined && known.oid === entry.oid && known.mode === entry.mode) writeStat(numbers, at, known, facts);
    numbers.setUint32(at + 24, Number.parseInt(entry.mode, 8));
    index.write(entry.oid, at + 40, 'hex');
    numbers.setUint16(at + 40 + idBytes, Math.min(itemAt(lengths, number), 0xfff));
    index.write(entry.path, at + head, lengths[number] === entry.path.length ? 'latin1' : 'utf8');
    at += itemAt(sizes, number);
  }
  createHash(format).update(index.subarray(0, at)).digest().copy(index, at);
  return index;
}

/** As git keeps them, numbers are cut to their lowest 32 bits; up to 2^53 nothing is lost before. */
function writeStat(numbers: DataView, at: number, stat: IndexStat, { uid, gid }: IndexFacts): void {
  numbers.setUint32(at, stat.changed);
  numbers.setUint32(at + 4, stat.changedNs);
  numbers.setUint32(at + 8, stat.modified);
  numbers.setUint32(at + 12, stat.modifiedNs);
  numbers.setUint32(at + 20, stat.inode);
  numbers.setUint32(at + 28, uid);
  numbers.setUint32(at + 32, gid);
  numbers.setUint32(at + 36, stat.size);
}

const LOW_BITS = 0xffff_ffffn;

export function indexStatOf([oid, mode, size, inode, changed, modified]: ManifestEntry): IndexStat {
  return {
    oid,
    mode,
    size: lowBits(size),
    inode: lowBits(inode),
    changed: lowBits(changed.slice(0, -9)),
    changedNs: Number(changed.slice(-9)),
    modified: lowBits(modified.slice(0, -9)),
    modifiedNs: Number(modified.slice(-9)),
  };
}

function lowBits(number: string): number {
  return number.length < 16 ? Number(number) : Number(BigInt(number) & LOW_BITS);
}
