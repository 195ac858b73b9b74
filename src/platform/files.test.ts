import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodePlatform } from './node-platform.ts';

const platform = nodePlatform({ PATH: process.env['PATH'] });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** By a shell, which can go deeper and name more than Node can. */
const make = (script: string): unknown => execFileSync('sh', ['-c', script], { cwd: folder, env: { PATH: process.env['PATH'] } });

test.each([
  [
    'a tree deeper than a path is long',
    'mkdir -p left; cd left; n=0; while [ $n -lt 60 ]; do d=$(printf %0100d 7); mkdir $d; cd -P ./$d; n=$((n+1)); done',
  ],
  ['names that are no UTF-8', String.raw`mkdir -p "left/$(printf 'a\377')"; : > "left/$(printf 'a\377/b\376')"`],
  ['directories without permissions', 'mkdir -p left/a/b; : > left/a/b/c; chmod 0 left/a/b left/a'],
])('removes %s, and nothing that a link in it leads to', async (_what, script) => {
  await platform.files.mkdir(join(folder, 'kept'));
  await platform.files.write(join(folder, 'kept', 'file'), 'x');
  make(`mkdir -p left && ln -s ../kept left/way && ${script}`);
  await platform.files.remove(join(folder, 'left'));
  expect(await readdir(folder)).toEqual(['kept']);
  expect(await platform.files.readText(join(folder, 'kept', 'file'))).toBe('x');
});
