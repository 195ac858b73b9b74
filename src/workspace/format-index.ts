/** An index file of git (version 2) for files that are known, with what lstat said about those that are as their tree has them. Pure. */
import { createHash } from 'node:crypto';
import type { TreeEntry } from '../domain/tree.ts';
import type { ManifestEntry } from './manifest.ts';
import { formatOf } from './write-objects.ts';

export interface IndexFacts {
  /** What the files were when they were written; git looks into those that are missing here or have another content. */
  stats: ReadonlyMap<string, ManifestEntry>;
  uid: number;
  gid: number;
}

/** Entries in the order of a tree's own listing, which is that of an index. */
export function formatIndex(entries: readonly TreeEntry[], facts: IndexFacts): Buffer {
  const format = formatOf(entries[0]?.oid ?? '');
  const idBytes = format === 'sha256' ? 32 : 20;
  const head = 40 + idBytes + 2;
  const names = entries.map((entry) => Buffer.from(entry.path));
  const sizes = names.map((name) => Math.ceil((head + name.length + 1) / 8) * 8);
  const index = Buffer.alloc(12 + sizes.reduce((sum, size) => sum + size, 0) + idBytes);
  index.write('DIRC');
  index.writeUInt32BE(2, 4);
  index.writeUInt32BE(entries.length, 8);
  let at = 12;
  for (const [number, entry] of entries.entries()) {
    const known = facts.stats.get(entry.path);
    if (known !== undefined && known[0] === entry.oid && known[1] === entry.mode) writeStat(index, at, known, facts);
    index.writeUInt32BE(Number.parseInt(entry.mode, 8), at + 24);
    index.write(entry.oid, at + 40, 'hex');
    index.writeUInt16BE(Math.min(names[number]!.length, 0xfff), at + 40 + idBytes);
    names[number]!.copy(index, at + head);
    at += sizes[number]!;
  }
  createHash(format).update(index.subarray(0, at)).digest().copy(index, at);
  return index;
}

const SECOND = 1_000_000_000n;
const LOW_BITS = 0xffff_ffffn;

function writeStat(index: Buffer, at: number, [, , size, inode, changed, modified]: ManifestEntry, { uid, gid }: IndexFacts): void {
  const [ctime, mtime] = [BigInt(changed), BigInt(modified)];
  const fields = [ctime / SECOND, ctime % SECOND, mtime / SECOND, mtime % SECOND, 0n, BigInt(inode)];
  for (const [number, field] of fields.entries()) index.writeUInt32BE(Number(field & LOW_BITS), at + number * 4);
  index.writeUInt32BE(uid, at + 28);
  index.writeUInt32BE(gid, at + 32);
  index.writeUInt32BE(Number(BigInt(size) & LOW_BITS), at + 36);
}
