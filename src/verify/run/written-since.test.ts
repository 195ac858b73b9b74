import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Platform } from '../../platform/platform.ts';
import { writtenSince } from './written-since.ts';

let room: string;
let paths: string[];
beforeEach(() => {
  room = mkdtempSync(join(tmpdir(), 'harness-written-'));
  paths = Array.from({ length: 520 }, (_, at) => `src/part-${at % 20}/deep/file ${at}\n.js`);
  for (const path of [...paths, 'top.js']) {
    mkdirSync(join(room, path, '..'), { recursive: true });
    writeFileSync(join(room, path), 'x');
  }
  paths.push('top.js');
});
afterEach(() => rmSync(room, { recursive: true, force: true }));

const withoutFind = (platform: Platform): Platform => ({
  ...platform,
  processes: { ...platform.processes, run: async () => await Promise.reject(new Error('no such program')) },
});

test('one look at all of many files tells the same as a look at each', async () => {
  const platform = nodePlatform();
  await platform.clock.sleep(20);
  const started = platform.clock.now();
  await platform.clock.sleep(20);
  writeFileSync(join(room, paths[0]!), 'changed');
  utimesSync(join(room, paths[0]!), 1, 1);
  rmSync(join(room, paths[21]!));
  rmSync(join(room, 'src/part-2'), { recursive: true });
  rmSync(join(room, 'src/part-3/deep'), { recursive: true });
  writeFileSync(join(room, 'src/part-3/deep'), 'a file now');
  renameSync(join(room, paths[4]!), join(room, 'src/part-4/elsewhere'));
  symlinkSync('elsewhere', join(room, paths[4]!));
  writeFileSync(join(room, 'new.js'), 'new');
  const expected = paths.filter((path, at) => at === 0 || at === 21 || at === 4 || /part-[23]\//.test(path));
  expect(await writtenSince(platform, room, paths, started)).toEqual(expected);
  expect(await writtenSince(withoutFind(platform), room, paths, started)).toEqual(expected);
});
