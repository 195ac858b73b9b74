/** The fleet on real PostgreSQL, with a real bare repository as home and the command backend as agent. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPostgres, startPostgres, type Postgres } from '../../src/fleet/test-support.ts';
import { HONEST_BOTH, projectWithAgent } from './calculator.ts';
import { eventsOf, exists, git, harness, snapshot, startHarness, type Scene, type Started } from './support.ts';

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
async function fleetScene(script: string): Promise<{ scene: Scene; remote: string; machine: Scene }> {
  const scene = await projectWithAgent(script, { checked: true });
  const remote = join(scene.folder, 'home.git');
  await promisify(execFile)('git', ['init', '-q', '--bare', remote]);
  await git(scene, 'push', '-q', remote, 'HEAD');
  scene.env['HARNESS_FLEET_URL'] = postgres.tcpUrl;
  const machine = { ...scene, project: scene.folder, env: { ...scene.env, HARNESS_HOME: join(scene.folder, 'machine') } };
  return { scene, remote, machine };
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
  const added = await harness(scene, 'fleet', 'add', '--project', 'shop', '--remote', remote);
  expect(added, added.stderr).toMatchObject({ code: 0 });

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
