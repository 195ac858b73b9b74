import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { openWatch } from './read-watch.ts';

const platform = nodePlatform({});
let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'harness-watch-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const usage = { input_tokens: 1, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const ts = '2026-01-01T00:00:00.000Z';
const line = (seq: number, event: object): string => `${JSON.stringify({ ts, seq, ...event })}\n`;
const start = (seq: number, session: number): string =>
  line(seq, {
    type: 'session.start',
    session,
    feature: session,
    prompt: 'coding',
    backend: 'b',
    model: 'm',
    workspace: '',
    lane: `lane-${session}`,
  });
const used = (seq: number, session: number): string =>
  line(seq, { type: 'agent.usage', session, usage, context_tokens: 1, context_window: 10, cost_usd: 0.25 });
const journal = (): string => join(folder, 'events.jsonl');
const hours = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => used(from + at, 1 + ((from + at) % 2))).join('');

test('sessions that began long ago stand there with all that they have cost', async () => {
  await writeFile(journal(), start(1, 1) + start(2, 2) + hours(3, 6_000));
  const { watch, seq } = await openWatch(platform)(folder, [1, 2], true);
  expect(seq).toBe(6_002);
  expect(watch.lanes.map(({ session, cost_usd }) => [session, cost_usd])).toEqual([
    [1, 750],
    [2, 750],
  ]);
});

test('a later look adds what is new, once, and a look from the start says the same', async () => {
  const look = openWatch(platform);
  await writeFile(journal(), start(1, 1) + start(2, 2) + hours(3, 400));
  await look(folder, [1, 2], true);
  await look(folder, [1, 2], true);
  await appendFile(journal(), hours(403, 6_000));
  await look(folder, [1, 2], true);
  await appendFile(
    journal(),
    line(6_403, { type: 'session.end', session: 1, feature: 1, outcome: 'verified', reasons: [] }) + used(6_404, 2),
  );
  const found = await look(folder, [2], true);
  expect(found.watch.lanes.map(({ session, cost_usd }) => [session, cost_usd])).toEqual([[2, 800.25]]);
  expect((await openWatch(platform)(folder, [2], true)).watch.lanes).toEqual(found.watch.lanes);
});

test('a journal that began anew is read anew', async () => {
  const look = openWatch(platform);
  await writeFile(journal(), start(1, 1) + hours(2, 300));
  await look(folder, [1], true);
  await writeFile(journal(), start(1, 7) + used(2, 7));
  expect((await look(folder, [7], true)).watch.lanes.map(({ session, cost_usd }) => [session, cost_usd])).toEqual([[7, 0.25]]);
});
