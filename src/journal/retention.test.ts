import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Level } from '../domain/event.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { journalLine } from './line.ts';
import { keepsLine, pruneJournal } from './retention.ts';

const NOW = Date.parse('2026-06-01T00:00:00.000Z');
const daysAgo = (days: number): string => new Date(NOW - days * 86_400_000).toISOString();
const rules = (retentionDays: number): Parameters<typeof keepsLine>[2] => ({ now: NOW, retentionDays, underWay: new Set([7]) });

test.each([
  ['critical', 9_999, 90, true],
  ['important', 89, 90, true],
  ['important', 91, 90, false],
  ['important', 91, 365, false],
  ['important', 11, 10, false],
  ['routine', 29, 90, true],
  ['routine', 31, 90, false],
  ['debug', 6, 90, true],
  ['debug', 8, 90, false],
] as [Level, number, number, boolean][])('a %s entry of %i days, with %i days of retention: kept is %s', (level, days, retention, kept) => {
  expect(keepsLine(journalLine(daysAgo(days), 'warning', { level }), 'important', rules(retention))).toBe(kept);
});

test('what belongs to a session under way is kept, however old', () => {
  const line = (session: number): string => journalLine(daysAgo(999), 'agent.usage', { level: 'important', session });
  expect(keepsLine(line(7), 'routine', rules(90))).toBe(true);
  expect(keepsLine(line(6), 'routine', rules(90))).toBe(false);
});

test.each(['nonsense', 'null', '{"ts":5}', journalLine(daysAgo(999), 'header', {})])('%s is kept', (line) =>
  expect(keepsLine(line, 'routine', rules(1))).toBe(true),
);

test('pruning drops what is over its time and leaves the rest byte for byte', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'harness-retention-'));
  const platform = { ...nodePlatform({}), clock: { ...nodePlatform({}).clock, now: () => NOW } };
  const header = journalLine(daysAgo(200), 'header', {});
  const old = journalLine(daysAgo(100), 'warning', { level: 'important' });
  const decision = journalLine(daysAgo(100), 'decision', { level: 'critical' });
  const fresh = journalLine(daysAgo(1), 'warning', { level: 'important' });
  await writeFile(join(folder, 'events.jsonl'), `${header}\n${old}\n${decision}\n${fresh}\n`);
  await writeFile(join(folder, 'agent_actions.jsonl'), `${header}\n${fresh}\n`);
  await writeFile(join(folder, 'sessions.jsonl'), `${header}\n${old}\n`);
  expect(await pruneJournal(platform, folder, { retentionDays: 90, underWay: new Set() })).toEqual({ events: 1 });
  expect(await readFile(join(folder, 'events.jsonl'), 'utf8')).toBe(`${header}\n${decision}\n${fresh}\n`);
  expect(await readFile(join(folder, 'sessions.jsonl'), 'utf8')).toBe(`${header}\n${old}\n`);
  expect((await readdir(folder)).sort()).toEqual(['agent_actions.jsonl', 'events.jsonl', 'sessions.jsonl']);
  await rm(folder, { recursive: true });
});
