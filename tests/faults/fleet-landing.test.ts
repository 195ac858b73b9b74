/**
 * Workers of a fleet that are killed and stopped wherever that is possible while they land flights on one branch: nothing is lost, nothing is
 * doubled, and nothing lands that a person withdrew. The control lands without a lease and has to fail.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { createFleetBench, hasPostgres, WITHOUT_POSTGRES, type FleetBench } from '../../src/fleet/test-support.ts';

const ROUNDS = isLong ? 200 : 8;

describe.runIf(hasPostgres)('landing in a fleet', () => {
  let fleet: FleetBench;
  let tools: string;
  beforeAll(async () => {
    fleet = await createFleetBench();
    tools = realpathSync(mkdtempSync(join(tmpdir(), 'harness-landing-')));
    // Where the driver is found.
    symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(tools, 'node_modules'));
    await build({
      entryPoints: [join(import.meta.dirname, 'fleet-lander.ts')],
      outfile: join(tools, 'lander.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
      loader: { '.md': 'text', '.txt': 'text', '.py': 'text' },
    });
  });
  afterAll(async () => {
    await fleet.dispose();
    rmSync(tools, { recursive: true, force: true });
  });

  test('a stopped worker comes back with a commit in its hand that was withdrawn meanwhile: it lands nothing', async () => {
    const scene = await createScene(fleet, tools, 2);
    await withdrawWhileStopped(scene);
    const said = await scene.finishAll();
    expect(scene.log()).toEqual(['Flight 2', 'Start']);
    expect(said.some((line) => line.startsWith('failed Lost'))).toBe(true);
    scene.dispose();
  });

  test('the control without a lease lands it', async () => {
    const scene = await createScene(fleet, tools, 2, 'plain');
    await withdrawWhileStopped(scene);
    await scene.finishAll();
    expect(scene.log()).toContain('Flight 1');
    scene.dispose();
  });

  test(
    `${ROUNDS} random kills and stops: 0 lost, 0 doubled, 0 landed after withdrawal`,
    { timeout: isLong ? 3_600_000 : 600_000 },
    async () => {
      const flights = Math.ceil(ROUNDS * 1.2);
      const scene = await createScene(fleet, tools, flights);
      const random = seeded(Number(process.env['HARNESS_SEED'] ?? 44));
      const withdrawn = new Set<number>();
      let faults = 0;
      let worker = await scene.start();
      for (;;) {
        const phase = await worker.next();
        if (phase === 'end') break;
        expect(phase).not.toMatch(/^failed/);
        if (faults >= ROUNDS || random() < 0.6) {
          worker.go();
          continue;
        }
        faults += 1;
        if (random() < 0.5) await worker.kill();
        else worker.stop();
        const [what, number] = phase.split(' ');
        if ((what === 'named' || what === 'published') && random() < 0.5) {
          withdrawn.add(Number(number));
          await scene.withdraw([...withdrawn]);
        }
        await worker.declareDead();
        worker = await scene.start();
        // Some of those that were stopped go on beside the new one.
        if (random() < 0.5) scene.wake();
      }
      await scene.finishAll();
      const landed = scene.log().filter((subject) => subject !== 'Start');
      const state = await scene.state();
      // What landed before the withdrawal was taken up stays landed, and the state says so.
      const expected = Array.from({ length: flights }, (_, index) => index + 1).filter((number) => !state.withdrawn.includes(number));
      expect(landed.toReversed()).toEqual(expected.map((number) => `Flight ${number}`));
      expect(state.done).toEqual(expected);
      expect(state.withdrawn.filter((number) => !withdrawn.has(number))).toEqual([]);
      expect(faults).toBe(ROUNDS);
      scene.dispose();
    },
  );
});

test.skipIf(hasPostgres)(`landing in a fleet is not tested: ${WITHOUT_POSTGRES}`, () => {});

/** The first worker is stopped before it lands; the second one takes the withdrawal up and begins the next flight; the first one goes on. */
async function withdrawWhileStopped(scene: Scene): Promise<void> {
  const first = await scene.start();
  while ((await first.next()) !== 'named 1') first.go();
  first.stop();
  await first.declareDead();
  await scene.withdraw([1]);
  const second = await scene.start();
  expect(await second.next()).toBe('begun 2');
  scene.wake();
  await first.ended();
  second.go();
}

