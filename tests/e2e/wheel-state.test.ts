/** State that lives long: older schemas are brought up to date with a copy kept, newer and damaged ones are never overwritten. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HONEST, projectWithAgent } from './calculator.ts';
import { eventsOf, git, harness, read, type Scene } from './support.ts';

/** As versions of the harness with these schemas wrote it. */
const GOLDEN = {
  1: {
    last_session: 7,
    status: 'partial',
    current_feature: 2,
    termination_reason: 'context_limit',
    next_prompt: 'continuation',
    timestamp: '2025-01-16T14:30:00Z',
    note: 'kept',
  },
  2: {
    schema_version: 2,
    harness_version: '1.2.0',
    last_session: 7,
    status: 'failed',
    current_feature: 2,
    termination_reason: 'stuck',
    next_prompt: 'coding',
    stuck_count: 2,
    timestamp: '2025-01-16T14:30:00Z',
    note: 'kept',
  },
  3: {
    schema_version: 3,
    harness_version: '1.2.1',
    last_session: 7,
    status: 'complete',
    current_feature: 2,
    termination_reason: null,
    next_prompt: 'coding',
    stuck_count: 0,
    timeout_count: 1,
    timestamp: '2025-01-16T14:30:00Z',
    note: 'kept',
  },
} as const;

async function withState(text: string | Uint8Array, settings = ''): Promise<Scene> {
  const scene = await projectWithAgent(HONEST, { settings });
  await writeFile(join(scene.project, '.harness/session_state.json'), text);
  return scene;
}

const path = '.harness/session_state.json';
const backups = async (scene: Scene): Promise<string[]> =>
  (await readdir(scene.project)).filter((name) => name.startsWith('.harness.backup.'));

test.each([1, 2] as const)('state of schema %i is migrated by the command, with a copy that no commit can catch', async (schema) => {
  const old = JSON.stringify(GOLDEN[schema]);
  const scene = await withState(old);
  expect(JSON.parse((await harness(scene, 'version', '--json')).stdout)).toMatchObject({
    state_schema_version: schema,
    schema_version: 3,
    status: 'older',
  });
  expect(await read(scene, path)).toBe(old);
  const run = await harness(scene, 'migrate', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(run.stdout)).toMatchObject({ from: schema, to: 3, migrated: true });
  expect(JSON.parse(await read(scene, path))).toMatchObject({
    ...GOLDEN[schema],
    schema_version: 3,
    timeout_count: 0,
    harness_version: expect.not.stringMatching(/^1\.2/) as unknown,
  });
  const [copy] = await backups(scene);
  expect(copy).toMatch(/^\.harness\.backup\.\d{8}$/);
  expect(await read(scene, `${copy}/session_state.json`)).toBe(old);
  expect(await git(scene, 'status', '--porcelain')).toBe('?? untracked.txt');
  expect(JSON.parse((await harness(scene, 'migrate', '--json')).stdout)).toMatchObject({ migrated: false });
  expect(await backups(scene)).toHaveLength(1);
  const log = (await read(scene, '.harness/logs/events.jsonl'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; from?: number; to?: number });
  for (const type of ['migration_start', 'migration_complete'])
    expect(log.filter((line) => line.type === type).map(({ from, to }) => [from, to])).toEqual(
      [
        [1, 2],
        [2, 3],
      ].slice(schema - 1),
    );
});

test('state of the current schema needs nothing, and --no-backup keeps no copy', async () => {
  const current = await withState(JSON.stringify(GOLDEN[3]));
  expect(JSON.parse((await harness(current, 'migrate', '--json')).stdout)).toMatchObject({ from: 3, migrated: false });
  expect(await harness(current, 'run', '--json')).toMatchObject({ code: 0, last: { session: 8 } });
  const old = await withState(JSON.stringify(GOLDEN[2]));
  expect(await harness(old, 'migrate', '--no-backup')).toMatchObject({ code: 0 });
  expect(await backups(old)).toEqual([]);
});

test('harness run migrates by itself, tells it, and goes on; on_older_state: abort refuses', async () => {
  const scene = await withState(JSON.stringify(GOLDEN[2]));
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0, last: { session: 8, feature: 2 } });
  expect(eventsOf(run, 'state.recovered')).toMatchObject([{ what: 'state of schema 2' }]);
  expect(await backups(scene)).toHaveLength(1);
  const strict = await withState(JSON.stringify(GOLDEN[2]), 'compatibility:\n  on_older_state: abort\n');
  const refused = await harness(strict, 'run', '--json');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('harness migrate');
  expect(await read(strict, path)).toBe(JSON.stringify(GOLDEN[2]));
});

test('state of a newer harness is refused untouched, or gone on with after a copy where the settings say so', async () => {
  const newer = JSON.stringify({ ...GOLDEN[3], schema_version: 99, harness_version: '9.0.0' });
  const scene = await withState(newer);
  for (const args of [['run'], ['migrate'], ['skip', '--feature', '2'], ['status']]) {
    const run = await harness(scene, ...args);
    expect([args[0], run.code]).toEqual([args[0], 2]);
    expect(run.stderr).toMatch(/newer harness \(schema 99/);
    expect(await read(scene, path)).toBe(newer);
  }
  const warned = await withState(newer, 'compatibility:\n  on_newer_state: warn\n');
  const run = await harness(warned, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(eventsOf(run, 'warning').some((event) => String(event['message']).includes('schema 99'))).toBe(true);
  const [copy] = await backups(warned);
  expect(await read(warned, `${copy}/session_state.json`)).toBe(newer);
});

test.each([
  ['truncated', Buffer.from(JSON.stringify(GOLDEN[3]).slice(0, 60))],
  ['binary', Buffer.from([0, 255, 254, 1, 2, 3])],
  ['broken by hand', Buffer.from(JSON.stringify({ ...GOLDEN[3], status: 'fine', last_session: 'seven' }))],
])('a %s state file is never overwritten: lookers leave it, a writer sets it aside and says where', async (_title, bytes) => {
  const scene = await withState(bytes);
  expect(await harness(scene, 'status')).toMatchObject({ code: 2 });
  expect(await readFile(join(scene.project, path))).toEqual(bytes);
  const run = await harness(scene, 'skip', '--feature', '2');
  expect(run.code).toBe(2);
  const aside = (await readdir(join(scene.project, '.harness'))).filter((name) => name.startsWith('session_state.json.unreadable-'));
  expect(aside).toHaveLength(1);
  expect(run.stderr).toContain(aside[0]);
  expect(await readFile(join(scene.project, '.harness', aside[0]!))).toEqual(bytes);
});
