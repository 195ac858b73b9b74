import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { processIdentity } from '../../platform/process-identity.ts';
import { bubblewrapHere } from '../../platform/bubblewrap.ts';
import type { SandboxSpec } from '../../platform/sandbox.ts';
import { createEnvironment, type Environment, type EnvironmentSettings } from './environment.ts';

const platform = nodePlatform({});
const QUIET: EnvironmentSettings = {
  init: null,
  reset: null,
  healthCheck: null,
  stop: null,
  autoReset: true,
  maxResetAttempts: 2,
  timeoutMs: 10_000,
  healthRetryMs: 0,
};
let folder = '';
const kept: [string, string][] = [];
const keepOutput = async (name: string, output: string): Promise<string> => {
  kept.push([name, output]);
  return `logs/${name}.txt`;
};
const made: Environment[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'harness-environment-')));
});
afterEach(async () => {
  await Promise.all(made.splice(0).map((environment) => environment.stop()));
  await rm(folder, { recursive: true, force: true });
});

test.runIf(process.platform === 'linux')('a port that is taken is named with the process that holds it', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const script = `require('net').createServer().on('error', (error) => { console.error(error.message); process.exit(1); }).listen(${port}, '127.0.0.1')`;
  const report = await create({ init: `"${process.execPath}" -e "${script}"`, autoReset: false }).start();
  await new Promise((resolve) => server.close(resolve));
  expect(report).toMatchObject({ state: 'failed', reason: 'env.init_failed' });
  expect(report.detail).toContain(`Port ${port} is held by process ${process.pid} (`);
});

describe('what is not set', () => {
  test('is skipped, and the report says so', async () => {
    const environment = create({});
    expect(await environment.start()).toEqual({ state: 'skipped', detail: 'no init command', reason: null });
    expect(await environment.health()).toEqual({ state: 'skipped', detail: 'no health check' });
    await environment.stop();
  });
});

describe('init', () => {
  test('runs in the workspace with the given environment only', async () => {
    const environment = create({ init: 'pwd > place; env | sort > variables' });
    expect(await environment.start()).toEqual({ state: 'passed', detail: expect.any(String), reason: null });
    expect((await read('place')).trim()).toBe(folder);
    const names = (await read('variables'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('=')[0]!);
    expect(new Set(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)))).toEqual(
      new Set(['HOME', 'PATH', 'HARNESS_ENVIRONMENT']),
    );
  });

  test.each([
    ['a comment at its end', 'echo done > out # as it should be'],
    ['several lines', 'set -e\necho done > out\n'],
    ['a condition', 'if true; then echo done > out; fi'],
    ['its own exit', 'echo done > out; exit 0; echo never > out'],
  ])('may have %s', async (_, init) => {
    expect((await create({ init }).start()).state).toBe('passed');
    expect(await read('out')).toBe('done\n');
  });

  test('leaves a background process that lives until the environment is stopped, and is gone then', async () => {
    const environment = create({ init: 'sleep 300 & echo $! > pid' });
    expect((await environment.start()).state).toBe('passed');
    const pid = await pidIn('pid');
    expect(await lives(pid)).toBe(true);
    expect((await environment.health()).state).toBe('skipped');
    expect(await lives(pid)).toBe(true);
    await environment.stop();
    expect(await lives(pid)).toBe(false);
  });

  test('cannot leave a process behind that ignores being asked, or that left its group', async () => {
    const environment = create({
      init: `(trap '' TERM; echo $$ > /dev/null; sh -c 'echo $PPID > stubborn'; while :; do sleep 1; done) & setsid sh -c 'echo $$ > escaped; exec sleep 300' & while [ ! -s stubborn ] || [ ! -s escaped ]; do sleep 0.02; done`,
    });
    expect((await environment.start()).state).toBe('passed');
    const pids = [await pidIn('stubborn'), await pidIn('escaped')];
    expect(await Promise.all(pids.map(lives))).toEqual([true, true]);
    await environment.stop();
    expect(await Promise.all(pids.map(lives))).toEqual([false, false]);
  });

  test('that fails is reported with its status and its first error line, and leaves nothing running', async () => {
    kept.length = 0;
    const environment = create({ init: 'sleep 300 & echo $! > pid; echo one; echo error: no database >&2; seq 20 >&2; exit 3' });
    const report = await environment.start();
    expect(report).toMatchObject({ state: 'failed', reason: 'env.init_failed' });
    expect(report.detail).toContain('ended with 3: error: no database (full output: logs/init.txt)');
    expect(kept).toEqual([['init', expect.stringMatching(/one[^]*20/)]]);
    expect(await lives(await pidIn('pid'))).toBe(false);
  });

  test('that never ends is cut off at its time limit', async () => {
    const environment = create({ init: 'echo $$ > pid; sleep 300', timeoutMs: 300 });
    expect(await environment.start()).toMatchObject({
      state: 'failed',
      reason: 'env.init_failed',
      detail: expect.stringContaining('no status'),
    });
    expect(await lives(await pidIn('pid'))).toBe(false);
  });

  test('that kills its own shell counts as failed', async () => {
    expect(await create({ init: 'kill -9 $$' }).start()).toMatchObject({ state: 'failed', reason: 'env.init_failed' });
  });
});

