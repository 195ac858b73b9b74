import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Platform } from '../platform/platform.ts';
import { evictDependencies, noteUse } from './evict-dependencies.ts';
import { createBench, type Bench } from './test-support.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 10);

let bench: Bench;
let cache: string;
beforeEach(() => {
  bench = createBench();
  cache = join(bench.folder, 'cache');
});
afterEach(() => bench.dispose());

/** `hours`: since it was used; null: nothing says when. */
function keep(name: string, { kilobytes, hours }: { kilobytes: number; hours: number | null }): void {
  mkdirSync(join(cache, name, 'node_modules/a'), { recursive: true });
  writeFileSync(join(cache, name, 'node_modules/a/index.js'), Buffer.alloc(kilobytes * 1024, 120));
  writeFileSync(join(cache, name, 'complete'), 'x\n');
  if (hours !== null) writeFileSync(join(cache, name, 'used'), `${NOW - hours * HOUR}\n`);
}

function at(now: number, files: Partial<Platform['files']> = {}): Platform {
  const { platform } = bench;
  return { ...platform, clock: { ...platform.clock, now: () => now }, files: { ...platform.files, ...files } };
}

const left = (): string[] => readdirSync(cache).toSorted();

test('what was not used for longest goes first, until the rest is small enough', async () => {
  keep('a', { kilobytes: 400, hours: 100 });
  keep('b', { kilobytes: 400, hours: 300 });
  keep('c', { kilobytes: 400, hours: 200 });
  await evictDependencies(at(NOW), cache, 1024 * 1024);
  expect(left()).toEqual(['a', 'c']);
});

test('nothing goes while everything is small enough, and nothing that was used within a day, however much it is', async () => {
  keep('a', { kilobytes: 400, hours: 2_000 });
  await evictDependencies(at(NOW), cache, 1024 * 1024);
  expect(left()).toEqual(['a']);
  keep('b', { kilobytes: 4_000, hours: 23 });
  keep('c', { kilobytes: 4_000, hours: 2 });
  await evictDependencies(at(NOW), cache, 1024 * 1024);
  expect(left()).toEqual(['b', 'c']);
});

test('a use counts from its note on, and what never noted one is as old as its mark', async () => {
  keep('a', { kilobytes: 400, hours: 100 });
  keep('b', { kilobytes: 400, hours: 90 });
  keep('c', { kilobytes: 400, hours: null });
  utimesSync(join(cache, 'c', 'complete'), (NOW - 95 * HOUR) / 1_000, (NOW - 95 * HOUR) / 1_000);
  await noteUse(at(NOW - HOUR), join(cache, 'a'));
  await evictDependencies(at(NOW), cache, 1024 * 1024);
  expect(left()).toEqual(['a', 'b']);
  await noteUse(at(NOW), join(cache, 'gone'));
  expect(existsSync(join(cache, 'gone'))).toBe(false);
});

test('a folder that another process takes up in that moment gets its name back', async () => {
  keep('a', { kilobytes: 2_000, hours: 100 });
  const rename: Platform['files']['rename'] = async (from, to) => {
    if (from === join(cache, 'a')) await noteUse(at(NOW), from);
    renameSync(from, to);
  };
  await evictDependencies(at(NOW, { rename }), cache, 1024 * 1024);
  expect(left()).toEqual(['a']);
});

test('halves of installs that were cut off go after a day, and those of today stay', async () => {
  for (const [name, hours] of [
    ['building-old', 30],
    ['building-new', 1],
  ] as const) {
    mkdirSync(join(cache, name, 'node_modules'), { recursive: true });
    utimesSync(join(cache, name), (NOW - hours * HOUR) / 1_000, (NOW - hours * HOUR) / 1_000);
  }
  await evictDependencies(at(NOW), cache);
  expect(left()).toEqual(['building-new']);
});
