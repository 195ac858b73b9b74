/** `npm run fleet`: projects of six features on real workers, a real PostgreSQL and real repositories; what they come to, and how fast. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase, type Database } from '../../../src/fleet/database.ts';
import { openEngine } from '../../../src/fleet/engine.ts';
import { loadFleetPackages } from '../../../src/fleet/packages.ts';
import { rowsOf } from '../../../src/fleet/rows.ts';
import { startPostgres, type Postgres } from '../../../src/fleet/test-support.ts';
import { nodePlatform } from '../../../src/platform/node-platform.ts';
import { CENTS, centsOf, copyShop, FEATURES, git, Machine, makeShop, outcomeOf, type Shop, type Started } from './shops.ts';

export const USAGE =
  'npm run fleet -- [--only books|faults|figures] [--projects N] [--workers N] [--rounds N] [--orders N] [--seconds N] [--seed N]';

interface Options {
  projects: number;
  workers: number;
  rounds: number;
  orders: number;
  /** How long each session of an agent takes beside its work. */
  seconds: number;
  seed: number;
}

interface Bench {
  program: string;
  folder: string;
  postgres: Postgres;
  template: Shop;
  one: Machine;
  options: Options;
}

const PACE = { HARNESS_FLEET_BEAT_MS: '500', HARNESS_FLEET_TIMEOUT_MS: '6000' };

