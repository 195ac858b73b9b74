/** Kept apart from the other looks at files, which load more of Node than an answer in a moment may. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const LARGE_BYTES = 16 * 1024 * 1024;

/** The content of a plain file; undefined where it is something else, or very large. A pipe in its place does not hold the process up. */
export function readPlain(path: string): Buffer | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size <= LARGE_BYTES ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}
