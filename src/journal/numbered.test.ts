import { appendFile, mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Level, StampedEvent } from '../domain/event.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { openJournal, type Journal } from './journal.ts';
import { memoryJournal } from './memory-journal.ts';
import { eventsFrom, type NumberedEvent } from './numbered.ts';
import { spoolFiles } from './spool.ts';

const platform = nodePlatform({});
let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'harness-numbers-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const ts = '2026-01-01T00:00:00.000Z';
const warning = (message: string): StampedEvent => ({ type: 'warning', message, ts });
const said = (session: number, text: string): StampedEvent => ({ type: 'agent.text', session, text, ts });
const open = (level: Level = 'routine', on: Platform = platform): Promise<Journal> =>
  openJournal(on, folder, { level, harnessVersion: '0.1.0' });
const words = (events: readonly NumberedEvent[]): string[] =>
  events.map((event) => (event.type === 'warning' ? event.message : event.type === 'agent.text' ? event.text : event.type));

describe.each([
  ['in files', open],
  ['in memory', async (level: Level = 'routine') => memoryJournal(level)],
])('a journal %s', (_, begin) => {
  test('numbers every event, and a listener hears each once from its number on', async () => {
    const journal = await begin();
    for (let index = 1; index <= 30; index += 1) journal.append(index % 3 === 0 ? warning(`w${index}`) : said(4, `t${index}`));
    const heard: NumberedEvent[] = [];
    const subscribing = journal.subscribe(11, (event) => heard.push(event));
    journal.append(warning('w31'));
    const leave = await subscribing;
    journal.append(said(4, 't32'));
    expect(heard.map(({ seq }) => seq)).toEqual(Array.from({ length: 22 }, (_one, index) => index + 11));
    expect(words(heard).slice(-3)).toEqual(['w30', 'w31', 't32']);
    leave();
    journal.append(warning('unheard'));
    expect(heard).toHaveLength(22);
  });

  test('gives no number to what its level keeps out', async () => {
    const journal = await begin('important');
    const heard: NumberedEvent[] = [];
    await journal.subscribe(1, (event) => heard.push(event));
    journal.append(warning('one'));
    journal.append({ type: 'progress', message: 'routine', ts });
    journal.append(warning('two'));
    expect(heard.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'warning'],
      [2, 'warning'],
    ]);
  });
});

test('numbers go on when the journal is opened again, also after what only the spool has', async () => {
  const first = await open();
  first.append(warning('one'));
  for (let index = 0; index < 4; index += 1) first.append(said(1, `text ${index}`));
  await first.close();
  const second = await open();
  second.append(warning('two'));
  await second.close();
  const events = await eventsFrom(platform, folder, 1);
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(words(events)).toEqual(['one', 'text 0', 'text 1', 'text 2', 'text 3', 'two']);
});

test('what a crash left of a last line is cut from a spool that nobody writes to again', async () => {
  const first = await open();
  first.append(said(1, 'whole'));
  await first.close();
  const [path = ''] = await spoolFiles(platform, folder);
  const whole = await readFile(path, 'utf8');
  await appendFile(path, '{"ts":"2026-01-01T00:00:00.000Z","type":"agent.te');
  await (await open()).close();
  expect(await readFile(path, 'utf8')).toBe(whole);
});

test('what agents say is whole in the spool, by session, while the journal keeps a sample', async () => {
  const journal = await open();
  const long = `${'x'.repeat(100_000)}\u202e\u0007 end`;
  for (let index = 0; index < 20; index += 1) journal.append(said(7, `${index}`));
  journal.append(said(8, long));
  await journal.close();
  expect((await spoolFiles(platform, folder)).map((path) => path.slice(folder.length + 1))).toEqual([
    'said/session-000007.jsonl',
    'said/session-000008.jsonl',
  ]);
  const events = await eventsFrom(platform, folder, 1);
  expect(words(events)).toEqual([...Array.from({ length: 20 }, (_, index) => `${index}`), long]);
  expect((await readFile(join(folder, 'events.jsonl'), 'utf8')).length).toBeLessThan(50_000);
});

test('a session goes from the spool as a whole once it is old, and the numbers go on', async () => {
  const first = await open();
  first.append(said(1, 'old'));
  first.append(said(2, 'new'));
  await first.close();
  const [old = ''] = await spoolFiles(platform, folder);
  const long = new Date(Date.now() - 15 * 86_400_000);
  await utimes(old, long, long);
  const second = await open();
  second.append(warning('after'));
  await second.close();
  expect(await spoolFiles(platform, folder)).toHaveLength(1);
  expect(words(await eventsFrom(platform, folder, 2))).toEqual(['new', 'after']);
});

test('a spool that cannot be opened is tried again with the next flush, and loses nothing', async () => {
  let broken = true;
  const files: Platform['files'] = {
    ...platform.files,
    mkdir: async (path) => {
      if (broken && path.endsWith('said')) throw new Error('no space');
      await platform.files.mkdir(path);
    },
  };
  const journal = await open('routine', { ...platform, files });
  journal.append(said(1, 'first'));
  await expect(journal.flush()).rejects.toThrow('no space');
  journal.append(said(1, 'second'));
  broken = false;
  await journal.flush();
  expect(words(await eventsFrom(platform, folder, 1))).toEqual(['first', 'second']);
});
