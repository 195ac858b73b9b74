/** The program as a process: exit codes, streams, signals. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeGate } from '../../src/gates/gate-files.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { folderStore } from '../../src/store/folder-store.ts';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness e2e-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, HARNESS_HOME: join(folder, 'home') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended, seen: () => stdout };
}

const harness = (...args: string[]) => start(...args).ended;

/** As the harness of this user asks it here. */
async function askedQuestion(): Promise<void> {
  const platform = nodePlatform({ HOME: folder, HARNESS_HOME: join(folder, 'home') });
  await writeGate(folderStore(platform, join(folder, '.harness')).in('gates'), {
    id: 'project.stuck',
    asked_at: '2026-01-01T00:00:00.000Z',
    header: 'Feature stuck',
    question: 'How should it go on?',
    options: [
      { label: 'Split feature', description: 'smaller', recommended: false },
      { label: 'Skip', description: 'later', recommended: true },
    ],
    non_negotiable: false,
    context: [],
  });
}

test('help goes to stdout and is no failure', async () => {
  expect(await harness('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('harness demo'), stderr: '' });
  expect(await harness('mission', 'run', '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('--lanes <N>'), stderr: '' });
});

test('a mistyped command exits 2, says so on stderr and suggests the nearest', async () => {
  expect(await harness('gatse')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('harness gates') });
});

test.each([
  ['mission', 'run'],
  ['mission', 'status'],
])('harness %s %s without settings says what is missing and exits 2', async (...args) => {
  expect(await harness(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('.harness.yaml') });
});

test('questions are listed in the public form and answered by label or number', async () => {
  await askedQuestion();
  const listed = await harness('gates', '--json');
  expect(JSON.parse(listed.stdout)).toEqual([
    {
      id: 'project.stuck',
      asked_at: '2026-01-01T00:00:00.000Z',
      header: 'Feature stuck',
      question: 'How should it go on?',
      options: [
        { label: 'Split feature', description: 'smaller', recommended: false },
        { label: 'Skip', description: 'later', recommended: true },
      ],
      person: true,
    },
  ]);
  expect((await harness('gates')).stdout).toContain('harness answer project.stuck Skip');
  expect(await harness('answer', 'project.stuck', 'nonsense')).toMatchObject({ code: 2, stderr: expect.stringContaining('2. Skip') });
  expect(await harness('answer', 'project.stuck', '2', '--text', 'for now')).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(join(folder, '.harness', 'gates', 'project.stuck.answer.json'), 'utf8'))).toMatchObject({
    option: 'Skip',
    text: 'for now',
  });
  expect((await harness('gates', '--json')).stdout).toBe('[]\n');
});

test('a followed log shows new lines and ends with 130 when interrupted', async () => {
  const logs = join(folder, '.harness', 'logs');
  await mkdir(logs, { recursive: true });
  const line = (message: string) => `${JSON.stringify({ ts: '2026-01-01T00:00:00.000Z', type: 'progress', message })}\n`;
  await writeFile(join(logs, 'events.jsonl'), line('first'));
  const { child, ended, seen } = start('log', 'tail', '--follow', '--json');
  await expect.poll(seen, { timeout: 10_000 }).toContain('first');
  await writeFile(join(logs, 'events.jsonl'), line('second'), { flag: 'a' });
  await expect.poll(seen, { timeout: 10_000 }).toContain('second');
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  expect(code).toBe(130);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((text) => (JSON.parse(text) as { message: string }).message),
  ).toEqual(['first', 'second']);
});

test('a reader that goes away is no failure', async () => {
  const logs = join(folder, '.harness', 'logs');
  await mkdir(logs, { recursive: true });
  const entry = `${JSON.stringify({ ts: '2026-01-01T00:00:00.000Z', type: 'progress', message: 'x'.repeat(1_000) })}\n`;
  await writeFile(join(logs, 'events.jsonl'), entry.repeat(5_000));
  const { child, ended } = start('log', 'query', 'type=progress');
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});
