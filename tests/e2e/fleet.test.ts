/** The fleet on real PostgreSQL, with a real bare repository as home and the command backend as agent. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { openDatabase } from '../../src/fleet/database.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { writeFile } from 'node:fs/promises';
import { hasPostgres, startPostgres, type Postgres } from '../../src/fleet/test-support.ts';
import { HONEST_BOTH, projectWithAgent } from './calculator.ts';
import { MISSION_AGENT, planOf } from './mission-agent.ts';
import { eventsOf, exists, git, harness, makeScene, snapshot, startHarness, type Scene, type Started } from './support.ts';

let postgres: Postgres;
const started: Started[] = [];

beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres({ tcp: true });
});
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await postgres?.dispose();
});

/** The person's checkout with its bare repository, and a machine of the fleet beside it. */
interface Fleet {
  scene: Scene;
  remote: string;
  machine: Scene;
}

async function fleetScene(script: string, settings = ''): Promise<Fleet> {
  return await inFleet(await projectWithAgent(script, { checked: true, settings }));
}

async function inFleet(scene: Scene): Promise<Fleet> {
  const remote = join(scene.folder, 'home.git');
  const branch = await git(scene, 'branch', '--show-current');
  await promisify(execFile)('git', ['init', '-q', '--bare', `--initial-branch=${branch}`, remote]);
  await git(scene, 'push', '-q', remote, 'HEAD');
  Object.assign(scene.env, { HARNESS_FLEET_URL: await newDatabase(), ...PACE });
  await writeFile(join(scene.env['HOME']!, 'port'), new URL(postgres.tcpUrl).port);
  return { scene, remote, machine: machineOf(scene, 'machine') };
}

/** Beats fast, so that the dead are found soon. */
const PACE = { HARNESS_FLEET_BEAT_MS: '500', HARNESS_FLEET_TIMEOUT_MS: '4000' };

async function newDatabase(): Promise<string> {
  const name = `fleet_${(databases += 1)}`;
  const database = await openDatabase(nodePlatform({ PATH: process.env['PATH'] }), { url: postgres.tcpUrl });
  await database.query(`CREATE DATABASE ${name}`).finally(() => database.end());
  return postgres.tcpUrl.replace(/\/postgres$/, `/${name}`);
}

let databases = 0;

/** Another machine of the same user: nothing of the harness's own is shared. */
function machineOf(scene: Scene, name: string): Scene {
  return { ...scene, project: scene.folder, env: { ...scene.env, HARNESS_HOME: join(scene.folder, name) } };
}

async function added({ scene, remote }: Fleet, project = 'shop'): Promise<void> {
  for (const args of [['up'], ['add', '--project', project, '--remote', remote]]) {
    const ran = await harness(scene, 'fleet', ...args);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
  }
}

interface Status {
  workers: { id: string; state: string }[];
  purses: { account: string; limit_usd: number; spent_usd: number; reserved_usd: number; under_way: number }[];
  projects: { name: string; state: string; rests: string | null; waits: string[]; features: { total: number; verified: number } }[];
}

async function statusOf(scene: Scene): Promise<Status> {
  return JSON.parse((await harness(scene, 'fleet', 'status', '--json')).stdout) as Status;
}

/** The first of them in whose sessions the agent says this. */
async function heardIn(workers: readonly Started[], words: string): Promise<Started> {
  await expect.poll(() => workers.some((worker) => worker.seen().includes(words)), { timeout: 120_000 }).toBe(true);
  return workers.find((worker) => worker.seen().includes(words))!;
}

async function subjects(scene: Scene, remote: string): Promise<string[]> {
  return (await git(scene, '--git-dir', remote, 'log', '--format=%s')).split('\n').filter((line) => line.startsWith('Feature'));
}

function startWorker(machine: Scene, ...args: string[]): Started {
  const worker = startHarness(machine, ['fleet', 'worker', '--json', ...args]);
  started.push(worker);
  return worker;
}

