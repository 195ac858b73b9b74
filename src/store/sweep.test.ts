import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { sweepTemporaries } from './sweep.ts';

test('leftovers of interrupted writes go, everything else and what links point to stays', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'harness-sweep-'));
  const state = join(folder, 'state');
  await mkdir(join(state, 'logs'), { recursive: true });
  await mkdir(join(folder, 'outside'));
  await writeFile(join(folder, 'outside', '.harness-tmp-x'), '');
  await symlink(join(folder, 'outside'), join(state, 'link'));
  for (const name of [
    'session_state.json',
    '.harness-tmp-session_state.json-1a',
    'lock.takeover-ab12',
    'logs/.harness-tmp-a',
    'logs/events.jsonl',
  ])
    await writeFile(join(state, name), '');
  const removed = await sweepTemporaries(nodePlatform({}), state);
  expect(removed.map((path) => path.slice(state.length + 1)).sort()).toEqual([
    '.harness-tmp-session_state.json-1a',
    'lock.takeover-ab12',
    'logs/.harness-tmp-a',
  ]);
  expect((await readdir(state)).sort()).toEqual(['link', 'logs', 'session_state.json']);
  expect(await readdir(join(folder, 'outside'))).toEqual(['.harness-tmp-x']);
  await rm(folder, { recursive: true });
});

test('what another living process is writing stays', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'harness-sweep-'));
  await mkdir(join(folder, 'requests'));
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const ended = new Promise((resolve) => other.once('exit', resolve));
  const writing = `.harness-tmp-000001-skip.json-p${other.pid}-ab12`;
  await writeFile(join(folder, 'requests', writing), '');
  expect(await sweepTemporaries(nodePlatform({}), folder)).toEqual([]);
  other.kill('SIGKILL');
  await ended;
  expect(await sweepTemporaries(nodePlatform({}), folder)).toEqual([join(folder, 'requests', writing)]);
  await rm(folder, { recursive: true });
});

test('a state directory that is not there has nothing to sweep', async () => {
  expect(await sweepTemporaries(nodePlatform({}), '/nonexistent/harness')).toEqual([]);
});
