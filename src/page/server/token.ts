/** The token of the page, in `$HARNESS_HOME/ui.json`: readable by this user alone, the same after a restart, so that links keep working. */
import { join } from 'node:path';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { z } from '../../domain/zod.ts';
import { harnessHome } from '../../platform/harness-home.ts';
import { isoNow, type Platform } from '../../platform/platform.ts';
import { openHarnessHome } from '../../workspace/harness-home.ts';

const TokenSchema = z.looseObject({ schema_version: z.literal(1), token: z.string().regex(/^[0-9a-f]{64}$/) });
const PRIVATE = 0o600;

export function tokenFile(platform: Platform): string {
  return join(harnessHome(platform), 'ui.json');
}

/** `renew`: the one that was is worth nothing from now on. */
export async function readToken(platform: Platform, { renew }: { renew: boolean }): Promise<string> {
  const file = tokenFile(platform);
  const text = renew ? null : await platform.files.readTextIfExists(file).catch(() => null);
  const known = text === null ? null : tokenIn(text);
  if (known !== null) {
    await platform.files.chmod(file, PRIVATE);
    return known;
  }
  await openHarnessHome(platform, harnessHome(platform));
  const token = platform.random.id(32);
  const document = { schema_version: 1, harness_version: HARNESS_VERSION, created_at: isoNow(platform.clock), token };
  await platform.files.writeAtomic(file, `${JSON.stringify(document, null, 2)}\n`, PRIVATE);
  return token;
}

function tokenIn(text: string): string | null {
  try {
    return TokenSchema.parse(JSON.parse(text)).token;
  } catch {
    return null;
  }
}
