/** Accepted work of a run as pull requests, against the stateful server on loopback and a real remote. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startGithub, type FakeGithub } from '../../src/github/test-support.ts';
import { HONEST_BOTH, projectWithAgent } from './calculator.ts';
import { eventsOf, git, startHarness, type Run, type Scene } from './support.ts';

let github: FakeGithub;
beforeEach(async () => {
  github = await startGithub();
});
afterEach(() => github.close());

async function sceneWith(kind: string): Promise<Scene> {
  const settings = `github:\n  repo: user/calc\n  sync_mode: none\n  pull_requests: ${kind}\n`;
  const scene = await projectWithAgent(HONEST_BOTH, { checked: true, settings });
  const remote = join(scene.folder, 'remote.git');
  await rm(remote, { recursive: true, force: true });
  await git(scene, 'init', '-q', '--bare', '--template=', '-b', 'main', remote);
  await git(scene, 'remote', 'add', 'origin', remote);
  await git(scene, 'push', '-q', 'origin', 'main');
  return scene;
}

const run = (scene: Scene, ...args: string[]): Promise<Run> =>
  startHarness(scene, ['run', '--json', ...args], { GITHUB_API_URL: github.url, GITHUB_TOKEN: 'ghp_0123456789secret' }).ended;
const remote = (scene: Scene, ...args: string[]): Promise<string> => git(scene, '--git-dir', join(scene.folder, 'remote.git'), ...args);

test('one for the run grows with each accepted commit, with the verdicts; the branch itself is not pushed', async () => {
  const scene = await sceneWith('per_run');
  const before = await remote(scene, 'rev-parse', 'main');
  const ended = await run(scene, '--until-done');
  expect(ended, ended.stdout.slice(-2_000) + ended.stderr).toMatchObject({ code: 0 });
  expect(github.pulls).toMatchObject([{ head: 'harness/main', base: 'main', state: 'open', title: '2 features, verified by the harness' }]);
  expect(github.pulls[0]!.body).toMatch(/Feature #\u200b?2[\s\S]*verdict [0-9a-f]+[\s\S]*Feature #\u200b?3/u);
  expect(await remote(scene, 'rev-parse', 'harness/main')).toBe(await git(scene, 'rev-parse', 'HEAD'));
  expect(await remote(scene, 'rev-parse', 'main')).toBe(before);
  expect(ended.stdout + ended.stderr).not.toContain('ghp_');
}, 180_000);

test('one for each feature stands on the one before it', async () => {
  const scene = await sceneWith('per_feature');
  expect(await run(scene, '--until-done')).toMatchObject({ code: 0 });
  expect(github.pulls).toMatchObject([
    { head: 'harness/main-feature-2', base: 'main' },
    { head: 'harness/main-feature-3', base: 'harness/main-feature-2' },
  ]);
  expect(await remote(scene, 'log', '--format=%s', 'main..harness/main-feature-2')).toMatch(/^Feature #2: [^\n]*$/);
}, 180_000);

test("a person's commit on the branch over there is kept, and the work stays here with a word about it", async () => {
  const scene = await sceneWith('per_run');
  expect(await run(scene)).toMatchObject({ code: 0 });
  const theirs = await remote(
    scene,
    '-c',
    'user.name=P',
    '-c',
    'user.email=p@example.com',
    'commit-tree',
    'harness/main^{tree}',
    '-p',
    'harness/main',
    '-m',
    'By hand',
  );
  await remote(scene, 'update-ref', 'refs/heads/harness/main', theirs);
  const ended = await run(scene);
  expect(ended, ended.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await remote(scene, 'rev-parse', 'harness/main')).toBe(theirs);
  expect(
    eventsOf(ended, 'warning')
      .map(({ message }) => String(message))
      .join(),
  ).toContain('they are left alone');
}, 180_000);

test('a merged one is settled, and later work gets a new one; a closed one stays closed; a lost answer makes none twice', async () => {
  const scene = await sceneWith('per_run');
  github.fault = (_, line) => (line.startsWith('POST') && github.pulls.length === 0 ? 'after' : null);
  expect(await run(scene)).toMatchObject({ code: 0 });
  expect(github.pulls).toHaveLength(1);
  Object.assign(github.pulls[0]!, { state: 'closed', merged_at: '2026-01-02T00:00:00Z' });
  await remote(scene, 'update-ref', 'refs/heads/main', 'refs/heads/harness/main');
  expect(await run(scene)).toMatchObject({ code: 0 });
  expect(github.pulls).toMatchObject([{ state: 'closed' }, { state: 'open', title: expect.stringContaining('#3') as string }]);
}, 180_000);

test('without a remote, a token or an answer the work is accepted all the same, and what is missing is said', async () => {
  const scene = await sceneWith('per_run');
  github.fault = () => ({ status: 401, message: 'Bad credentials' });
  const ended = await run(scene);
  expect(ended).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(
    eventsOf(ended, 'warning')
      .map(({ message }) => String(message))
      .join(),
  ).toContain('there is no pull request');
}, 180_000);
