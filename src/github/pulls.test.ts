import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { createPullHub } from './octokit-hub.ts';
import { publishPull, type Published } from './pulls.ts';
import { startGithub, type FakeGithub } from './test-support.ts';

let github: FakeGithub;
beforeEach(async () => {
  github = await startGithub();
});
afterEach(() => github.close());

function publish(body: string): Promise<Published> {
  const hub = createPullHub({
    repository: 'user/calc',
    token: 'ghp_secret',
    baseUrl: github.url,
    version: '0.0.0',
    clock: { ...nodePlatform().clock, sleep: async () => undefined },
    signal: new AbortController().signal,
    waits: () => undefined,
  });
  return publishPull(hub, 'harness/F-001', 'main', { title: 'F-001: adds', body });
}

it('is made once, updated when its story changes, and left alone when nothing does', async () => {
  expect(await publish('first')).toEqual({ kind: 'created', number: 1 });
  expect(await publish('second')).toEqual({ kind: 'updated', number: 1 });
  expect(await publish('second')).toEqual({ kind: 'unchanged', number: 1 });
  expect(github.pulls).toMatchObject([{ title: 'F-001: adds', body: 'second', head: 'harness/F-001', base: 'main' }]);
});

it('is not made twice when the answer is lost', async () => {
  github.fault = (_number, line) => (line.startsWith('POST') ? 'after' : null);
  expect(await publish('first')).toEqual({ kind: 'created', number: 1 });
  expect(github.pulls).toHaveLength(1);
});

it('stays as a person left it', async () => {
  await publish('first');
  Object.assign(github.pulls[0]!, { state: 'closed' });
  expect(await publish('second')).toEqual({ kind: 'closed', number: 1 });
  Object.assign(github.pulls[0]!, { merged_at: '2026-01-01T00:00:00Z' });
  expect(await publish('second')).toEqual({ kind: 'merged', number: 1 });
  expect(github.pulls).toMatchObject([{ body: 'first' }]);
});
