/** The steps of action.yml, run by a script that plays the runner, on a bare checkout. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { commitAll, exists, git, makeScene, write, type Scene } from './support.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Step {
  name: string;
  id?: string;
  if?: string;
  run?: string;
  uses?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}

interface Action {
  inputs: Record<string, { default: string }>;
  runs: { steps: Step[] };
}

interface Job {
  code: number;
  log: string;
  summary: string;
  outputs: Record<string, string>;
  report: string[];
}

const HEADER = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
const BASE = {
  'package.json': `${JSON.stringify({ name: 'calc', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'src/one.js': 'export const one = () => 1;\n',
  'test/one.test.js': `${HEADER}import { one } from '../src/one.js';\ntest('one', () => {\n  assert.equal(one(), 1);\n});\n`,
};
const ADD = {
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': `${HEADER}import { add } from '../src/add.js';\ntest('adds two', () => {\n  assert.equal(add(2, 3), 5);\n});\ntest('adds negatives', () => {\n  assert.equal(add(-2, -7), -9);\n});\n`,
};

/** A clone as actions/checkout makes it for a pull request: detached, with the base branch as a remote one. */
async function checkout(change: Readonly<Record<string, string>>): Promise<Scene> {
  const scene = await makeScene(BASE);
  await git(scene, 'branch', '-M', 'main');
  await git(scene, 'checkout', '-q', '-b', 'feature');
  await write(scene, change);
  await commitAll(scene, 'Change');
  await git(scene, 'checkout', '-q', '--detach');
  await git(scene, 'update-ref', 'refs/remotes/origin/main', 'main');
  await git(scene, 'branch', '-q', '-D', 'main', 'feature');
  await mkdir(scene.env['HOME'] ?? '', { recursive: true });
  return scene;
}

let tarball: Promise<string> | undefined;

async function packed(scene: Scene): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--ignore-scripts', '--loglevel=error', ROOT], {
    cwd: scene.folder,
    env: scene.env,
  });
  return join(scene.folder, stdout.trim());
}

async function runAction(scene: Scene, inputs: Record<string, string> = {}, env: Record<string, string> = {}): Promise<Job> {
  const action = parse(await readFile(join(ROOT, 'action.yml'), 'utf8')) as Action;
  const temp = join(scene.folder, 'runner-temp');
  await mkdir(temp, { recursive: true });
  const files = { GITHUB_PATH: join(temp, 'path'), GITHUB_OUTPUT: join(temp, 'output'), GITHUB_STEP_SUMMARY: join(temp, 'summary') };
  for (const file of Object.values(files)) await writeFile(file, '');
  tarball ??= packed(scene);
  const given: Record<string, string> = { package: await tarball, ...inputs };
  const filled = (text: string): string =>
    text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => given[name] ?? action.inputs[name]?.default ?? '');
  let [code, log] = [0, ''];
  for (const step of action.runs.steps) {
    if (step.run === undefined || (code !== 0 && step.if !== 'always()')) continue;
    const path = (await readFile(files.GITHUB_PATH, 'utf8')).split('\n').filter(Boolean);
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)]));
    const { HARNESS_HOME: _home, ...user } = scene.env;
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step.run], {
      cwd: scene.project,
      env: {
        ...user,
        PATH: [...path, user['PATH'] ?? ''].join(':'),
        RUNNER_TEMP: temp,
        RUNNER_OS: 'Linux',
        GITHUB_EVENT_NAME: 'pull_request',
        GITHUB_BASE_REF: 'main',
        ...files,
        ...own,
        ...env,
      },
    });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (log += text));
    code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  }
  const outputs = (await readFile(files.GITHUB_OUTPUT, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('=', 2));
  const report = (await exists(join(temp, 'harness-report'))) ? await readdir(join(temp, 'harness-report')) : [];
  return {
    code,
    log,
    summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
    outputs: Object.fromEntries(outputs) as Record<string, string>,
    report: report.toSorted(),
  };
}

test('a proved change passes, a broken one fails, and one to review fails unless only rejections do', async () => {
  const proved = await runAction(await checkout(ADD), { describe: 'Adds two numbers' });
  expect(proved, proved.log).toMatchObject({ code: 0, outputs: { verdict: 'accepted' }, report: ['judge.json', 'judge.md', 'judge.xml'] });
  expect(proved.summary).toMatch(/^## accepted/);

  const broken = await runAction(await checkout({ 'src/one.js': 'export const one = () => 2;\n' }));
  expect(broken, broken.log).toMatchObject({ code: 4, outputs: { verdict: 'rejected' } });
  expect(broken.summary).toContain('test/one.test.js');

  const weakened = await checkout({
    'src/one.js': 'export const one = () => 2;\n',
    'test/one.test.js': BASE['test/one.test.js'].replace('one(), 1', 'one(), 2'),
  });
  expect(await runAction(weakened)).toMatchObject({ code: 8, outputs: { verdict: 'needs_review' } });
  expect(await runAction(weakened, { fail_on: 'rejected' })).toMatchObject({ code: 0, outputs: { verdict: 'needs_review' } });
  expect(await runAction(weakened, { fail_on: 'sometimes' })).toMatchObject({ code: 2 });
});

test('without a sandbox it is not judged, unless that is allowed; never on pull_request_target', async () => {
  const scene = await checkout(ADD);
  const bin = join(scene.folder, 'bin');
  await mkdir(bin);
  for (const name of ['bash', 'sh', 'git', 'node', 'npm', 'npx', 'env', 'mkdir', 'rm', 'cat', 'find', 'cp', 'tr', 'ls', 'ps', 'uname']) {
    const { stdout } = await promisify(execFile)('bash', ['-c', `command -v ${name}`]);
    await symlink(stdout.trim(), join(bin, name));
  }
  scene.env['PATH'] = bin;
  const refused = await runAction(scene);
  expect(refused, refused.log).toMatchObject({ code: 6, outputs: { verdict: 'not_judged' } });
  expect(await runAction(scene, { fail_on: 'never' })).toMatchObject({ code: 0, outputs: { verdict: 'not_judged' } });
  const allowed = await runAction(scene, { allow_unsandboxed: 'true' });
  expect(allowed, allowed.log).toMatchObject({ code: 0, outputs: { verdict: 'accepted' } });
  expect(await runAction(scene, {}, { GITHUB_EVENT_NAME: 'pull_request_target' })).toMatchObject({ code: 2 });
});

test('a shallow clone says how to mend it', async () => {
  const scene = await checkout(ADD);
  await git(scene, 'update-ref', '-d', 'refs/remotes/origin/main');
  await writeFile(join(scene.project, '.git', 'shallow'), `${await git(scene, 'rev-parse', 'HEAD')}\n`);
  const job = await runAction(scene);
  expect(job, job.log).toMatchObject({ code: 6 });
  expect(job.summary).toContain('depth: 0');
});