interface Worker {
  next(): Promise<string>;
  go(): void;
  kill(): Promise<void>;
  stop(): void;
  /** It goes on, and nothing holds it up any longer. */
  wake(): void;
  declareDead(): Promise<void>;
  ended(): Promise<void>;
  said: string[];
}

interface Scene {
  start(): Promise<Worker>;
  /** Those that were stopped go on to their ends. */
  wake(): void;
  withdraw(numbers: readonly number[]): Promise<void>;
  finishAll(): Promise<string[]>;
  log(): string[];
  state(): Promise<{ done: number[]; withdrawn: number[] }>;
  dispose(): void;
}

let scenes = 0;

async function createScene(fleet: FleetBench, tools: string, flights: number, mode: 'lease' | 'plain' = 'lease'): Promise<Scene> {
  const folder = join(tools, `scene-${(scenes += 1)}`);
  const bare = join(folder, 'shop.git');
  const person = join(folder, 'person');
  for (const path of [person, join(folder, 'user')]) mkdirSync(path, { recursive: true });
  writeFileSync(
    join(folder, 'user', '.gitconfig'),
    '[user]\n\tname = Fleet\n\temail = fleet@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'user'), GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: person, env, encoding: 'utf8' }).trimEnd();
  git('init', '-q', '--bare', bare);
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'Start');
  git('push', '-q', bare, 'main');
  await fleet.database.query(`delete from fleet.project where name = 'shop'`);
  await fleet.addProject('shop');
  const workers: Worker[] = [];
  return {
    start: async () => {
      const id = `worker-${scenes}-${workers.length}`;
      const args = [fleet.postgres.url, `file://${bare}`, join(folder, id), id, String(flights), mode];
      const child = spawn(process.execPath, [join(tools, 'lander.mjs'), ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
      const worker = workerOf(child, id, fleet);
      workers.push(worker);
      return worker;
    },
    wake: () => workers.slice(0, -1).forEach((worker) => worker.wake()),
    withdraw: async (numbers) => {
      const put = `insert into fleet.document (project, name, content) values ('shop', 'requests/withdraw.json', $1)
        on conflict (project, name) do update set content = excluded.content`;
      await fleet.database.query(put, [Buffer.from(JSON.stringify(numbers))]);
    },
    finishAll: async () => {
      workers.forEach((worker) => worker.wake());
      await Promise.all(workers.map((worker) => worker.ended()));
      return workers.flatMap(({ said }) => said);
    },
    log: () => execFileSync('git', ['log', '--format=%s', 'main'], { cwd: bare, env, encoding: 'utf8' }).trimEnd().split('\n'),
    state: async () => {
      const { rows } = await fleet.database.query(`select content from fleet.document where project = 'shop' and name = 'state.json'`);
      return JSON.parse(String(rows[0]?.['content']));
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function workerOf(child: ChildProcess, id: string, fleet: FleetBench): Worker {
  const said: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let read = 0;
  let isFree = false;
  const exit = once(child, 'exit');
  void exit.then(() => waiting.splice(0).forEach((tell) => tell('failed: the worker ended')));
  child.stdin!.on('error', () => {});
  createInterface({ input: child.stdout! }).on('line', (line) => {
    said.push(line);
    if (isFree) child.stdin!.write('go\n');
    waiting.shift()?.(line);
  });
  return {
    said,
    next: () => {
      read += 1;
      const known = said[read - 1];
      return known === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(known);
    },
    go: () => void child.stdin!.write('go\n'),
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
    stop: () => void child.kill('SIGSTOP'),
    wake: () => {
      if (isFree) return;
      isFree = true;
      child.kill('SIGCONT');
      child.stdin!.write('go\n');
    },
    declareDead: async () => void (await fleet.database.query(`update fleet.worker set state = 'dead' where id = $1`, [id])),
    ended: async () => void (await exit),
  };
}

/** Mulberry32: the same numbers for the same seed. */
function seeded(seed: number): () => number {
  let at = seed;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
