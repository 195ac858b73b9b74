import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestRun } from '../../domain/verdict.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { fileCache } from './cache.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'harness-results-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const RUN: TestRun = {
  runner: 'node:test',
  command: ['node', '--test'],
  files: [],
  exit_code: 0,
  timed_out: false,
  consistent: true,
  problems: [],
  tests: [{ id: 'a::b', file: 'a', name: 'b', status: 'passed' }],
  duration_ms: 1,
  sandboxed: true,
  output_tail: '',
};
const keyOf = (number: number): string => number.toString(16).padStart(64, '0');

test('results are kept up to a number, the oldest go first, and what is not a result stays', async () => {
  const cache = fileCache(nodePlatform(), folder, 8);
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  for (let number = 0; number < 30; number += 1) {
    await cache.put(keyOf(number), RUN);
    utimesSync(join(folder, `${keyOf(number)}.json`), 1_000 + number, 1_000 + number);
    expect(readdirSync(folder).length).toBeLessThanOrEqual(9);
  }
  expect(await cache.get(keyOf(0))).toBeNull();
  for (const number of [26, 27, 28, 29]) expect(await cache.get(keyOf(number))).toEqual(RUN);
  expect(readdirSync(folder)).toContain('notes.txt');
});