test.runIf(hasPostgres)('up, add, worker, run: the project is driven on another machine, and its checkout stays as it is', async () => {
  const { scene, remote, machine } = await fleetScene(HONEST_BOTH);
  const up = await harness(scene, 'fleet', 'up', '--json');
  expect(up, up.stderr).toMatchObject({ code: 0 });
  const before = await snapshot(scene, { state: true });
  const put = await harness(scene, 'fleet', 'add', '--project', 'shop', '--remote', remote);
  expect(put, put.stderr).toMatchObject({ code: 0 });

  const worker = startWorker(machine, '--name', 'one');
  const run = await harness(scene, 'fleet', 'run', '--project', 'shop', '--until-done', '--wait', '--json');
  expect(run, run.stderr + worker.seen()).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await snapshot(scene, { state: true })).toEqual(before);
  expect(await exists(join(scene.env['HARNESS_HOME']!, 'fleet'))).toBe(false);

  await git(scene, 'pull', '-q', '--ff-only', remote, 'HEAD');
  expect((await git(scene, 'log', '--format=%s', '-2')).split('\n')).toEqual([
    'Feature #3: A user multiplies two numbers',
    'Feature #2: A user subtracts two numbers',
  ]);
  const status = JSON.parse((await harness(scene, 'fleet', 'status', '--json')).stdout) as unknown;
  expect(status).toMatchObject({
    workers: [{ state: 'alive', slots: 1 }],
    projects: [{ name: 'shop', state: 'resting', rests: 'complete', waits: [], features: { total: 3, verified: 3 } }],
    queued: 0,
  });

  worker.child.kill('SIGTERM');
  const left = await worker.ended;
  expect(left, left.stderr).toMatchObject({ code: 0 });
  expect(eventsOf(left, 'session.end').map(({ outcome }) => outcome)).toEqual(['verified', 'verified']);

  const removed = await harness(scene, 'fleet', 'remove', '--project', 'shop');
  expect(removed, removed.stderr).toMatchObject({ code: 0 });
  const alone = await harness(scene, 'run', '--until-done', '--json');
  expect(alone, alone.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
});

const BOTH = ['Feature #3: A user multiplies two numbers', 'Feature #2: A user subtracts two numbers'];
/** Waits in the first session until it is told to go on. */
const WAITS = `psql -w -h 127.0.0.1 -p "$(cat "$HOME/port")" -U harness -d postgres -c 'select 1' 2>&1 | grep -q 'no password supplied' && echo connection: refused
(env; cat /proc/[0-9]*/environ; cat "$HOME"/../*/config.yaml) 2>/dev/null | grep -qa postgresql: || echo credentials: none
echo at work; while [ ! -e "$HOME/go" ]; do sleep 0.1; done\n${HONEST_BOTH}`;

test.runIf(hasPostgres)('kill -9 in the middle of a session: another machine goes on, and every feature lands once', async () => {
  const fleet = await fleetScene(WAITS);
  const { scene, remote } = fleet;
  await added(fleet);
  const workers = ['one', 'two'].map((name) => startWorker(machineOf(scene, name), '--name', name));
  const run = startHarness(scene, ['fleet', 'run', '--project', 'shop', '--until-done', '--wait', '--json']);
  started.push(run);
  const first = await heardIn(workers, 'at work');
  // The agent finds neither the address in its environment nor anywhere it can read.
  expect(first.seen()).toMatch(/connection: refused[^]*credentials: none/);
  first.child.kill('SIGKILL');
  await writeFile(join(scene.env['HOME']!, 'go'), '');
  const ended = await run.ended;
  expect(ended, ended.stderr + workers.map((worker) => worker.seen()).join('\n')).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await subjects(scene, remote)).toEqual(BOTH);
  const { workers: machines, projects } = await statusOf(scene);
  expect(machines.map(({ state }) => state)).toEqual(['alive', 'dead']);
  expect(projects).toMatchObject([{ state: 'resting', rests: 'complete', features: { total: 3, verified: 3 } }]);
  // What both machines did is in one journal, for whoever asks.
  const log = await harness(scene, 'log', 'query', 'type=session.end', '--project', 'shop', '--json');
  expect(log.stdout.match(/"outcome":"verified"/g)).toHaveLength(2);
  const status = await harness(scene, 'status', '--project', 'shop', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ features: { passing: 3, total: 3 } });
});

test.runIf(hasPostgres && isLong)('a stopped machine goes on after it was declared dead: it lands nothing and exits 9', async () => {
  const fleet = await fleetScene(WAITS);
  const { scene, remote } = fleet;
  await added(fleet);
  const workers = ['one', 'two'].map((name) => startWorker(machineOf(scene, name), '--name', name));
  const run = startHarness(scene, ['fleet', 'run', '--project', 'shop', '--until-done', '--wait', '--json']);
  started.push(run);
  const first = await heardIn(workers, 'at work');
  first.child.kill('SIGSTOP');
  await expect.poll(async () => (await statusOf(scene)).workers.map(({ state }) => state), { timeout: 60_000 }).toContain('dead');
  await writeFile(join(scene.env['HOME']!, 'go'), '');
  first.child.kill('SIGCONT');
  const zombie = await first.ended;
  expect(zombie, zombie.stderr).toMatchObject({ code: 9 });
  expect(await run.ended).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await subjects(scene, remote)).toEqual(BOTH);
});

