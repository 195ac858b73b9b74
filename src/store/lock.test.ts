import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { HarnessError } from '../domain/errors.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { ownIdentity } from '../platform/process-identity.ts';
import { acquireLock, readHolder, sweepLocks } from './lock.ts';

const platform = nodePlatform({});
let tools: string;
let program: string;
let folder: string;
let lock: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  tools = await mkdtemp(join(tmpdir(), 'harness-lock-program-'));
  program = join(tools, 'contender.mjs');
  await build({
    stdin: { contents: CONTENDER, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    loader: { '.py': 'text' },
  });
});
afterAll(() => rm(tools, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-lock-'));
  lock = join(folder, 'lock');
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  await rm(folder, { recursive: true, force: true });
});

/** Takes the lock, says so, notes every entry and exit in a shared file, and holds it for `hold` ms (-1: for ever). */
const CONTENDER = `
import { writeFileSync, rmSync } from 'node:fs';
import { acquireLock } from './lock.ts';
import { nodePlatform } from '../platform/node-platform.ts';
const [path, hold, rounds] = process.argv.slice(2);
const platform = nodePlatform({});
for (let round = 0; round < Number(rounds); round += 1) {
  try {
    const lock = await acquireLock(platform, path, 'harness run');
    let alone = true;
    try { writeFileSync(path + '.inside', '', { flag: 'wx' }); } catch { alone = false; }
    process.stdout.write(alone ? 'held\\n' : 'shared\\n');
    if (Number(hold) < 0) await new Promise(() => setInterval(() => {}, 1000));
    await platform.clock.sleep(Number(hold));
    rmSync(path + '.inside', { force: true });
    await lock.release();
  } catch (error) {
    process.stdout.write('refused ' + error.exitCode + '\\n');
  }
}
`;

