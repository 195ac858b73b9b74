/** The GitHub mirror as a user has it: after a session, by command, and with a token that is seen nowhere. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readIssueMark } from '../../src/github/mark.ts';
import { startGithub, type FakeGithub } from '../../src/github/test-support.ts';
import { HONEST, projectWithAgent } from './calculator.ts';
import { git, harness, read, startHarness, write, type Run, type Scene } from './support.ts';

const TOKEN = 'ghp_0123456789secret';
let github: FakeGithub;
beforeEach(async () => {
  github = await startGithub();
});
afterEach(() => github.close());

const MIRRORED = { settings: 'github:\n  repo: user/calc\n' };

function withGithub(scene: Scene, ...args: string[]): Promise<Run> {
  return startHarness(scene, args, { GITHUB_API_URL: github.url, GITHUB_TOKEN: TOKEN }).ended;
}

function states(): Record<number, string> {
  return Object.fromEntries([...github.issues.values()].map(({ body, state }) => [readIssueMark(body)?.feature ?? 0, state]));
}

test('a session brings the issues up to date, with the proof in a comment and the token nowhere', async () => {
  const scene = await projectWithAgent(`env > "$TMPDIR/seen"; cp "$TMPDIR/seen" seen.txt; ${HONEST}`, MIRRORED);
  const run = await withGithub(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(states()).toEqual({ 1: 'closed', 2: 'closed', 3: 'open' });
  const comments = [...github.issues.values()].flatMap((issue) => issue.comments).join('\n');
  expect(comments).toContain(String(run.last?.['commit']));
  expect(comments).toContain('test/subtract.test.js');
  expect(await filesWith(scene.folder, TOKEN)).toEqual([]);
  expect(run.stdout + run.stderr).not.toContain(TOKEN);

  const again = await withGithub(scene, 'sync');
  expect(again.stdout).toContain('already match the feature list');
});

test('a preview writes nothing; without a repository or a token the command says what is missing', async () => {
  const scene = await projectWithAgent(HONEST, MIRRORED);
  const plan = JSON.parse((await withGithub(scene, 'sync', '--dry-run', '--json')).stdout) as {
    kind: string;
    actions: { kind: string; feature: number }[];
  };
  expect(plan).toMatchObject({ kind: 'planned' });
  expect(plan.actions.map(({ kind, feature }) => `${kind} ${feature}`)).toEqual(['create 1', 'close 1', 'create 2', 'create 3']);
  expect(github.issues.size).toBe(0);
  const tokenless = await harness(scene, 'sync');
  expect(tokenless.code).toBe(10);
  expect(tokenless.stderr).toContain('GITHUB_TOKEN');
  const without = await projectWithAgent(HONEST);
  expect((await harness(without, 'sync')).stdout).toContain('There is no GitHub mirror here');
});

test('the settings act: another name for the repository, no mirror at all, nothing created, nothing closed, nothing at the end of a session', async () => {
  const scene = await projectWithAgent(HONEST);
  const before = await read(scene, '.harness.yaml');
  const withSettings = async (text: string, ...args: string[]): Promise<Run> => {
    await write(scene, { '.harness.yaml': text });
    await git(scene, 'commit', '-q', '--allow-empty', '-m', 'Settings', '--', '.harness.yaml');
    return await withGithub(scene, ...args);
  };
  const named = before.replace('  name: calculator\n', '  name: calculator\n  github_repo: user/other\n');
  const planned = await withSettings(named, 'sync', '--dry-run', '--json');
  expect(JSON.parse(planned.stdout)).toMatchObject({ kind: 'planned', repository: 'user/other' });
  const off = await withSettings(`${before}github:\n  repo: user/calc\n  sync_mode: none\n`, 'sync');
  expect(off.stdout).toContain('github.sync_mode is none');
  const none = await withSettings(`${before}github:\n  repo: user/calc\n  create_missing_issues: false\n`, 'sync', '--json');
  expect(JSON.parse(none.stdout)).toMatchObject({ kind: 'done', actions: [] });
  const open = await withSettings(`${before}github:\n  repo: user/calc\n  close_on_verify: false\n`, 'sync', '--dry-run', '--json');
  expect((JSON.parse(open.stdout) as { actions: { kind: string }[] }).actions.map(({ kind }) => kind)).toEqual([
    'create',
    'create',
    'create',
  ]);
  const quiet = await withSettings(`${before}github:\n  repo: user/calc\n  sync_on_session_end: false\n`, 'run', '--json');
  expect(quiet.last, quiet.stderr).toMatchObject({ outcome: 'verified' });
  expect(github.issues.size).toBe(0);
});

test('a deleted issue is a question, made again on a person’s word; override says what follows, and open issues are explained', async () => {
  const scene = await projectWithAgent(HONEST, { settings: `${MIRRORED.settings}  close_on_verify: false\n` });
  expect((await withGithub(scene, 'sync')).code).toBe(0);
  const matching = await withGithub(scene, 'sync');
  expect(matching.stdout).toContain('Open although their features pass, because github.close_on_verify is false: #1.');
  github.remove(3);
  const asked = await withGithub(scene, 'sync');
  expect(asked, asked.stderr).toMatchObject({ code: 8, stdout: expect.stringContaining('issue 3 is gone (feature #3)') });
  expect(await read(scene, '.harness/escalation.md')).toContain('harness answer project.issue-gone:3 "Create again"');
  expect((await harness(scene, 'answer', 'project.issue-gone', 'Create again')).code).toBe(0);
  expect(await withGithub(scene, 'sync')).toMatchObject({ code: 0 });
  expect(states()).toEqual({ 1: 'open', 2: 'open', 3: 'open' });
  const overridden = await harness(scene, 'override', '--feature', '2', '--passes', 'true', '--approve', 'project.override');
  expect(overridden.stdout).toContain('Its GitHub issue follows with the next sync: harness sync');
});

test('a sync that fails is a warning, the session stands, and the next one makes it up', async () => {
  const scene = await projectWithAgent(HONEST, MIRRORED);
  github.fault = () => ({ status: 401, message: 'Bad credentials' });
  const run = await withGithub(scene, 'run');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(run.stdout + run.stderr).toContain('GitHub does not accept the token');
  github.fault = () => null;
  expect((await withGithub(scene, 'sync')).code).toBe(0);
  expect(states()).toEqual({ 1: 'closed', 2: 'closed', 3: 'open' });
});

test('a sync that is killed at every request ends as if it had not been', async () => {
  const scene = await projectWithAgent(HONEST, MIRRORED);
  const ended = (): Promise<Run> => withGithub(scene, 'sync', '--json');
  let deaths = 0;
  for (let isDone = false; !isDone;) {
    let heard = 0;
    const sync = startHarness(scene, ['sync', '--json'], { GITHUB_API_URL: github.url, GITHUB_TOKEN: TOKEN });
    github.fault = (_number, line) => {
      heard += line.startsWith('GET') ? 0 : 1;
      if (line.startsWith('GET') || heard <= (deaths % 3 === 0 ? 0 : 1)) return null;
      sync.child.kill('SIGKILL');
      return deaths % 2 === 0 ? 'before' : 'after';
    };
    isDone = (await sync.ended).code === 0;
    if (!isDone) deaths++;
  }
  github.fault = () => null;
  expect(deaths).toBeGreaterThan(2);
  expect(JSON.parse((await ended()).stdout)).toMatchObject({ kind: 'done', actions: [] });
  expect(states()).toEqual({ 1: 'closed', 2: 'open', 3: 'open' });
  expect([...github.issues.values()].map(({ comments }) => comments.length)).toEqual([1, 0, 0]);
});

test('on_sync_failure: fail pauses the project, and the session stands', async () => {
  const scene = await projectWithAgent(HONEST, { settings: `${MIRRORED.settings}  on_sync_failure: fail\n` });
  github.fault = () => ({ status: 401, message: 'Bad credentials' });
  const run = await withGithub(scene, 'run', '--json');
  expect(run.last, run.stderr).toMatchObject({ outcome: 'verified' });
  expect((await harness(scene, 'status')).stdout).toMatch(/paused/i);
});

test("the token of GitHub's own program is taken where the environment has none", async () => {
  const scene = await projectWithAgent(HONEST, MIRRORED);
  const folder = join(scene.folder, 'programs');
  await mkdir(folder);
  await writeFile(join(folder, 'gh'), `#!/bin/sh\n[ "$1 $2" = "auth token" ] && echo ${TOKEN}\n`, { mode: 0o755 });
  const sync = await startHarness(scene, ['sync'], { GITHUB_API_URL: github.url, PATH: `${folder}:${scene.env['PATH']}` }).ended;
  expect(sync, sync.stderr).toMatchObject({ code: 0 });
  expect(github.requests.every(({ authorization }) => authorization?.includes(TOKEN) === true)).toBe(true);
  expect(sync.stdout + sync.stderr).not.toContain(TOKEN);
});

async function filesWith(folder: string, word: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(word)) found.push(path);
  }
  return found;
}
