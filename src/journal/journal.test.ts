import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Level, StampedEvent } from '../domain/event.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { openJournal } from './journal.ts';
import { sessionRecords, tailJournal } from './query.ts';

const platform = nodePlatform({});
let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'harness-journal-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (level: Level = 'important', on: Platform = platform) => openJournal(on, folder, { level, harnessVersion: '0.1.0' });
const ts = '2026-01-01T00:00:00.000Z';
const warning = (message: string): StampedEvent => ({ type: 'warning', message, ts });
const lines = async (name: string): Promise<Record<string, unknown>[]> =>
  (await readFile(join(folder, name), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a new file begins with a header, and events follow in order', async () => {
  const journal = await open();
  for (let index = 0; index < 500; index += 1) journal.append(warning(`w${index}`));
  await journal.flush();
  const [header, ...events] = await lines('events.jsonl');
  expect(header).toMatchObject({ type: 'header', journal: 'events', schema_version: 1, harness_version: '0.1.0' });
  expect(events.map((event) => event['message'])).toEqual(Array.from({ length: 500 }, (_, index) => `w${index}`));
  expect(events[0]).toMatchObject({ ts, type: 'warning', level: 'important' });
});

test('reopening goes on after what is there, with one header', async () => {
  for (const message of ['one', 'two']) {
    const journal = await open();
    journal.append(warning(message));
    await journal.close();
  }
  expect((await lines('events.jsonl')).map((line) => line['message'] ?? line['type'])).toEqual(['header', 'one', 'two']);
});

test.each([
  '{"ts":"2026',
  '{"ts":"2026-01-01T00:00:00.000Z","type":"warning","message":"whole but without newline"}',
  '\0\0\0\0',
  'x'.repeat(200_000),
])('an unfinished last line is cut, and its size is noted', async (torn) => {
  const first = await open();
  first.append(warning('kept'));
  await first.close();
  await appendFile(join(folder, 'events.jsonl'), torn);
  const second = await open();
  expect(second.recovered).toEqual([{ file: 'events.jsonl', bytes: Buffer.byteLength(torn) }]);
  second.append(warning('after'));
  await second.close();
  expect((await lines('events.jsonl')).slice(1).map((line) => line['message'])).toEqual(['kept', 'after']);
});

test('a file torn inside its header begins again', async () => {
  await writeFile(join(folder, 'events.jsonl'), '{"ts":"20');
  const journal = await open();
  journal.append(warning('first'));
  await journal.close();
  expect((await lines('events.jsonl')).map((line) => line['type'])).toEqual(['header', 'warning']);
});

test('the level decides what is kept, and agent actions are complete beside it', async () => {
  for (const [level, expected] of [
    ['critical', 1],
    ['important', 3],
    ['routine', 6],
    ['debug', 24],
  ] as const) {
    await rm(folder, { recursive: true, force: true });
    const journal = await open(level);
    journal.append({ type: 'decision', session: 1, text: 'use PATCH', by: 'agent', ts });
    journal.append(warning('w'));
    journal.append({ type: 'progress', message: 'p', ts });
    for (let index = 0; index < 20; index += 1)
      journal.append({ type: 'agent.action', session: 1, action: { kind: 'file_read', path: `f${index}`, type: 'ignored' }, ts });
    journal.append({
      type: 'agent.usage',
      session: 1,
      usage: { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      context_tokens: 2,
      context_window: 200_000,
      cost_usd: null,
      ts,
    });
    await journal.close();
    expect([level, (await lines('events.jsonl')).length - 1]).toEqual([level, expected]);
    const actions = await lines('agent_actions.jsonl');
    expect(actions.length - 1).toBe(20);
    expect(actions[1]).toEqual({ ts, type: 'file_read', session: 1, path: 'f0' });
    expect((await lines('decisions.jsonl'))[1]).toEqual({ ts, type: 'decision', session: 1, text: 'use PATCH', by: 'agent' });
  }
});

test('a refused verdict is critical, an accepted one is not', async () => {
  const journal = await open('critical');
  for (const decision of ['accepted', 'rejected'] as const)
    journal.append({ type: 'verify.result', session: 1, feature: 1, verdict: 'v', decision, reasons: [], messages: [], ts });
  await journal.close();
  expect((await lines('events.jsonl')).slice(1).map((line) => line['decision'])).toEqual(['rejected']);
});

test('control sequences are cleaned out of every text, and floods are cut', async () => {
  const journal = await open();
  journal.append(warning('\x1b[2Jred\u202e\x9b1m done\x07'));
  journal.append(warning('x'.repeat(1_000_000)));
  journal.action(1, { kind: 'cmd_run', cmd: 'echo \x1b]0;t\x07ok' });
  await journal.close();
  const [, first, second] = await lines('events.jsonl');
  expect(first?.['message']).toBe('red done');
  expect(String(second?.['message']).length).toBeLessThan(17_000);
  expect((await lines('agent_actions.jsonl'))[1]?.['cmd']).toBe('echo ok');
});

test('after a failed write the flush says so, and the next one writes every line once', async () => {
  let broken = false;
  const files: Platform['files'] = {
    ...platform.files,
    append: async (path, data, options) => {
      if (broken && data !== '') {
        await platform.files.append(path, data.slice(0, 7));
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      }
      await platform.files.append(path, data, options);
    },
  };
  const journal = await open('important', { ...platform, files });
  journal.append(warning('one'));
  await journal.flush();
  broken = true;
  journal.append(warning('two'));
  await expect(journal.flush()).rejects.toThrow('no space');
  journal.append(warning('three'));
  broken = false;
  await journal.flush();
  expect((await lines('events.jsonl')).slice(1).map((line) => line['message'])).toEqual(['one', 'two', 'three']);
});

test('session summaries can be read back', async () => {
  const journal = await open();
  const record = {
    session_id: 7,
    prompt: 'coding' as const,
    started_at: ts,
    ended_at: '2026-01-01T00:45:00.000Z',
    duration_seconds: 2700,
    outcome: 'verified' as const,
    reasons: [],
    termination_reason: 'complete',
    feature_id: 15,
    feature_completed: true,
    tokens_used: { input: 145_000, output: 32_000, cached: 0 },
    cost_usd: 0.92,
    backend: 'command',
    model: 'm',
  };
  journal.session(record);
  await journal.close();
  expect(await sessionRecords(platform, folder)).toEqual([expect.objectContaining(record)]);
  expect(await tailJournal(platform, folder, 5, 'sessions')).toHaveLength(1);
});
