/**
 * Lends an agent copies of the user's own files, so that it can log in without being able to change what else lies beside them.
 *
 * 1. The agent gets a private folder with copies; settings, hooks and history of the user's own agent stay out of its reach.
 * 2. A copy goes back only if the agent changed it to something sound and the user's file is still the one that was lent:
 *    logins are renewed while an agent works, and the old ones end with it.
 * 3. What is given back is a plain file of bounded size in the very folder that was lent, never what a link points to.
 */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';

export interface Loan {
  from: string;
  to: string;
  /** Given to the agent, never taken back. */
  given: readonly string[];
  /** Taken back when it is sound. */
  lent: readonly { name: string; sound(text: string): boolean }[];
}

const MOST_BYTES = 256n * 1024n;

/** The result takes back what may go back and removes the private folder. */
export async function lendFiles(platform: Platform, loan: Loan): Promise<() => Promise<void>> {
  const { files } = platform;
  await files.remove(loan.to);
  await files.mkdir(loan.to);
  await files.chmod(loan.to, 0o700);
  const made = await files.lstat(loan.to);
  const originals = new Map<string, string>();
  for (const name of [...loan.given, ...loan.lent.map((entry) => entry.name)]) {
    const text = await files.readTextIfExists(join(loan.from, name));
    if (text === null) continue;
    originals.set(name, text);
    await files.write(join(loan.to, name), text, 0o600);
  }
  return async () => {
    const now = await files.lstat(loan.to).catch(() => null);
    const isOwn = now?.isDirectory() === true && now.ino === made.ino && now.dev === made.dev;
    for (const { name, sound } of isOwn ? loan.lent : []) {
      const original = originals.get(name);
      const changed = original === undefined ? null : await plainText(platform, join(loan.to, name));
      if (changed === null || changed === original || !sound(changed)) continue;
      if ((await files.readTextIfExists(join(loan.from, name))) === original)
        await files.writeAtomic(join(loan.from, name), changed, 0o600);
    }
    await files.remove(loan.to);
  };
}

async function plainText({ files }: Platform, path: string): Promise<string | null> {
  const info = await files.lstat(path).catch(() => null);
  return info !== null && info.isFile() && info.nlink === 1n && info.size <= MOST_BYTES ? files.readTextIfExists(path) : null;
}

/** Reads JSON that should be an object; null for anything else. */
export function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
