import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeProcesses, type RunningProcess } from './processes.ts';
import { bubblewrapHere } from './bubblewrap.ts';
import type { SandboxSpec } from './sandbox.ts';

const sandboxed = (await bubblewrapHere()).hides;
let folder = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'processes-')));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.each([false, ...(sandboxed ? [true] : [])])('a process that is asked to end (in a sandbox: %s)', (inside) => {
  test('has time to save its work', async () => {
    const child = await started(`trap 'sleep 0.3; echo saved > saved.txt; exit 7' TERM; echo ready; while :; do sleep 0.05; done`, inside);
    await child.stop(60_000);
    expect(await readFile(join(folder, 'saved.txt'), 'utf8')).toBe('saved\n');
    expect(await child.exited).toMatchObject({ code: 7 });
  });

  test('is ended when it does not listen', async () => {
    const child = await started(`trap '' TERM; echo ready; while :; do sleep 0.05; done`, inside);
    await child.stop(50);
    expect(await child.exited).toMatchObject({ signal: 'SIGKILL' });
  });
});

test('a program that is launched writes to its files and goes on when everything else is ended', async () => {
  const processes = nodeProcesses(bubblewrapHere);
  const [stdout, stderr] = [join(folder, 'out'), join(folder, 'err')];
  const env = { PATH: process.env['PATH'] ?? '' };
  const script = 'echo said; echo told >&2; sleep 0.5; echo last; exit 3';
  const { pid, exited } = await processes.launch({ file: '/bin/sh', args: ['-c', script], cwd: folder, env, stdout, stderr });
  expect(pid).toBeGreaterThan(0);
  processes.endAll();
  expect(await exited).toBe(3);
  expect(await readFile(stdout, 'utf8')).toBe('said\nlast\n');
  expect(await readFile(stderr, 'utf8')).toBe('told\n');
  const missing = { file: join(folder, 'none'), args: [], cwd: folder, env, stdout, stderr };
  await expect(processes.launch(missing)).rejects.toThrow('ENOENT');
});

async function started(script: string, inside: boolean): Promise<RunningProcess> {
  const sandbox: SandboxSpec = { writable: [folder], hidden: [], network: 'none' };
  const child = await nodeProcesses(bubblewrapHere).start({
    file: '/bin/sh',
    args: ['-c', script],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    sandbox: inside ? sandbox : null,
  });
  child.stderr.resume();
  await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  child.stdout.resume();
  return child;
}
