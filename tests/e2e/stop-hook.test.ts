/** The Stop hook as a host calls it: JSON on stdin, JSON on stdout. */
import { spawn } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN } from './host-support.ts';
import { commitAll, git, makeScene, write, type Scene } from './support.ts';

const HEADER = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
const BASE = {
  'package.json': `${JSON.stringify({ name: 'calc', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'src/one.js': 'export const one = () => 1;\n',
  'test/one.test.js': `${HEADER}import { one } from '../src/one.js';\ntest('one', () => {\n  assert.equal(one(), 1);\n});\n`,
};
const ADD = 'export const add = (a, b) => a + b;\n';
const ADD_TEST = `${HEADER}import { add } from '../src/add.js';\ntest('adds two', () => {\n  assert.equal(add(2, 3), 5);\n});\ntest('adds negatives', () => {\n  assert.equal(add(-2, -7), -9);\n});\n`;

interface Answer {
  value: { decision?: string; reason?: string; systemMessage?: string };
  ms: number;
}

interface Call {
  event?: string;
  active?: boolean;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

async function hook(scene: Scene, { event = 'Stop', active = false, args = [], env = {} }: Call = {}): Promise<Answer> {
  const began = performance.now();
  const child = spawn(process.execPath, [BIN, 'hook', 'stop', ...args], {
    cwd: scene.project,
    env: { ...scene.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stdin.end(
    JSON.stringify({ session_id: 's-1', cwd: scene.project, hook_event_name: event, stop_hook_active: active, transcript_path: '/none' }),
  );
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(0);
  return { value: JSON.parse(stdout) as Answer['value'], ms: performance.now() - began };
}

/** So many milliseconds of a machine with nothing else to do, on which Node starts in 40. */
async function moments(ms: number): Promise<number> {
  const starts: number[] = [];
  for (let again = 0; again < 3; again++) {
    const began = performance.now();
    await new Promise((resolve) => spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).once('close', resolve));
    starts.push(performance.now() - began);
  }
  return ms * Math.max(1, Math.max(...starts) / 40);
}

interface Stop {
  verdict: string;
  result: string;
  blocked: boolean;
}

async function recorded(scene: Scene): Promise<Stop[]> {
  const judged = join(scene.env['HARNESS_HOME'] ?? '', 'judged');
  const [key = ''] = await readdir(judged);
  const [file = ''] = await readdir(join(judged, key, 'stops'));
  const { stops } = JSON.parse(await readFile(join(judged, key, 'stops', file), 'utf8')) as { stops: Stop[] };
  return stops.map(({ verdict, result, blocked }) => ({ verdict, result, blocked }));
}

async function begun(): Promise<Scene> {
  const scene = await makeScene(BASE);
  await git(scene, 'branch', '-M', 'main');
  expect((await hook(scene, { event: 'SessionStart' })).value).toEqual({});
  return scene;
}

test('a false finish is refused in words, three times in a row; the fourth stop passes as not verified; a true finish passes', async () => {
  const scene = await begun();
  await write(scene, { 'src/add.js': ADD.replace('a + b', '5'), 'test/add.test.js': ADD_TEST });
  const first = await hook(scene);
  expect(first.value.decision).toBe('block');
  expect(first.value.reason).toContain('test/add.test.js');
  expect(first.value.reason).toContain('Do not weaken or remove tests');
  expect((first.value.reason ?? '').length).toBeLessThan(2_000);
  for (let again = 2; again <= 3; again++) expect((await hook(scene, { active: true })).value.decision).toBe('block');
  const fourth = await hook(scene, { active: true });
  expect(fourth.value).toEqual({ systemMessage: expect.stringContaining('not verified') });
  expect(await recorded(scene)).toEqual([
    ...Array.from({ length: 3 }, () => ({ verdict: 'rejected', result: 'not_verified', blocked: true })),
    { verdict: 'rejected', result: 'not_verified', blocked: false },
  ]);
  await write(scene, { 'src/add.js': ADD });
  // Committed or not, it is the work of this session.
  await commitAll(scene, 'Add');
  expect((await hook(scene)).value).toEqual({});
  expect((await recorded(scene)).at(-1)).toEqual({ verdict: 'accepted', result: 'verified', blocked: false });
});

test('with the limit raised it blocks on, and what the host overrides stays not verified in the record', async () => {
  const scene = await begun();
  await write(scene, { 'src/add.js': ADD.replace('a + b', '5'), 'test/add.test.js': ADD_TEST });
  await hook(scene, { args: ['--blocks', '20'] });
  for (let again = 2; again <= 9; again++)
    expect((await hook(scene, { active: true, args: ['--blocks', '20'] })).value.decision).toBe('block');
  const stops = await recorded(scene);
  expect(stops).toHaveLength(9);
  expect(stops.every(({ result }) => result === 'not_verified')).toBe(true);
});

test('a stop without changes passes at once, before and after a verdict', async () => {
  const scene = await begun();
  await hook(scene);
  const fresh = [await hook(scene), await hook(scene), await hook(scene)];
  expect(fresh.map(({ value }) => value)).toEqual([{}, {}, {}]);
  expect(Math.min(...fresh.map(({ ms }) => ms))).toBeLessThan(await moments(200));
  await write(scene, { 'src/add.js': ADD.replace('a + b', '5'), 'test/add.test.js': ADD_TEST });
  expect((await hook(scene)).value.decision).toBe('block');
  // The next prompt was a question: nothing was touched.
  expect((await hook(scene)).value).toEqual({});
  expect(await recorded(scene)).toHaveLength(1);
});

test('words, and code without a test, are never a block; a removed test is', async () => {
  const scene = await begun();
  await write(scene, { 'README.md': '# Calc\n' });
  expect((await hook(scene)).value).toEqual({});
  await write(scene, { 'src/add.js': ADD });
  expect((await hook(scene)).value).toEqual({});
  await write(scene, { 'src/one.js': 'export const one = () => 2;\n' });
  expect((await hook(scene)).value).toEqual({ systemMessage: expect.stringContaining('test/one.test.js') });
  await rm(join(scene.project, 'test', 'one.test.js'));
  const removed = await hook(scene);
  expect(removed.value.decision ?? removed.value.systemMessage).toBeDefined();
  expect((await recorded(scene)).map(({ verdict }) => verdict).slice(0, 3)).toEqual(['words', 'regression_only', 'rejected']);
});

test('too slow a suite, no repository, an agent of the harness and a broken call are let through', async () => {
  const scene = await begun();
  await write(scene, {
    'test/slow.test.js': `${HEADER}test('slow', async () => {\n  await new Promise((done) => setTimeout(done, 60_000));\n});\n`,
  });
  expect((await hook(scene, { env: { HARNESS_DEPTH: '1' } })).value).toEqual({});
  const late = await hook(scene, { args: ['--within', '3'] });
  expect(late.value.systemMessage).toContain('no verdict within 3 seconds');
  expect(await recorded(scene)).toEqual([{ verdict: 'not_judged', result: 'not_verified', blocked: false }]);
  expect((await hook({ ...scene, project: scene.folder })).value).toEqual({});
});