export async function main(argv: readonly string[], root: string): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      projects: { type: 'string', default: '10' },
      workers: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '20' },
      orders: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
    },
  });
  const [projects, workers, rounds, orders, seconds, seed] = [
    values.projects,
    values.workers,
    values.rounds,
    values.orders,
    values.seconds,
    values.seed,
  ].map(Number) as [number, number, number, number, number, number];
  const folder = mkdtempSync(join(tmpdir(), 'harness fleet-'));
  const postgres = await startPostgres({ tcp: true });
  try {
    const program = join(root, 'bin/harness.js');
    const one = new Machine(program, join(folder, 'one'), {});
    const template = await makeShop(one, folder, seconds);
    const bench: Bench = {
      program,
      folder,
      postgres,
      template,
      one,
      options: { projects, workers, rounds, orders, seconds, seed },
    };
    const parts = Object.entries(PARTS).filter(([name]) => values.only === undefined || values.only === name);
    if (parts.length === 0) {
      console.error(`There is no part ${values.only ?? ''}. Known: ${Object.keys(PARTS).join(', ')}.`);
      return 2;
    }
    let wrong = 0;
    for (const [name, part] of parts) {
      console.log(`\n${name}`);
      wrong += await part(bench);
    }
    return wrong === 0 ? 0 : 1;
  } finally {
    await postgres.dispose();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<number>>> = {
  books: compareBooks,
  faults: surviveFaults,
  figures: tellFigures,
};

interface Fleet {
  url: string;
  person: Machine;
  shops: Shop[];
}

let fleets = 0;

async function openFleet({ postgres, program, folder, template }: Bench, projects: number): Promise<Fleet> {
  const name = `fleet_${(fleets += 1)}`;
  const admin = await openDatabase(nodePlatform({ PATH: process.env['PATH'] }), { url: postgres.tcpUrl });
  await admin.query(`CREATE DATABASE ${name}`).finally(() => admin.end());
  const url = postgres.tcpUrl.replace(/\/postgres$/, `/${name}`);
  const person = new Machine(program, join(folder, 'person'), fleetEnv(url));
  await person.run(folder, 'fleet', 'up');
  const place = join(folder, name);
  mkdirSync(place);
  const shops = Array.from({ length: projects }, (_, at) => copyShop(person, template, place, `shop-${at + 1}`));
  for (const { name: project, checkout, home } of shops) await person.run(checkout, 'fleet', 'add', '--project', project, '--remote', home);
  return { url, person, shops };
}

function fleetEnv(url: string): Record<string, string> {
  return { HARNESS_FLEET_URL: url, ...PACE };
}

let machines = 0;

function startWorker({ program, folder }: Bench, { url }: Fleet): Started {
  machines += 1;
  const machine = new Machine(program, join(folder, `machine-${machines}`), fleetEnv(url));
  return machine.start(folder, ['fleet', 'worker', '--json', '--name', `m${machines}`]);
}

interface Standing {
  name: string;
  state: string;
  rests: string | null;
  features: { verified: number };
}

async function standings({ person, shops }: Fleet): Promise<Standing[]> {
  const { stdout } = await person.run(shops[0]!.checkout, 'fleet', 'status', '--json');
  return (JSON.parse(stdout) as { projects: Standing[] }).projects;
}

async function untilAllRest(fleet: Fleet, minutes = 30): Promise<Standing[]> {
  for (const end = Date.now() + minutes * 60_000; Date.now() < end; await sleep(1_000)) {
    const all = await standings(fleet);
    if (all.every(({ state, rests }) => state === 'resting' && rests !== null)) return all;
  }
  throw new Error(`not all projects rest after ${minutes} minutes`);
}

async function endAll(workers: readonly Started[]): Promise<void> {
  for (const { child } of workers) child.kill('SIGTERM');
  await Promise.all(workers.map(({ ended }) => Promise.race([ended, sleep(30_000)])));
  for (const { child } of workers) if (child.exitCode === null) child.kill('SIGKILL');
}

/** The same projects on one machine, one after the other, and in the fleet: features, files of each commit, books to the cent, time. */
async function compareBooks(bench: Bench): Promise<number> {
  const { options, one, folder, template } = bench;
  const alone = join(folder, 'alone');
  cpSync(template.checkout, alone, { recursive: true, verbatimSymlinks: true });
  const begun = performance.now();
  await one.run(alone, 'run', '--until-done');
  const single = performance.now() - begun;
  const wanted = { ...outcomeOf(one, alone), cents: await centsOf(one, alone) };

  const fleet = await openFleet(bench, options.projects);
  const workers = Array.from({ length: options.workers }, () => startWorker(bench, fleet));
  const from = performance.now();
  for (const { name, checkout } of fleet.shops) await fleet.person.run(checkout, 'fleet', 'run', '--project', name, '--until-done');
  await untilAllRest(fleet);
  const makespan = performance.now() - from;
  await endAll(workers);

  const wrong: string[] = [];
  for (const { name, checkout, home } of fleet.shops) {
    const found = outcomeOf(fleet.person, home);
    await fleet.person.run(checkout, 'fleet', 'remove', '--project', name);
    const cents = await centsOf(fleet.person, checkout);
    if (found.features.join() !== wanted.features.join()) wrong.push(`${name}: features ${found.features.join()}`);
    if (found.files.join('\n\n') !== wanted.files.join('\n\n')) wrong.push(`${name}: other files`);
    if (cents !== CENTS || wanted.cents !== CENTS) wrong.push(`${name}: ${cents} cents, on one machine ${wanted.cents}`);
  }
  const bound = (single * options.projects) / options.workers;
  console.log(`  ${options.projects} projects of ${FEATURES} features on ${options.workers} workers`);
  console.log(`  one project on one machine    ${seconds(single)}`);
  console.log(`  makespan                      ${seconds(makespan)}, ${(makespan / bound).toFixed(2)} x the bound of ${seconds(bound)}`);
  console.log(`  differences                   ${wrong.length}${wrong.map((line) => `\n    ${line}`).join('')}`);
  return wrong.length;
}

/** Kills, stops and starts at random moments; then every feature is there once, and the books are complete. */
async function surviveFaults(bench: Bench): Promise<number> {
  const { options } = bench;
  const chance = chances(options.seed);
  const fleet = await openFleet(bench, Math.min(options.projects, 4));
  const workers = Array.from({ length: options.workers }, () => startWorker(bench, fleet));
  for (const { name, checkout } of fleet.shops) await fleet.person.run(checkout, 'fleet', 'run', '--project', name, '--until-done');
  const count = { SIGKILL: 0, 'SIGSTOP and SIGCONT': 0, 'database killed': 0 };
  for (let round = 0; round < options.rounds; round += 1) {
    await sleep(500 + chance() * 4_000);
    const at = Math.floor(chance() * workers.length);
    const { child } = workers[at]!;
    const kind = chance();
    if (kind < 0.5) {
      count.SIGKILL += 1;
      child.kill('SIGKILL');
      workers[at] = startWorker(bench, fleet);
    } else if (kind < 0.85) {
      count['SIGSTOP and SIGCONT'] += 1;
      child.kill('SIGSTOP');
      await sleep(chance() < 0.5 ? 1_000 : 8_000);
      child.kill('SIGCONT');
      await Promise.race([workers[at]!.ended, sleep(1_500)]);
      if (child.exitCode !== null) workers[at] = startWorker(bench, fleet);
    } else {
      count['database killed'] += 1;
      await bench.postgres.stop('SIGKILL');
      await sleep(1_000 + chance() * 4_000);
      await bench.postgres.start();
    }
  }
  const revive = setInterval(() => {
    for (const [at, { child }] of workers.entries())
      if (child.exitCode !== null || child.signalCode !== null) workers[at] = startWorker(bench, fleet);
  }, 1_000);
  const all = await untilAllRest(fleet).finally(() => clearInterval(revive));
  await endAll(workers);
  const wrong: string[] = [];
  for (const { name, home } of fleet.shops) {
    const { features } = outcomeOf(fleet.person, home);
    const rested = all.find((one) => one.name === name);
    if (rested?.rests !== 'complete') wrong.push(`${name} rests as ${rested?.rests ?? 'nothing'}`);
    if (new Set(features).size !== FEATURES) wrong.push(`${name}: lost, there are ${features.join()}`);
    if (new Set(features).size !== features.length) wrong.push(`${name}: doubled, there are ${features.join()}`);
    const refs = git(fleet.person, home, 'for-each-ref', '--format=%(refname)', 'refs/heads');
    if (refs !== 'refs/heads/main') wrong.push(`${name}: branches ${refs}`);
  }
  console.log(
    `  ${Object.entries(count)
      .map(([kind, times]) => `${times} x ${kind}`)
      .join(', ')}; ${fleet.shops.length} projects, ${options.workers} workers`,
  );
  console.log(`  lost, doubled, left over      ${wrong.length}${wrong.map((line) => `\n    ${line}`).join('')}`);
  return wrong.length;
}

/** The engine with work that takes no time, and a worker that has nothing to do. */
async function tellFigures(bench: Bench): Promise<number> {
  const fleet = await openFleet(bench, 1);
  const platform = nodePlatform({ PATH: process.env['PATH'] });
  const pool = await openDatabase(platform, { url: fleet.url, connections: 8 });
  const worker = startWorker(bench, fleet);
  await untilBeats(pool);
  await sleep(3_000);
  const [before, cpu] = [await commits(pool), processorMs(worker)];
  await sleep(IDLE_MS);
  const idle = ((await commits(pool)) - before) / (IDLE_MS / 1_000);
  const busy = (processorMs(worker) - cpu) / IDLE_MS;
  const [connections] = await rowsOf<{ count: number }>(
    pool,
    'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  console.log(
    `  idle worker                   ${idle.toFixed(1)} transactions/s, ${(100 * busy).toFixed(1)} % of a core, ${memoryOf(worker)} MB, ${connections!.count} connections (8 of them of this check at most)`,
  );
  await endAll([worker]);
  await engineFigures(bench, fleet, pool);
  await pool.end();
  return 0;
}

async function engineFigures({ options }: Bench, { url }: Fleet, pool: Database): Promise<void> {
  const packages = await loadFleetPackages(nodePlatform({ PATH: process.env['PATH'] }));
  const warn = (): void => {};
  const me = 'figures.here.1.0';
  await pool.query("INSERT INTO fleet.worker (id, host, version, slots, state) VALUES ($1, 'here', '0', 64, 'alive')", [me]);
  const engine = await openEngine(packages, { url, pool, me, slots: 64, labels: [], warn });
  const began = new Map<string, number>();
  let done: () => void = () => {};
  await engine.work(async ({ project }) => {
    began.set(project, performance.now());
    if (began.size === options.orders + LATENCIES) done();
    return { exitCode: 0, outcome: 'complete', reasons: [], message: '' };
  });
  const order = (project: string) => ({
    project,
    remote: '',
    branch: 'main',
    flow: 'project' as const,
    account: 'default',
    needs: [],
    wish: { sessions: 1, lanes: null },
  });
  const latencies: number[] = [];
  for (let at = 0; at < LATENCIES; at += 1) {
    const sent = performance.now();
    await engine.send(order(`latency-${at}`), {});
    while (!began.has(`latency-${at}`)) await sleep(2);
    latencies.push(began.get(`latency-${at}`)! - sent);
  }
  const finished = new Promise<void>((resolve) => (done = resolve));
  const from = performance.now();
  await Promise.all(Array.from({ length: options.orders }, (_, at) => engine.send(order(`order-${at}`), {})));
  const sent = performance.now() - from;
  await Promise.race([finished, sleep(120_000)]);
  const drained = performance.now() - from;
  await engine.close();
  const middle = latencies.toSorted((a, b) => a - b)[Math.floor(LATENCIES / 2)]!;
  console.log(`  from send to start            ${middle.toFixed(0)} ms (median of ${LATENCIES})`);
  console.log(
    `  orders                        ${((1_000 * options.orders) / sent).toFixed(0)}/s sent, ${((1_000 * (began.size - LATENCIES)) / drained).toFixed(0)}/s begun on one worker with 64 slots (${began.size - LATENCIES} of ${options.orders})`,
  );
}

const IDLE_MS = 20_000;
const LATENCIES = 20;

async function untilBeats(pool: Database): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const rows = await rowsOf(pool, "SELECT 1 FROM fleet.worker WHERE state = 'alive'");
    if (rows.length > 0) return;
    await sleep(100);
  }
  throw new Error('the worker does not beat');
}

async function commits(pool: Database): Promise<number> {
  const [row] = await rowsOf<{ count: string }>(
    pool,
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(row?.count);
}

/** Of the worker's process alone. */
function processorMs({ child }: Started): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function memoryOf({ child }: Started): string {
  const path = `/proc/${child.pid}/status`;
  const kilobytes = existsSync(path) ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1]) : Number.NaN;
  return (kilobytes / 1_024).toFixed(0);
}

function chances(seed: number): () => number {
  let state = seed * 7_919;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
