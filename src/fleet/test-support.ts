/** For tests only: a real PostgreSQL server of its own, in a temporary folder, as a user without rights. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Writer } from '../store/pg-store.ts';
import { openDatabase, type Database } from './database.ts';
import { migrate } from './schema.ts';

export interface Postgres {
  /** Over a socket in its folder. */
  url: string;
  /** Over TCP on loopback, where that was asked for; a connection without its password is refused. */
  tcpUrl: string;
  /** How it is stopped: SIGINT ends it in order, SIGQUIT at once, SIGKILL as a crash. */
  stop(signal?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

const HOMES = '/usr/lib/postgresql';

function programs(): string | null {
  const versions = existsSync(HOMES) ? readdirSync(HOMES).toSorted((one, other) => Number(other) - Number(one)) : [];
  const folders = [...versions.map((version) => join(HOMES, version, 'bin')), ...(process.env['PATH'] ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}

const found = programs();
export const hasPostgres = found !== null;
export const WITHOUT_POSTGRES = 'PostgreSQL is not installed: sudo apt-get install postgresql';

export async function startPostgres({ tcp = false }: { tcp?: boolean } = {}): Promise<Postgres> {
  if (found === null) throw new Error(WITHOUT_POSTGRES);
  const folder = mkdtempSync('/tmp/harness-pg-');
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const as = asUnprivileged([folder, data]);
  const run = (program: string, ...args: string[]): [string, string[]] => [
    as[0] ?? program,
    [...as.slice(1), ...(as.length > 0 ? [program] : []), ...args],
  ];
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8', HOME: folder };
  const password = randomBytes(12).toString('hex');
  writeFileSync(join(folder, 'password'), password);
  const access = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${join(folder, 'password')}`];
  const [file, args] = run(join(found, 'initdb'), '-D', data, '-U', 'harness', ...access, '--no-sync', '-E', 'UTF8');
  execFileSync(file, args, { env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const port = tcp ? await freePort() : 5432;
  const url = `postgresql://harness@/postgres?host=${encodeURIComponent(folder)}&port=${port}`;
  let server: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const settings = [
      'fsync=off',
      `listen_addresses=${tcp ? '127.0.0.1' : ''}`,
      `port=${port}`,
      `unix_socket_directories=${folder}`,
      'max_connections=100',
    ];
    const [program, words] = run(join(found, 'postgres'), '-D', data, ...settings.flatMap((setting) => ['-c', setting]));
    // After a kill it refuses to start until the last process of the old server is gone.
    do {
      server = spawn(program, words, { env, cwd: folder, stdio: 'ignore' });
    } while (!(await ready(url, server)));
  };
  const stop: Postgres['stop'] = async (signal = 'SIGINT') => {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
    server = null;
  };
  await start();
  return {
    url,
    tcpUrl: `postgresql://harness:${password}@127.0.0.1:${port}/postgres`,
    start,
    stop,
    dispose: async () => {
      await stop('SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface FleetBench {
  postgres: Postgres;
  database: Database;
  /** Registers a project, as `harness fleet add` does. */
  addProject(name: string): Promise<void>;
  /** Registers a member that is alive until it is declared dead. */
  join(id: string): Promise<TestMember>;
  dispose(): Promise<void>;
}

export interface TestMember extends Writer {
  /** As liveness does it: the row first; `lost` only where the member itself hears of it. */
  declareDead(hears?: boolean): Promise<void>;
}

export async function createFleetBench(options: { tcp?: boolean } = {}): Promise<FleetBench> {
  const postgres = await startPostgres(options);
  const database = await openDatabase(nodePlatform({ PATH: process.env['PATH'] }), { url: postgres.url });
  await migrate(database);
  return {
    postgres,
    database,
    addProject: async (name) => {
      const add = `insert into fleet.project (name, secret, remote, branch) values ($1, decode(repeat('ab', 32), 'hex'), $2, 'main')`;
      await database.query(add, [name, `file:///nowhere/${name}.git`]);
    },
    join: async (id) => {
      await database.query(`insert into fleet.worker (id, host, version, slots, state) values ($1, 'here', '0', 1, 'alive')`, [id]);
      const lost = new AbortController();
      return {
        id,
        sure: () => !lost.signal.aborted,
        lost: lost.signal,
        declareDead: async (hears = false) => {
          await database.query(`update fleet.worker set state = 'dead' where id = $1`, [id]);
          if (hears) lost.abort();
        },
      };
    },
    dispose: async () => {
      await database.end();
      await postgres.dispose();
    },
  };
}

/** PostgreSQL refuses to run as root. */
function asUnprivileged(folders: readonly string[]): string[] {
  if (process.getuid?.() !== 0) return [];
  const id = (which: '-u' | '-g'): number => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }).trim());
  const [user, group] = [id('-u'), id('-g')];
  for (const folder of folders) chownSync(folder, user, group);
  return ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups', '--'];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  server.close();
  await once(server, 'close');
  return port;
}

const STARTS = 100;
let refused = 0;

/** False: it ended at once, and may be started again. */
async function ready(url: string, server: ChildProcess): Promise<boolean> {
  for (;;) {
    if (server.exitCode !== null) {
      refused += 1;
      if (refused > STARTS) throw new Error(`PostgreSQL ended with status ${server.exitCode}`);
      await sleep(100);
      return false;
    }
    const database = await openDatabase(nodePlatform({ PATH: process.env['PATH'] }), { url, patienceMs: 0 });
    const answered = await database.query('select 1').then(
      () => true,
      () => false,
    );
    await database.end();
    if (answered) return true;
    await sleep(50);
  }
}
