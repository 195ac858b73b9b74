/** `github.follow` end to end: a server on loopback that shuffles and limits, a real remote, and checks that look at the pushed tree. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredRun } from '../../src/github/test-support-pulls.ts';
import { startGithub, type FakeGithub } from '../../src/github/test-support.ts';
import { HONEST_BOTH, projectWithAgent } from './calculator.ts';
import { eventsOf, git, harness, read, startHarness, type Run, type Scene } from './support.ts';

/** A repair adds what the check misses; told by a reviewer to weaken a test, it does that as well. */
const AGENT = `if [ -n "$HARNESS_FEATURE_ID" ]; then
${HONEST_BOTH}
else
if grep -q 'licence header' "$TMPDIR/prompt.txt"; then echo '// MIT' >> src/add.js; fi
if grep -q 'always passes' "$TMPDIR/prompt.txt"; then echo "import { test } from 'node:test'; test('add', () => {});" > test/add.test.js; fi
if grep -q 'from a stranger' "$TMPDIR/prompt.txt"; then echo 'HEARD A STRANGER'; fi
fi`;

let github: FakeGithub;
beforeEach(async () => {
  github = await startGithub();
});
afterEach(() => github.close());

async function followed(attempts: number): Promise<Scene> {
  const settings = 'github:\n  repo: user/calc\n  sync_mode: none\n  pull_requests: per_run\n';
  const scene = await projectWithAgent(AGENT, { checked: true, settings });
  const remote = join(scene.folder, 'remote.git');
  await rm(remote, { recursive: true, force: true });
  await git(scene, 'init', '-q', '--bare', '--template=', '-b', 'main', remote);
  await git(scene, 'remote', 'add', 'origin', remote);
  await git(scene, 'push', '-q', 'origin', 'main');
  await mkdir(scene.env['HARNESS_HOME']!, { recursive: true });
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), `github:\n  follow: true\n  follow_attempts: ${attempts}\n`);
  github.commitOf = (branch) => over(scene, 'rev-parse', branch);
  return scene;
}

const over = (scene: Scene, ...args: string[]): Promise<string> => git(scene, '--git-dir', join(scene.folder, 'remote.git'), ...args);
const start = (scene: Scene, ...args: string[]): ReturnType<typeof startHarness> =>
  startHarness(scene, args, { GITHUB_API_URL: github.url, GITHUB_TOKEN: 'ghp_0123456789secret' });
const said = (): string[] => (github.talk.get(1) ?? []).map(({ body }) => body);
const settle = (merged: string | null): void => void Object.assign(github.pulls[0]!, { state: 'closed', merged_at: merged });
const warnings = (run: Run): string =>
  eventsOf(run, 'warning')
    .map(({ message }) => String(message))
    .join('\n');

async function until(condition: () => boolean | Promise<boolean>, run: Promise<Run>): Promise<void> {
  let ended = false;
  void run.finally(() => (ended = true));
  while (!ended && !(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** As a build server: the first look finds it running, an older run of the same name comes along. */
function buildServer(scene: Scene): void {
  let asked = 0;
  github.checksOf = async (commit): Promise<StoredRun[]> => {
    const isRight = (await over(scene, 'show', `${commit}:src/add.js`)).includes('MIT');
    const run = (id: number, status: string, conclusion: string | null): StoredRun => ({
      id,
      name: 'headers',
      status,
      conclusion,
      output: { title: 'src/add.js has no licence header', summary: '' },
    });
    return (asked += 1) < 3
      ? [run(2, 'in_progress', null), run(1, 'completed', 'failure')]
      : [run(2, 'completed', isRight ? 'success' : 'failure')];
  };
}

test('red check, repair, green; a reviewer is answered; who may not write is not heard; merged is settled', async () => {
  const scene = await followed(2);
  buildServer(scene);
  github.shuffles = true;
  github.limit = { remaining: 14, size: 5_000, resetAt: Date.now() + 3_000 };
  github.permissions.set('ann', 'write');
  const first = await start(scene, 'run', '--until-done', '--json').ended;
  expect(first, first.stdout.slice(-3_000) + first.stderr).toMatchObject({ code: 0 });
  expect(await over(scene, 'log', '--format=%s', '-1', 'harness/main')).toMatch(/^Repair/);
  expect(await over(scene, 'show', 'harness/main:src/add.js')).toContain('MIT');
  const commit = await over(scene, 'rev-parse', 'harness/main');
  expect(said()).toEqual([expect.stringMatching(new RegExp(`verified and committed as ${commit}\\.\\nVerdict: [0-9a-f]+ `))]);
  expect((await harness(scene, 'status')).stdout).toContain('#1 open, not watched (harness sync --follow)');

  const tests = await read(scene, 'test/add.test.js');
  github.lines.set(1, [
    { id: 5, user: { login: 'ann' }, body: 'Make this a test that always passes.', path: 'test/add.test.js', line: 3 },
    { id: 6, user: { login: 'eve' }, body: 'Words from a stranger: always passes.' },
  ]);
  github.fault = (_, line) => (line === 'POST /repos/user/calc/issues/1/comments' && said().length === 1 ? 'after' : null);
  const watching = start(scene, 'sync', '--follow', '--json');
  await until(() => said().length > 1, watching.ended);
  settle('2026-01-02T00:00:00Z');
  const second = await watching.ended;
  expect(second, second.stdout.slice(-3_000) + second.stderr).toMatchObject({ code: 0 });
  expect(said().slice(1)).toEqual([expect.stringMatching(/Its work was not accepted\.\nVerdict: [0-9a-f]+ .*\n.*no further session/)]);
  expect(second.stdout).not.toContain('HEARD A STRANGER');
  expect(await read(scene, 'test/add.test.js')).toBe(tests);
  expect(await over(scene, 'rev-parse', 'harness/main')).toBe(commit);
  expect((await harness(scene, 'status')).stdout).not.toContain('not watched');
  expect(first.stdout + second.stdout + JSON.stringify(github.talk.get(1))).not.toContain('ghp_');
}, 900_000);

test("a person's commit over there is left alone, and nothing is begun until they settle it", async () => {
  const scene = await followed(3);
  expect(await start(scene, 'run', '--json').ended).toMatchObject({ code: 0 });
  const identity = ['-c', 'user.name=P', '-c', 'user.email=p@example.com'];
  const theirs = await over(scene, ...identity, 'commit-tree', 'harness/main^{tree}', '-p', 'harness/main', '-m', 'By hand');
  await over(scene, 'update-ref', 'refs/heads/harness/main', theirs);
  buildServer(scene);
  const watching = start(scene, 'sync', '--follow', '--json');
  await until(() => watching.seen().includes('"type":"warning"'), watching.ended);
  settle(null);
  const ended = await watching.ended;
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(warnings(ended)).toContain('has commits that are not here');
  expect(eventsOf(ended, 'session.start')).toEqual([]);
  expect(await over(scene, 'rev-parse', 'harness/main')).toBe(theirs);
}, 900_000);

test('without the user saying so nothing is followed', async () => {
  const scene = await followed(3);
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), '');
  expect(await start(scene, 'sync', '--follow').ended).toMatchObject({ code: 2, stderr: expect.stringContaining('github.follow: true') });
});
