import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCleanRooms, type CleanRoomSet } from './clean-room.ts';
import { MANY_FILES } from '../domain/tree.ts';
import { recordOf, takeLook } from './look.ts';
import { recordsFrom } from './look-pieces.ts';
import { createBench, picture, type Bench } from './test-support.ts';

let bench: Bench;
let rooms: CleanRoomSet;
const head = (): string => bench.git('rev-parse', 'HEAD^{tree}');
const open = async (): Promise<CleanRoomSet> =>
  createCleanRooms(bench.platform, { home: await bench.home(), harnessHome: bench.harnessHome, sandboxed: true });
const room = async (): Promise<string> => (await rooms.prepare(head(), { name: 'judge' })).path;

beforeEach(async () => {
  bench = createBench();
  const many = Array.from({ length: MANY_FILES }, (_, at) => [`src/part-${at % 10}/file ${at}.js`, `export default ${at};\n`] as const);
  bench.write({ ...Object.fromEntries(many), 'läng/☃ name': 'n', run: { run: 'r' }, link: { link: 'run' }, 'one/only/file': 'f' });
  bench.commit();
  rooms = await open();
});
afterEach(() => bench.dispose());

const folderOfRooms = (): string => join(bench.harnessHome, 'rooms', readdirSync(join(bench.harnessHome, 'rooms'))[0]!, 'main');

test('whatever a run leaves, changes or takes away, the room holds the tree again, and what nobody touched stays', async () => {
  const path = await room();
  const untouched = lstatSync(join(path, 'src/part-9/file 9.js')).ino;
  const inside = (name: string): string => join(path, name);
  const secret = join(bench.folder, 'secret');
  writeFileSync(secret, 'keep me');

  const same = inside('src/part-0/file 0.js');
  const { mtime } = lstatSync(same);
  writeFileSync(same, readFileSync(same, 'utf8').replace('0', '7'));
  utimesSync(same, mtime, mtime);
  rmSync(inside('src/part-1'), { recursive: true });
  rmSync(inside('one'), { recursive: true });
  renameSync(inside('src/part-2'), inside('aside'));
  renameSync(inside('src/part-3'), inside('src/part-2'));
  renameSync(inside('aside'), inside('src/part-3'));
  rmSync(inside('src/part-4'), { recursive: true });
  symlinkSync(bench.folder, inside('src/part-4'));
  rmSync(inside('src/part-5/file 5.js'));
  mkdirSync(inside('src/part-5/file 5.js/deep/er'), { recursive: true });
  rmSync(inside('src/part-6/file 6.js'));
  linkSync(secret, inside('src/part-6/file 6.js'));
  chmodSync(inside('run'), 0o600);
  bench.write({ 'node_modules/x/y': 'y', 'new\nname': 'n', '.git/config': 'c' }, path);
  rmSync(inside('link'));
  symlinkSync('/etc/passwd', inside('link'));

  expect(await room()).toBe(path);
  expect(picture(path, [])).toEqual(picture(bench.root));
  expect(readFileSync(secret, 'utf8')).toBe('keep me');
  expect(lstatSync(join(path, 'src/part-9/file 9.js')).ino).toBe(untouched);
});

test.each(['a name that is no UTF-8', 'a folder without rights'])('%s in a room is gone before the next run', async (what) => {
  const path = await room();
  if (what.startsWith('a name')) execFileSync('sh', ['-c', `touch "$(printf '${path}/\\377')"`]);
  else chmodSync(join(path, 'src/part-1'), 0o000);
  await room();
  expect(picture(path, [])).toEqual(picture(bench.root));
});

test('from tree to tree: files become folders, folders vanish, and a later process knows what was held', async () => {
  const path = await room();
  const stays = lstatSync(join(path, 'src/part-9/file 9.js')).ino;
  rmSync(join(bench.root, 'one'), { recursive: true });
  rmSync(join(bench.root, 'run'));
  bench.write({ 'run/now/folder': 'x', 'src/part-0/file 0.js': 'changed' });
  bench.commit();
  await room();
  expect(picture(path, [])).toEqual(picture(bench.root));
  expect(existsSync(join(path, 'one'))).toBe(false);
  await rooms.dispose();

  rooms = await open();
  writeFileSync(join(path, 'src/part-0/file 10.js'), 'left by nobody');
  rooms.prepareAhead?.(head(), { name: 'judge' });
  bench.write({ 'one/again': '1' });
  bench.commit();
  await room();
  expect(picture(path, [])).toEqual(picture(bench.root));
  expect(lstatSync(join(path, 'src/part-9/file 9.js')).ino).toBe(stays);
});

test('notes that are damaged are no notes, and a fresh room takes over the files of the one before', async () => {
  const first = await rooms.prepare(head(), { name: 'judge', fresh: true });
  writeFileSync(join(first.path, 'run'), 'spoiled');
  const { ino } = lstatSync(join(first.path, 'src/part-9/file 9.js'));
  await rooms.dispose();
  expect(readdirSync(folderOfRooms()).toSorted()).toEqual(['spare', 'spare.look']);
  const second = await rooms.prepare(head(), { name: 'judge', fresh: true });
  expect(picture(second.path, [])).toEqual(picture(bench.root));
  expect(lstatSync(join(second.path, 'src/part-9/file 9.js')).ino).toBe(ino);
  await rooms.dispose();
  const notes = readFileSync(join(folderOfRooms(), 'spare.look'));
  notes[notes.length - 3]! ^= 1;
  writeFileSync(join(folderOfRooms(), 'spare.look'), notes);
  rooms = await open();
  const third = await rooms.prepare(head(), { name: 'judge', fresh: true });
  expect(picture(third.path, [])).toEqual(picture(bench.root));
});

test('a record is written as the program prints it', async () => {
  const look = [...recordsFrom((await takeLook(bench.platform, bench.root))!)].map((one) => one.record);
  for (const path of ['run', 'link', 'läng', 'läng/☃ name', 'src/part-0/file 0.js'])
    expect(look).toContain(recordOf(path, lstatSync(join(bench.root, path), { bigint: true })));
});
