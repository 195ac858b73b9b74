/** A folder that only its owner can enter: made so, and made so where it is this user's and others could enter it. */
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const [OWNER, OTHERS] = [0o700, 0o077];

export function makePrivateFolder(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  mkdirSync(path, { recursive: true, mode: OWNER });
  const { mode, uid } = statSync(path);
  if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(path, OWNER);
}
