/**
 * New objects for a repository, any number of them with one process: their ids are computed here, git itself stores them.
 */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { git, type GitOptions } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';

export interface NewObject {
  type: 'blob' | 'tree' | 'commit';
  content: Uint8Array;
}

export type ObjectFormat = 'sha1' | 'sha256';

const TYPES = { commit: 1, tree: 2, blob: 3 } as const;
const BATCH_BYTES = 64 * 1024 * 1024;

export function formatOf(oid: string): ObjectFormat {
  return oid.length === 64 ? 'sha256' : 'sha1';
}

export function objectId({ type, content }: NewObject, format: ObjectFormat): string {
  return createHash(format).update(`${type} ${content.length}\0`).update(content).digest('hex');
}

/** What is there already is left as it is. */
export async function writeObjects(
  platform: Platform,
  place: Pick<GitOptions, 'cwd' | 'gitDir' | 'env'>,
  objects: readonly NewObject[],
  format: ObjectFormat,
): Promise<void> {
  let batch: NewObject[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await git(platform, ['unpack-objects', '-q'], { ...place, stdin: packOf(batch, format) });
    batch = [];
    bytes = 0;
  };
  for (const object of objects) {
    if (bytes + object.content.length > BATCH_BYTES) await flush();
    batch.push(object);
    bytes += object.content.length;
  }
  await flush();
}

/** A pack of whole objects. They are not compressed: git does that when it stores them. */
function packOf(objects: readonly NewObject[], format: ObjectFormat): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const body = [
    head,
    ...objects.flatMap(({ type, content }) => [sizeHeader(TYPES[type], content.length), deflateSync(content, { level: 0 })]),
  ];
  const hash = createHash(format);
  for (const part of body) hash.update(part);
  return Buffer.concat([...body, hash.digest()]);
}

/** Type and the lowest four bits of the size, then seven bits a byte. */
function sizeHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}