describe('reset', () => {
  const log = (word: string): string => `echo ${word} >> log`;

  test('runs only after init failed, and init again after it', async () => {
    const environment = create({ init: `${log('init')}; test -f ready`, reset: `${log('reset')}; touch ready` });
    expect(await environment.start()).toMatchObject({ state: 'passed', detail: expect.stringContaining('(after 1 reset)'), reason: null });
    expect(await words()).toEqual(['init', 'reset', 'init']);
  });

  test('does not run when init works', async () => {
    await create({ init: log('init'), reset: log('reset') }).start();
    expect(await words()).toEqual(['init']);
  });

  test('is tried as often as allowed, then init is what failed', async () => {
    const environment = create({ init: `${log('init')}; false`, reset: log('reset'), maxResetAttempts: 3 });
    expect(await environment.start()).toMatchObject({ state: 'failed', reason: 'env.init_failed' });
    expect(await words()).toEqual(['init', 'reset', 'init', 'reset', 'init', 'reset', 'init']);
  });

  test('that fails itself is tried again, without init in between, and is then what failed', async () => {
    const environment = create({ init: `${log('init')}; false`, reset: `${log('reset')}; exit 5` });
    expect(await environment.start()).toMatchObject({
      state: 'failed',
      reason: 'env.reset_failed',
      detail: expect.stringContaining('ended with 5'),
    });
    expect(await words()).toEqual(['init', 'reset', 'reset']);
  });

  test.each([
    ['it is switched off', { autoReset: false, reset: 'echo reset >> log' }],
    ['no attempt is allowed', { maxResetAttempts: 0, reset: 'echo reset >> log' }],
    ['there is none', { reset: null }],
  ])('does not run when %s', async (_, settings) => {
    expect(await create({ init: `${log('init')}; false`, ...settings }).start()).toMatchObject({
      state: 'failed',
      reason: 'env.init_failed',
    });
    expect(await words()).toEqual(['init']);
  });

  test('finds nothing running that the failed init had started, not even what left its group', async () => {
    const environment = create({
      init: 'test -f ready || { setsid sh -c "echo \\$\\$ > pid; exec sleep 300" & while [ ! -s pid ]; do sleep 0.02; done; exit 1; }',
      reset:
        'case "$(cut -d" " -f3 /proc/$(cat pid)/stat 2>/dev/null)" in ""|Z|X) echo gone > state;; *) echo alive > state;; esac; touch ready',
    });
    expect((await environment.start()).state).toBe('passed');
    expect(await read('state')).toBe('gone\n');
  });

  test('leaves nothing running itself', async () => {
    const environment = create({ init: 'test -f ready', reset: 'sleep 300 > /dev/null 2>&1 & echo $! > pid; touch ready' });
    expect((await environment.start()).state).toBe('passed');
    await environment.stop();
    expect(await lives(await pidIn('pid'))).toBe(false);
  });
});

describe('the health check', () => {
  test('is asked again until its time is over', async () => {
    const environment = create({ healthCheck: 'echo asked >> log; test $(wc -l < log) -ge 3', healthRetryMs: 10_000 });
    expect(await environment.health()).toEqual({ state: 'passed', detail: expect.any(String) });
    expect(await words()).toEqual(['asked', 'asked', 'asked']);
  });

  test('is asked once where no time is given, and its failure is described', async () => {
    const environment = create({ healthCheck: 'echo asked >> log; echo connection refused; exit 7' });
    expect(await environment.health()).toEqual({ state: 'failed', detail: expect.stringMatching(/ended with 7.*connection refused/) });
    expect(await words()).toEqual(['asked']);
  });

  test('gives up when its time is over', async () => {
    const before = platform.clock.monotonic();
    expect((await create({ healthCheck: 'false', healthRetryMs: 700 }).health()).state).toBe('failed');
    expect(platform.clock.monotonic() - before).toBeGreaterThanOrEqual(700);
  });

  test('sees what init started', async () => {
    const environment = create({ init: 'sleep 300 & echo $! > pid', healthCheck: 'kill -0 $(cat pid)' });
    await environment.start();
    expect((await environment.health()).state).toBe('passed');
  });

  test('that hangs is cut off', async () => {
    expect(await create({ healthCheck: 'sleep 300', timeoutMs: 300 }).health()).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('no status'),
    });
  });
});

