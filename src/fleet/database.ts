/**
 * The database of a fleet: the only file that loads the driver, which is no part of the program.
 *
 * 1. A single statement is repeated while the database is away: all of ours can be repeated. What is inside a transaction is not.
 * 2. Waiting ends with the patience of the caller; then the error of the last try is thrown.
 * 3. A connection that stops inside a transaction is closed by the server, so that it holds no lock for long.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findPackage } from '../agents/installed.ts';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { Clock, Platform } from '../platform/platform.ts';
import type { Pool } from '../store/pg-store.ts';
import type { Transactions } from './schema.ts';

/** The name of the folder in the cache of optional parts. */
export const FLEET_FOLDER = 'fleet';

export interface Database extends Transactions {
  /** The same connections for a caller that waits as long as `patient` says. */
  patient(patient: () => boolean): Pool;
  end(): Promise<void>;
}

interface Connection extends Pool {
  release(broken?: boolean): void;
}

interface Driver {
  Pool: new (options: Record<string, unknown>) => Pool & {
    connect(): Promise<Connection>;
    end(): Promise<void>;
    on(event: 'error', listener: () => void): void;
  };
}

export interface DatabaseOptions {
  url: string;
  connections?: number;
  /** How long a statement waits for a database that is away. */
  patienceMs?: number;
}

const IDLE_IN_TRANSACTION_MS = 5_000;
const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
const PATIENCE_MS = 20_000;

export async function openDatabase(platform: Platform, options: DatabaseOptions): Promise<Database> {
  const { Pool: DriverPool } = await loadDriver(platform);
  const pool = new DriverPool({
    connectionString: options.url,
    max: options.connections ?? 4,
    application_name: 'harness',
    connectionTimeoutMillis: CONNECT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + CONNECT_MS,
    allowExitOnIdle: true,
  });
  // An idle connection that breaks is replaced with the next statement.
  pool.on('error', () => {});
  const within = (ms: number): (() => boolean) => {
    const until = platform.clock.monotonic() + ms;
    return () => platform.clock.monotonic() < until;
  };
  const patient = (isPatient: () => boolean): Pool => ({
    query: (text, values) => repeated(platform.clock, isPatient, () => pool.query(text, values)),
  });
  return {
    query: (text, values) => patient(within(options.patienceMs ?? PATIENCE_MS)).query(text, values),
    patient,
    transaction: async (work) => {
      const connection = await repeated(platform.clock, within(options.patienceMs ?? PATIENCE_MS), () => pool.connect());
      try {
        await connection.query('begin');
        const result = await work(connection);
        await connection.query('commit');
        connection.release();
        return result;
      } catch (error) {
        // Closing it takes back what was begun.
        connection.release(true);
        throw error;
      }
    },
    end: () => pool.end(),
  };
}

async function loadDriver(platform: Platform): Promise<Driver> {
  const found = await findPackage(platform, FLEET_FOLDER, 'pg');
  if (found !== null) return createRequire(join(found.folder, 'package.json'))('pg') as Driver;
  throw new HarnessError('The database driver of the fleet is not installed.', {
    exitCode: EXIT.preflight,
    details: ['Install it with: harness doctor --fix fleet'],
  });
}

async function repeated<Result>(clock: Clock, isPatient: () => boolean, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || !isPatient()) throw error;
      await clock.sleep(Math.min(50 * 2 ** attempt, 1_000));
    }
  }
}

/** The server is not there, is starting or stopping, has no free connection, or gave this statement up for the sake of another. */
function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && AWAY.test(code)) return true;
  return (
    typeof message === 'string' && /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered/.test(message)
  );
}

const AWAY = /^(?:ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|08...|57P0[1-5]|53300|40001|40P01)$/;
