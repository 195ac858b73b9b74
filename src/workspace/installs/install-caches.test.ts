import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { layCaches } from './install-caches.ts';

let home: string;
beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'harness install-caches-'))));
afterEach(() => rm(home, { recursive: true }));

test('of a filled cache of yarn, archives that the lockfile names are copied, and nothing else', async () => {
  const cache = join(home, '.yarn/berry/cache');
  await mkdir(cache, { recursive: true });
  const names = [
    'left-pad-npm-1.3.0-0382e69409-10c0.zip',
    '@types-node-npm-20.1.0-ab82e69409-10c0.zip',
    'left-pad-npm-1.2.0-1182e69409-10c0.zip',
    'other-npm-1.3.0-0382e69409-10c0.zip',
    'left-pad.zip',
  ];
  for (const name of names) await writeFile(join(cache, name), name);
  const lock =
    '__metadata:\n  version: 8\n\n"a@npm:^1":\n  resolution: "left-pad@npm:1.3.0"\n\n"b":\n  resolution: "@types/node@npm:20.1.0"\n';
  const files = [{ path: 'yarn.lock', content: Buffer.from(lock) }];
  const plan = { manager: 'yarn' as const, version: null, range: '4', lockfile: 'yarn.lock', files };
  await layCaches(nodePlatform({ HOME: home }), plan, join(home, 'own'), join(home, 'store'));
  const laid = join(home, 'own/berry/cache');
  expect((await readdir(laid)).toSorted()).toEqual(names.slice(0, 2).toSorted());
  expect((await lstat(join(laid, names[0]!))).isFile()).toBe(true);
});
