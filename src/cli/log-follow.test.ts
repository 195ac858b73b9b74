import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { followLog } from './commands/log-tail.ts';

const entry = (text: string): string => JSON.stringify({ ts: '2026-01-01T00:00:00.000Z', type: 'progress', text });
let folder: string;
let file: string;
let seen: unknown[];
let over: AbortController;
let following: Promise<void>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-follow-'));
  file = join(folder, 'events.jsonl');
  seen = [];
  over = new AbortController();
  following = followLog(nodePlatform({}), file, { from: 0, signal: over.signal, show: (found) => seen.push(found['text']) });
});
afterEach(async () => {
  over.abort();
  await following;
  await rm(folder, { recursive: true, force: true });
});

test('a log that does not exist yet is waited for, and headers and torn lines are passed over', async () => {
  await writeFile(file, `{"type":"header","ts":"2026-01-01T00:00:00.000Z"}\n${entry('a')}\n{"broken\n`);
  await expect.poll(() => seen).toEqual(['a']);
});

test('a line shows once it is whole, also when a character is cut in two', async () => {
  const line = Buffer.from(`${entry('ä')}\n`);
  const middle = line.indexOf(0xc3) + 1;
  await writeFile(file, line.subarray(0, middle));
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(seen).toEqual([]);
  await appendFile(file, line.subarray(middle));
  await expect.poll(() => seen).toEqual(['ä']);
});

test('a log that starts anew is read from its start', async () => {
  await writeFile(file, `${entry('long long long')}\n`);
  await expect.poll(() => seen).toEqual(['long long long']);
  await writeFile(file, `${entry('b')}\n`);
  await expect.poll(() => seen).toEqual(['long long long', 'b']);
});
