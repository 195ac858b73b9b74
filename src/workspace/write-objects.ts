/**
 * New objects for a repository, written as git writes them: each in a file of its own, under its id. No process is needed for that.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { NewFile } from '../platform/create-all.ts';
import type { Platform } from '../platform/platform.ts';

export interface NewObject {
  type: 'blob' | 'tree' | 'commit';
  content: Uint8Array;
}

export type ObjectFormat = 'sha1' | 'sha256';

const BATCH_BYTES = 64 * 1024 * 1024;

export function formatOf(oid: string): ObjectFormat {
  return oid.length === 64 ? 'sha256' : 'sha1';
}

export function objectId({ type, content }: NewObject, format: ObjectFormat): string {
  return createHash(format).update(`${type} ${content.length}\0`).update(content).digest('hex');
}

/** Into the repository whose objects lie below `gitDir`. What is there already is left as it is. */
export async function writeObjects(platform: Platform, gitDir: string, objects: readonly NewObject[], format: ObjectFormat): Promise<void> {
  let batch: NewFile[] = [];
  let bytes = 0;
  for (const object of objects) {
    if (bytes + object.content.length > BATCH_BYTES) {
      await platform.files.createAll(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(looseFile(gitDir, object, format));
    bytes += object.content.length;
  }
  if (batch.length > 0) await platform.files.createAll(batch);
}

/** Compressed little: git packs what lasts. */
function looseFile(gitDir: string, object: NewObject, format: ObjectFormat): NewFile {
  const id = objectId(object, format);
  const data = deflateSync(Buffer.concat([Buffer.from(`${object.type} ${object.content.length}\0`), object.content]), { level: 1 });
  return { path: join(gitDir, 'objects', id.slice(0, 2), id.slice(2)), data };
}
