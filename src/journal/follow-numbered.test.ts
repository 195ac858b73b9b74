import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { followNumbered } from './follow-numbered.ts';

const platform = nodePlatform({});
const LONG_AGO = '2026-01-01T00:00:00.000Z';
let folder: string;
let over: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-follow-'));
  await mkdir(join(folder, 'said'));
  over = new AbortController();
});
afterEach(async () => {
  over.abort();
  await rm(folder, { recursive: true, force: true });
});

const line = (seq: number, ts = LONG_AGO, more: object = {}): string => `${JSON.stringify({ ts, type: 'progress', seq, ...more })}\n`;
const events = (): string => join(folder, 'events.jsonl');
const spool = (session: number): string => join(folder, 'said', `session-${String(session).padStart(6, '0')}.jsonl`);
const lines = (...numbers: number[]): string => numbers.map((seq) => line(seq)).join('');

/** Until `count` have come. */
async function take(after: number, count: number, meanwhile: () => Promise<void> = async () => {}): Promise<number[]> {
  const heard: number[] = [];
  const first = meanwhile();
  for await (const batch of followNumbered(platform, folder, after, over.signal)) {
    heard.push(...batch.map(({ seq }) => seq));
    if (heard.length >= count) break;
  }
  await first;
  return heard;
}

test('the journal and the spools are one stream: in order, each number once', async () => {
  await writeFile(events(), `{"ts":"${LONG_AGO}","type":"header"}\n${lines(1, 4, 5, 9)}`);
  await writeFile(spool(1), lines(2, 3, 4, 8));
  await writeFile(spool(2), lines(6, 7, 10));
  expect(await take(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('it goes on after a number, wherever that is in a large file', async () => {
  const all = Array.from({ length: 20_000 }, (_, at) => at + 1);
  await writeFile(events(), lines(...all.filter((seq) => seq % 10 === 1)));
  await writeFile(spool(1), lines(...all.filter((seq) => seq % 10 !== 1 && seq <= 9_000)));
  await writeFile(spool(2), lines(...all.filter((seq) => seq % 10 !== 1 && seq > 9_000)));
  for (const after of [0, 1, 8_999, 9_000, 19_990]) expect(await take(after, 20_000 - after)).toEqual(all.filter((seq) => seq > after));
});

test('what is written meanwhile is heard, also in a file that was not there', async () => {
  await writeFile(events(), lines(1));
  const now = (): string => new Date().toISOString();
  const heard = await take(1, 3, async () => {
    await platform.clock.sleep(300);
    // The number before it is on its way: it is waited for.
    await writeFile(spool(7), line(3, now()));
    await platform.clock.sleep(400);
    await appendFile(events(), line(2, now()) + line(4, now()).slice(0, 20));
    await platform.clock.sleep(100);
    await appendFile(events(), line(4, now()).slice(20));
  });
  expect(heard).toEqual([2, 3, 4]);
});

test('gaps that retention left are passed over, and a file that was cut short is read again', async () => {
  await writeFile(events(), lines(5, 9, 12));
  const heard = await take(0, 4, async () => {
    await platform.clock.sleep(600);
    await writeFile(events(), lines(12, 13));
  });
  expect(heard).toEqual([5, 9, 12, 13]);
});

test('a line of ten megabytes and lines that are none do not stop it', async () => {
  await writeFile(events(), line(1, LONG_AGO, { message: 'x'.repeat(10_000_000) }) + 'nothing\n{"half":\n' + lines(2));
  expect(await take(0, 2)).toEqual([1, 2]);
});