test.runIf(hasPostgres && isLong)('the database is stopped, and killed, in the middle of a session', async () => {
  const fleet = await fleetScene(WAITS);
  const { scene, remote } = fleet;
  await added(fleet);
  const worker = startWorker(machineOf(scene, 'one'), '--name', 'one');
  expect(await harness(scene, 'fleet', 'run', '--project', 'shop', '--until-done')).toMatchObject({ code: 0 });
  await heardIn([worker], 'at work');
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    await postgres.stop(signal);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    await postgres.start();
  }
  await writeFile(join(scene.env['HOME']!, 'go'), '');
  await expect.poll(async () => (await statusOf(scene)).projects[0]?.rests, { timeout: 120_000 }).toBe('complete');
  expect(await subjects(scene, remote)).toEqual(BOTH);
  expect((await statusOf(scene)).workers.map(({ state }) => state)).toEqual(['alive']);
});

test.runIf(hasPostgres)('a question is answered from another machine, and pause, resume, skip and stop reach the drive', async () => {
  const fleet = await fleetScene(HONEST_BOTH, 'verification:\n  harness_verify: false\n');
  const { scene, remote, machine } = fleet;
  await added(fleet);
  const person = machineOf(scene, 'laptop');
  const worker = startWorker(machine, '--name', 'one');
  const run = await harness(scene, 'fleet', 'run', '--project', 'shop', '--wait', '--json');
  expect(run, run.stderr + worker.seen()).toMatchObject({ code: 8 });
  const [gate] = JSON.parse((await harness(person, 'gates', '--project', 'shop', '--json')).stdout) as { id: string }[];
  expect((await statusOf(scene)).projects).toMatchObject([{ state: 'resting', waits: [gate!.id] }]);
  const skipped = await harness(person, 'skip', '--feature', '3', '--project', 'shop', '--json');
  expect(skipped, skipped.stderr).toMatchObject({ code: 0 });
  const answered = await harness(person, 'answer', gate!.id, '1', '--project', 'shop');
  expect(answered, answered.stderr).toMatchObject({ code: 0 });
  await expect.poll(() => subjects(scene, remote), { timeout: 120_000 }).toEqual([BOTH[1]]);
  await expect.poll(async () => (await statusOf(scene)).projects[0]?.state, { timeout: 60_000 }).toBe('resting');
  expect(await harness(person, 'pause', '--project', 'shop')).toMatchObject({ code: 0 });
  const paused = await harness(scene, 'fleet', 'run', '--project', 'shop', '--wait', '--json');
  expect(paused.last).toMatchObject({ exit_code: 10, reasons: ['user_pause'] });
  expect(await harness(person, 'resume', '--project', 'shop')).toMatchObject({ code: 0 });
  expect(await harness(person, 'stop', '--project', 'shop')).toMatchObject({ code: 0 });
  expect(worker.child.exitCode).toBe(null);
});

const COSTS = `echo '{"type":"usage","input_tokens":900,"output_tokens":100,"cost_usd":0.05}'\n${HONEST_BOTH}`;

