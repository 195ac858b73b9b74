/**
 * The way to the fleet's database: where its address is found.
 *
 * The address comes from the command line (which shows in lists of processes, so only for try-outs), from standard input, from
 * HARNESS_FLEET_URL, or from the user's settings. It is never part of an order, a document or a log.
 */
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { loadUserSettings } from '../config/user-settings.ts';
import { HarnessError, usageError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { harnessHome } from '../platform/harness-home.ts';
import type { Platform } from '../platform/platform.ts';
import { openDatabase, type Database } from './database.ts';
import { loadFleetPackages, type FleetPackages } from './packages.ts';

export const URL_VARIABLE = 'HARNESS_FLEET_URL';

export interface Address {
  /** What `--database` was given; `-` reads it from standard input. */
  given: string | null;
  input(): Promise<string>;
}

export async function findUrl(platform: Platform, { given, input }: Address): Promise<string | null> {
  const named = given === '-' ? (await input()).trim() : given;
  const found = named ?? (platform.env[URL_VARIABLE] || null) ?? (await loadUserSettings(platform)).fleet?.url ?? null;
  if (found === null) return null;
  if (!/^postgres(?:ql)?:\/\/\S+$/.test(found)) throw usageError('The address of the database must begin with postgresql://.');
  return found;
}

/** Into the user's own settings, which only the user can read from then on. */
export async function keepUrl(platform: Platform, url: string): Promise<string> {
  const folder = harnessHome(platform);
  const file = join(folder, 'config.yaml');
  const document = parseDocument((await platform.files.readTextIfExists(file)) ?? '');
  if (document.errors.length > 0) throw usageError(`${file} cannot be read.`, 'Repair it and run the command again.');
  document.setIn(['fleet', 'url'], url);
  await platform.files.mkdir(folder);
  await platform.files.writeAtomic(file, document.toString({ lineWidth: 0 }), 0o600);
  return file;
}

export interface Connection {
  packages: FleetPackages;
  url: string;
  pool: Database;
}

/** Runs with connections that are closed in the end. */
export async function connected<Result>(
  platform: Platform,
  address: Address & { connections?: number },
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const url = await findUrl(platform, address);
  if (url === null)
    throw usageError(
      'No database of a fleet is known here.',
      `Name it in ${URL_VARIABLE}, or set a fleet up with: harness fleet up --database URL`,
      'Any PostgreSQL from version 14 on will do, for example: sudo apt-get install postgresql',
    );
  const packages = await loadFleetPackages(platform);
  const pool = await openDatabase(platform, { url, connections: address.connections ?? 2 });
  try {
    await pool
      .patient(() => false)
      .query('SELECT 1')
      .catch((error: unknown) => {
        throw unreachable(error);
      });
    return await work({ packages, url, pool });
  } finally {
    await pool.end().catch(() => {});
  }
}

function unreachable(error: unknown): HarnessError {
  const said = error instanceof Error ? error.message || String(error) : String(error);
  return new HarnessError('The database of the fleet cannot be reached.', {
    exitCode: EXIT.preflight,
    next: 'retry_at',
    details: [`It said: ${said.split('\n')[0]}`, `Check ${URL_VARIABLE}, and that the database runs.`],
  });
}
