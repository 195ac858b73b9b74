import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HarnessEvent } from '../domain/event.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { openJournal } from './journal.ts';
import { tellAfterWriting } from './told-after.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'harness-told-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const messages = (events: readonly HarnessEvent[]): unknown[] => events.map((event) => ('message' in event ? event.message : null));

async function open(platform: Platform, tell: (event: HarnessEvent) => void): Promise<ReturnType<typeof tellAfterWriting>> {
  return tellAfterWriting(platform.clock, await openJournal(platform, folder, { level: 'debug', harnessVersion: '0' }), tell);
}

test('an event is in the file by the time it is told', async () => {
  const platform = nodePlatform({});
  const seen: boolean[] = [];
  const path = join(folder, 'events.jsonl');
  const pending: Promise<void>[] = [];
  const { emit, journal } = await open(platform, (event) => {
    pending.push(readFile(path, 'utf8').then((text) => void seen.push(text.includes(`"${'message' in event ? event.message : ''}"`))));
  });
  for (let index = 0; index < 5; index += 1) {
    emit({ type: 'warning', message: `w${index}` });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await journal.flush();
  await Promise.all(pending);
  expect(seen).toEqual([true, true, true, true, true]);
});

test('events are told in their order, and all of them before a flush returns', async () => {
  const told: HarnessEvent[] = [];
  const { emit, journal } = await open(nodePlatform({}), (event) => told.push(event));
  for (let index = 0; index < 300; index += 1) {
    emit({ type: 'warning', message: String(index) });
    if (index % 70 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (index % 90 === 0) await journal.drained();
  }
  await journal.flush();
  expect(messages(told)).toEqual(Array.from({ length: 300 }, (_, index) => String(index)));
});

test('a disk that takes nothing is no reason to be silent, and the flush says so', async () => {
  const real = nodePlatform({});
  const platform: Platform = { ...real, files: { ...real.files, append: () => Promise.reject(new Error('the disk is full')) } };
  const told: HarnessEvent[] = [];
  const { emit, journal } = await open(platform, (event) => told.push(event));
  emit({ type: 'warning', message: 'heard' });
  await expect(journal.flush()).rejects.toThrow('the disk is full');
  expect(messages(told)).toEqual(['heard']);
});