test.runIf(hasPostgres)('a purse over two projects is not exceeded, and they go on when it is raised', async () => {
  const shop = await fleetScene(COSTS, 'costs:\n  per_session_usd: 0.2\n');
  const stall = await fleetScene(COSTS, 'costs:\n  per_session_usd: 0.2\n');
  Object.assign(stall.scene.env, { HARNESS_FLEET_URL: shop.scene.env['HARNESS_FLEET_URL'] });
  await added(shop);
  await added(stall, 'stall');
  const twin = await harness(shop.scene, 'fleet', 'add', '--project', 'twin', '--remote', shop.remote);
  expect(twin).toMatchObject({ code: 2, stderr: expect.stringContaining('is the home of shop') });
  const { scene } = shop;
  const set = await harness(scene, 'fleet', 'purse', '--usd', '0.12', '--json');
  expect(JSON.parse(set.stdout), set.stderr).toMatchObject({ purses: [{ account: 'default', limit_usd: 0.12, spent_usd: 0 }] });
  startWorker(shop.machine, '--name', 'one', '--slots', '2');
  for (const name of ['shop', 'stall'])
    expect(await harness(scene, 'fleet', 'run', '--project', name, '--until-done')).toMatchObject({ code: 0 });
  const resting = async (): Promise<unknown> => {
    const { projects } = await statusOf(scene);
    const landed = projects.reduce((sum, { features }) => sum + features.verified - 1, 0);
    return { landed, isWaiting: projects.some(({ rests }) => rests === 'escalated'), states: projects.map(({ state }) => state) };
  };
  // Which of the two gets what there is does not matter.
  await expect.poll(resting, { timeout: 180_000, interval: 1_000 }).toEqual({ landed: 2, isWaiting: true, states: ['resting', 'resting'] });
  expect((await statusOf(scene)).purses).toMatchObject([{ spent_usd: expect.closeTo(0.1, 6), reserved_usd: 0, under_way: 0 }]);
  for (const [option, value] of [
    ['--usd', 'a lot'],
    ['--usd', '-1'],
    ['--sessions', '1.5'],
    ['--at-once', '0'],
  ] as const)
    expect(await harness(scene, 'fleet', 'purse', `${option}=${value}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a limit'),
    });
  const raised = await harness(scene, 'fleet', 'purse', '--usd', '1');
  expect(raised.stdout).toContain('$0.10 of $1.00 spent');
  await expect
    .poll(resting, { timeout: 180_000, interval: 1_000 })
    .toEqual({ landed: 4, isWaiting: false, states: ['resting', 'resting'] });
  expect((await statusOf(scene)).purses).toMatchObject([{ spent_usd: expect.closeTo(0.2, 6), reserved_usd: 0, under_way: 0 }]);
});

const MISSION_FILES = {
  'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/base.js': 'export const base = 1;\n',
  'test/base.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { base } from '../src/base.js';\ntest('base', () => assert.equal(base, 1));\n",
  'SPEC.md': '# Sums\n\nDouble and add.\n',
  '.gitignore': '.harness/\n',
  '.harness.yaml': 'project:\n  name: calc\ntesting:\n  full: npm test\nagent:\n  backend: command\n  command: node "$HOME/agent.mjs"\n',
};

const FEATURES = 12;

test.runIf(hasPostgres && isLong)(
  'a mission with two lanes, whose worker is killed on the way, comes to the same as on one machine',
  async () => {
    const scene = await makeScene(MISSION_FILES);
    await writeFile(join(scene.env['HOME']!, 'agent.mjs'), MISSION_AGENT);
    await writeFile(join(scene.env['HOME']!, 'plan.json'), JSON.stringify(planOf(FEATURES, { 2: [1] })));
    await writeFile(join(scene.env['HOME']!, 'lies.json'), JSON.stringify({ wait: 500 }));
    const checked = await harness(scene, 'doctor', '--verify');
    expect(checked, checked.stdout + checked.stderr).toMatchObject({ code: 0 });
    const fleet = await inFleet(scene);
    await added(fleet);
    const machines = Array.from({ length: 4 }, (_, at) => `m${at}`);
    const workers = machines.map((name) => startWorker(machineOf(scene, name), '--name', name));
    const run = startHarness(scene, ['fleet', 'run', '--project', 'shop', '--spec', 'SPEC.md', '--lanes', '2', '--wait', '--json']);
    started.push(run);
    // Whoever has a lane under way is killed, twice; then one is stopped for long enough to count as dead.
    const left = new Set(workers);
    for (const signal of ['SIGKILL', 'SIGKILL', 'SIGSTOP'] as const) {
      const hit = await heardIn([...left], '"lane":"lane-');
      left.delete(hit);
      hit.child.kill(signal);
    }
    const ended = await run.ended;
    expect(ended, ended.stderr + workers.map((worker) => worker.seen()).join('\n')).toMatchObject({
      code: 0,
      last: { outcome: 'complete' },
    });
    const log = await git(scene, '--git-dir', fleet.remote, 'log', '--format=%(trailers:key=Harness-Feature,valueonly,separator=)');
    const landed = log.split('\n').filter((line) => line !== '');
    expect(landed.toSorted()).toEqual(planOf(FEATURES).features.map(({ id }) => id));
    expect((await statusOf(scene)).projects).toMatchObject([{ rests: 'complete', features: { total: FEATURES, verified: FEATURES } }]);
  },
);
