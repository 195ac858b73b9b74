import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noSandbox } from '../platform/sandbox.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { checkAgent, checkBrowser, checkGit, checkNode, checkSandbox, describeMissed } from './machine-checks.ts';

test.each([
  ['v20.19.0', 'ok'],
  ['v22.0.1', 'ok'],
  ['v20.18.3', 'missing'],
  ['v18.20.0', 'missing'],
])('Node %s is %s', (version, state) => {
  expect(checkNode(version)).toMatchObject({ state, required: true });
});

test('git is found where it is, and missed with the command that installs it where it is not', async () => {
  expect(await checkGit(nodePlatform({ PATH: process.env['PATH'] }))).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^\d+\.\d+/),
    fix: null,
  });
  expect(await checkGit(nodePlatform({ PATH: '/nowhere' }))).toMatchObject({
    state: 'missing',
    required: true,
    fix: expect.stringContaining('install git'),
  });
});

test('without a sandbox the reader learns what that means', () => {
  const check = checkSandbox(noSandbox('bubblewrap is not installed', 'install bubblewrap'));
  expect(check).toMatchObject({ state: 'warning', required: false, fix: expect.stringContaining('bubblewrap') });
  expect(check.detail).toContain('unconfined');
});

test('a sandbox that cannot filter system calls is reported with what stays within reach', () => {
  const here = { ...noSandbox('/usr/bin/bwrap'), name: 'bubblewrap', hides: true };
  const check = checkSandbox(here);
  expect(check).toMatchObject({ state: 'warning', required: false });
  expect(check.detail).toContain('kernel keys');
  expect(checkSandbox({ ...here, refusesCalls: true })).toMatchObject({ state: 'ok', detail: 'bubblewrap (/usr/bin/bwrap)' });
});

test('sockets that a sandbox could not cover are named, without what would change the terminal', () => {
  expect(describeMissed([])).toBeNull();
  const check = describeMissed(['/srv/a.sock', 'b\u001b]0;x\u0007', 'c', 'd', 'e', 'f'])!;
  expect(check).toMatchObject({ name: 'sockets', state: 'warning', required: false, fix: expect.stringContaining('iproute2') });
  expect(check.detail).toBe('not found, so agents and tests may reach them: "/srv/a.sock", "b", "c", "d", "e" and 1 more');
});

test('only the chosen agent has to start', () => {
  const report = { name: 'command', found: false, version: null, can_start: false, detail: 'agent.command is not set', install: 'set it' };
  expect(checkAgent(report, true)).toMatchObject({ state: 'missing', required: true, fix: 'set it' });
  expect(checkAgent(report, false)).toMatchObject({ state: 'warning', required: false });
});

test('a browser is looked for on the path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'harness-browser-'));
  try {
    expect(await checkBrowser(nodePlatform({ PATH: folder }))).toMatchObject({ state: 'warning' });
    await writeFile(join(folder, 'chromium'), '');
    expect(await checkBrowser(nodePlatform({ PATH: `/nowhere:${folder}` }))).toMatchObject({
      state: 'ok',
      detail: join(folder, 'chromium'),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
