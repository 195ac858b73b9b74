/**
 * Seals: how a decision of a person is told from one that a project brought along.
 *
 * 1. A seal is an HMAC over the place (its real path) and what was decided, with a secret of `$HARNESS_HOME` that agents cannot read.
 * 2. The secret is made on first use: 32 random bytes, mode 0600, whole or not at all; of two processes at once both use the first one.
 * 3. A project that was moved or copied is another place: its decisions are asked for again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { usageError } from '../domain/errors.ts';
import { hasCode } from '../platform/files.ts';
import { harnessHome } from '../platform/harness-home.ts';
import type { Platform } from '../platform/platform.ts';

export interface Seal {
  of(...decided: readonly unknown[]): Promise<string>;
  fits(given: unknown, ...decided: readonly unknown[]): Promise<boolean>;
}

const SECRET_FILE = 'secret';
const SECRET_BYTES = 32;

export function sealFor(platform: Platform, folder: string): Seal {
  let known: Promise<{ secret: Buffer; place: string }> | null = null;
  const key = (): Promise<{ secret: Buffer; place: string }> => {
    known ??= keyOf(platform, folder);
    known.catch(() => (known = null));
    return known;
  };
  return sealWith(key);
}

/** For what never leaves the process. */
export function sealInMemory(): Seal {
  return sealWith(async () => ({ secret: Buffer.alloc(SECRET_BYTES), place: 'memory' }));
}

export function sealWith(key: () => Promise<{ secret: Buffer; place: string }>): Seal {
  const of: Seal['of'] = async (...decided) => {
    const { secret, place } = await key();
    return createHmac('sha256', secret)
      .update(canonical([place, ...decided]))
      .digest('hex');
  };
  return {
    of,
    fits: async (given, ...decided) => {
      if (typeof given !== 'string') return false;
      const [one, other] = [Buffer.from(given), Buffer.from(await of(...decided))];
      return one.length === other.length && timingSafeEqual(one, other);
    },
  };
}

async function keyOf(platform: Platform, folder: string): Promise<{ secret: Buffer; place: string }> {
  const [secret, above] = await Promise.all([readSecret(platform), platform.files.realpath(dirname(folder))]);
  return { secret, place: join(above, basename(folder)) };
}

async function readSecret(platform: Platform): Promise<Buffer> {
  const home = harnessHome(platform);
  const file = join(home, SECRET_FILE);
  const secret = (await readIfThere(platform, file)) ?? (await makeSecret(platform, home, file));
  if (secret.length === SECRET_BYTES) return secret;
  throw usageError(
    `${file} is damaged: it has ${secret.length} bytes instead of ${SECRET_BYTES}.`,
    'Remove it and run the command again. Decisions recorded before are then asked for again.',
  );
}

async function makeSecret(platform: Platform, home: string, file: string): Promise<Buffer> {
  await platform.files.mkdir(home);
  await platform.files.createExclusive(file, Buffer.from(platform.random.id(SECRET_BYTES), 'hex'), 0o600);
  return await platform.files.read(file);
}

async function readIfThere(platform: Platform, file: string): Promise<Buffer | null> {
  try {
    return await platform.files.read(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** One text for one value, whatever the order of its keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
