/** The few looks at files that an answer in a moment needs: synchronous inside, and without what Node loads for everything else. */
import { lstatSync, writeSync } from 'node:fs';
import type { Files } from './files.ts';
import { readPlain } from './plain-file.ts';

export const quickFiles: Pick<Files, 'exists' | 'lstat' | 'readTextIfExists'> = {
  exists: async (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  lstat: async (path) => lstatSync(path, { bigint: true }),
  readTextIfExists: async (path) =>
    lstatSync(path, { throwIfNoEntry: false }) !== undefined ? (readPlain(path)?.toString('utf8') ?? null) : null,
};

/** To standard output; a reader that has gone away ends it. */
export function writeOut(text: string): void {
  for (let left = Buffer.from(text); left.length > 0;) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      if (error.code === 'EPIPE' || error.code === 'EIO') return;
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