describe('stop', () => {
  test('runs its command while the environment still stands, and then ends the rest', async () => {
    const environment = create({ init: 'sleep 300 & echo $! > pid', stop: 'kill -0 $(cat pid) && echo stood > state' });
    await environment.start();
    await environment.stop();
    expect(await read('state')).toBe('stood\n');
    expect(await lives(await pidIn('pid'))).toBe(false);
  });

  test('does its work also when its command fails', async () => {
    const environment = create({ init: 'sleep 300 & echo $! > pid', stop: 'exit 1' });
    await environment.start();
    await environment.stop();
    expect(await lives(await pidIn('pid'))).toBe(false);
  });

  test('leaves the processes of another workspace alone', async () => {
    const other = await realpath(await mkdtemp(join(tmpdir(), 'harness-environment-')));
    const neighbour = createEnvironment(
      platform,
      { ...QUIET, init: 'sleep 300 & echo $! > pid' },
      { workspace: other, env: variables(), sandbox: null, keepOutput },
    );
    try {
      await neighbour.start();
      await create({ init: 'true' }).stop();
      const pid = Number(await readFile(join(other, 'pid'), 'utf8'));
      expect(await lives(pid)).toBe(true);
      await neighbour.stop();
      expect(await lives(pid)).toBe(false);
    } finally {
      await neighbour.stop();
      await rm(other, { recursive: true, force: true });
    }
  });

  test('may be called again, and the environment started again after it', async () => {
    const environment = create({ init: 'sleep 300 & echo $! > pid' });
    await environment.start();
    await environment.stop();
    await environment.stop();
    expect((await environment.start()).state).toBe('passed');
    expect(await lives(await pidIn('pid'))).toBe(true);
  });
});

describe('the sandbox', () => {
  test('holds every command, and ends with the environment', async () => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'harness-environment-')));
    const sandbox: SandboxSpec = { writable: [folder], hidden: [], network: 'none' };
    const init = `echo in > inside; echo out > ${outside}/file || echo refused > refused; sleep 300 & :`;
    const environment = createEnvironment(
      platform,
      { ...QUIET, init, healthCheck: `! touch ${outside}/health` },
      { workspace: folder, env: variables(), sandbox, keepOutput },
    );
    made.push(environment);
    try {
      const state = await bubblewrapHere();
      if (!state.hides) return await expect(environment.start()).rejects.toThrow('not available');
      expect(await environment.start()).toMatchObject({ state: 'passed' });
      expect([await read('inside'), await read('refused')]).toEqual(['in\n', 'refused\n']);
      expect((await environment.health()).state).toBe('passed');
      expect(await platform.processes.findByEnvironment('HARNESS_ENVIRONMENT', folder)).not.toEqual([]);
      await environment.stop();
      expect(await platform.processes.findByEnvironment('HARNESS_ENVIRONMENT', folder)).toEqual([]);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });
});

function variables(): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder };
}

function create(settings: Partial<EnvironmentSettings>): Environment {
  const environment = createEnvironment(
    platform,
    { ...QUIET, ...settings },
    { workspace: folder, env: variables(), sandbox: null, keepOutput },
  );
  made.push(environment);
  return environment;
}

function read(name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8');
}

async function words(): Promise<string[]> {
  return (await read('log')).trim().split('\n');
}

async function pidIn(name: string): Promise<number> {
  const pid = Number((await read(name)).trim());
  expect(pid).toBeGreaterThan(1);
  return pid;
}

/** A process that has ended and was not collected yet is gone; one that is about to end gets half a second. */
async function lives(pid: number): Promise<boolean> {
  for (let round = 0; round < 25; round++) {
    if ((await processIdentity(pid)) === null) return false;
    await platform.clock.sleep(20);
  }
  return true;
}
