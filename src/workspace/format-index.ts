/** An index file of git (version 2) for files that are known, with what lstat said about those that are as their tree has them. Pure. */
import { createHash } from 'node:crypto';
import type { TreeEntry } from '../domain/tree.ts';
import type { ManifestEntry } from './manifest.ts';
import { formatOf } from './write-objects.ts';

/** What lstat said about a file, with the content that it had. */
export type StatOf = (path: string) => ManifestEntry | undefined;

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
  index.write('DIRC');
  index.writeUInt32BE(2, 4);
  index.writeUInt32BE(entries.length, 8);
  let at = 12;
  for (const [number, entry] of entries.entries()) {
    const known = facts.statOf(entry.path);
    if (known !== undefined && known[0] === entry.oid && known[1] === entry.mode) writeStat(index, at, known, facts);
    index.writeUInt32BE(Number.parseInt(entry.mode, 8), at + 24);
    index.write(entry.oid, at + 40, 'hex');
    index.writeUInt16BE(Math.min(lengths[number]!, 0xfff), at + 40 + idBytes);
    index.write(entry.path, at + head);
    at += sizes[number]!;
  }
  createHash(format).update(index.subarray(0, at)).digest().copy(index, at);
  return index;
}

const LOW_BITS = 0xffff_ffffn;

function writeStat(index: Buffer, at: number, [, , size, inode, changed, modified]: ManifestEntry, { uid, gid }: IndexFacts): void {
  index.writeUInt32BE(lowBits(changed.slice(0, -9)), at);
  index.writeUInt32BE(Number(changed.slice(-9)), at + 4);
  index.writeUInt32BE(lowBits(modified.slice(0, -9)), at + 8);
  index.writeUInt32BE(Number(modified.slice(-9)), at + 12);
  index.writeUInt32BE(lowBits(inode), at + 20);
  index.writeUInt32BE(uid, at + 28);
  index.writeUInt32BE(gid, at + 32);
  index.writeUInt32BE(lowBits(size), at + 36);
}

function lowBits(number: string): number {
  return number.length < 10 ? Number(number) : Number(BigInt(number) & LOW_BITS);
}