function contend(hold: number, rounds = 1): ChildProcess {
  const child = spawn(process.execPath, [program, lock, String(hold), String(rounds)], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function firstWord(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
  return chunk.toString().trim();
}

async function allWords(child: ChildProcess): Promise<string[]> {
  let text = '';
  child.stdout!.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  await once(child, 'close');
  return text.trim().split('\n');
}

test('a lock names its holder, keeps others out and is gone after its release', async () => {
  const held = await acquireLock(platform, lock, 'harness run');
  expect(await readHolder(platform, lock)).toMatchObject({ pid: process.pid, command: 'harness run' });
  const error = (await acquireLock(platform, lock, 'harness status').catch((caught: unknown) => caught)) as HarnessError;
  expect(error.exitCode).toBe(9);
  expect(error.message).toContain(String(process.pid));
  expect(error.message).toContain('harness run');
  await held.release();
  await held.release();
  expect(await readdir(folder)).toEqual([]);
});

test('the lock of a killed process is taken over at once', async () => {
  const child = contend(-1);
  expect(await firstWord(child)).toBe('held');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const begin = performance.now();
  const held = await acquireLock(platform, lock, 'harness run');
  expect(performance.now() - begin).toBeLessThan(1_000);
  await held.release();
  expect((await readdir(folder)).filter((name) => name !== 'lock.inside')).toEqual([]);
});

test('a stopped process keeps its lock', async () => {
  const child = contend(-1);
  expect(await firstWord(child)).toBe('held');
  child.kill('SIGSTOP');
  await expect(acquireLock(platform, lock, 'harness run')).rejects.toThrow(`process ${child.pid}`);
});

test.each([
  ['another process that has the same number now', { started: '1' }],
  ['an earlier run of the machine', { boot: 'other' }],
])('the lock of %s is taken over', async (_what, difference) => {
  await writeFile(
    lock,
    JSON.stringify({ token: 'ab12', ...(await ownIdentity()), ...difference, command: 'harness run', since: '2026-01-01T00:00:00Z' }),
  );
  expect(await readHolder(platform, lock)).toBeNull();
  const held = await acquireLock(platform, lock, 'harness run');
  expect(await readHolder(platform, lock)).toMatchObject({ pid: process.pid });
  await held.release();
});

test('the lock of another host is left alone', async () => {
  await writeFile(
    lock,
    JSON.stringify({
      token: 'ab12',
      ...(await ownIdentity()),
      boot: 'x',
      host: 'elsewhere',
      command: 'harness run',
      since: '2026-01-01T00:00:00Z',
    }),
  );
  await expect(acquireLock(platform, lock, 'harness run')).rejects.toThrow('elsewhere');
});

test('a lock file with nonsense in it does not block for ever', async () => {
  await writeFile(lock, '');
  const held = await acquireLock(platform, lock, 'harness run');
  await held.release();
  expect(await readdir(folder)).toEqual([]);
});

test('locks of dead holders are cleared away, also those of a take-over that died; living ones and other files stay', async () => {
  const holder = { ...(await ownIdentity()), command: 'harness run', since: '2026-01-01T00:00:00Z' };
  const dead = (token: string): string => JSON.stringify({ ...holder, token, started: '1' });
  const names = ['lock', 'lock.takeover-ab12', 'lock.takeover-ab12.takeover-cd34'];
  for (const [at, name] of names.entries()) await writeFile(join(folder, name), dead(['ab12', 'cd34', 'ef56'][at]!));
  await writeFile(join(folder, 'lock.md'), 'a lesson\n');
  expect((await sweepLocks(platform, folder)).toSorted()).toEqual(names.map((name) => join(folder, name)));
  expect(await readdir(folder)).toEqual(['lock.md']);
  const held = await acquireLock(platform, lock, 'harness run');
  expect(await sweepLocks(platform, folder)).toEqual([]);
  expect(await readHolder(platform, lock)).not.toBeNull();
  await held.release();
});

test('releasing does not remove the lock of a successor', async () => {
  const held = await acquireLock(platform, lock, 'harness run');
  const successor = (await readFile(lock, 'utf8')).replace(/"token":"[0-9a-f]+"/, '"token":"ff00"');
  await writeFile(lock, successor);
  await held.release();
  expect(await readFile(lock, 'utf8')).toBe(successor);
});

test('a contender that is held up at any one step never ends up beside another', async () => {
  const quick: Platform = { ...platform, clock: { ...platform.clock, sleep: () => new Promise((resolve) => void setImmediate(resolve)) } };
  for (let stepAt = 0; ; stepAt += 1) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    await writeFile(
      lock,
      JSON.stringify({ token: 'ab12', ...(await ownIdentity()), started: '1', command: 'harness run', since: '2026-01-01T00:00:00Z' }),
    );
    const gate = heldUp(quick, stepAt);
    const first = outcome(acquireLock(gate.platform, lock, 'first'));
    const paused = await Promise.race([gate.reached.then(() => true), first.then(() => false)]);
    const second = await outcome(acquireLock(quick, lock, 'second'));
    gate.open();
    const holders = [await first, second].filter((result) => result === 'held');
    expect([stepAt, holders]).toEqual([stepAt, ['held']]);
    expect(await readHolder(platform, lock)).toMatchObject({ command: second === 'held' ? 'second' : 'first' });
    if (!paused) break;
    expect(stepAt).toBeLessThan(50);
  }
});

/** Stops before its `stepAt`th operation on files, and after it has read: what it knows then is old. */
function heldUp(on: Platform, stepAt: number): { platform: Platform; reached: Promise<void>; open(): void } {
  let open!: () => void;
  let reach!: () => void;
  const opened = new Promise<void>((resolve) => void (open = resolve));
  const reached = new Promise<void>((resolve) => void (reach = resolve));
  let steps = 0;
  const wait = async (): Promise<void> => {
    if (steps++ !== stepAt) return;
    reach();
    await opened;
  };
  const files: Platform['files'] = {
    ...on.files,
    createExclusive: async (path, data) => (await wait(), on.files.createExclusive(path, data)),
    remove: async (path) => (await wait(), on.files.remove(path)),
    readTextIfExists: async (path) => {
      await wait();
      const text = await on.files.readTextIfExists(path);
      await wait();
      return text;
    },
  };
  return { platform: { ...on, files }, reached, open };
}

function outcome(attempt: Promise<unknown>): Promise<'held' | 'refused'> {
  return attempt.then(
    () => 'held' as const,
    () => 'refused' as const,
  );
}

test('of many contenders for the lock of a dead process never two hold it together', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 4; round += 1) {
    const identity = { ...(await ownIdentity()), started: '1' };
    await writeFile(
      lock,
      JSON.stringify({ token: `ab${round}${round}`, ...identity, command: 'harness run', since: '2026-01-01T00:00:00Z' }),
    );
    const words = (await Promise.all(Array.from({ length: 6 }, () => allWords(contend(3, 15))))).flat();
    expect(words).not.toContain('shared');
    expect(words).toContain('held');
    expect(words.filter((word) => word !== 'held' && word !== 'refused 9')).toEqual([]);
    await rm(lock, { force: true });
  }
  expect(await readdir(folder)).toEqual([]);
});
