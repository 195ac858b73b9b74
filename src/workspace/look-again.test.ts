import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { compareLooks, takeLook } from './look.ts';
import type { Look } from './look-pieces.ts';
import { changesSince, takeMoment, type Moment } from './look-again.ts';

const platform = nodePlatform({ PATH: process.env['PATH'] ?? '' });
let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harness-look-'));
  root = join(folder, 'room');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PLACES = ['a', 'b', 'a/x', 'a/y', 'b/x', 'b/deep', 'b/deep/x', 'b/deep/y', 'c', 'läng ☃'] as const;
const place = fc.constantFrom(...PLACES);
const DEEDS: Record<string, (one: string, other: string) => void> = {
  'write in place': (one) => existsSync(one) && lstatSync(one).isFile() && appendFileSync(one, 'more'),
  'write and set the time back': (one) => {
    if (!existsSync(one) || !lstatSync(one).isFile()) return;
    const { atime, mtime } = lstatSync(one);
    writeFileSync(one, readFileSync(one, 'utf8').replace(/./, 'Z'));
    utimesSync(one, atime, mtime);
  },
  create: (one) => void (existsSync(one) || writeFileSync(one, 'new')),
  remove: (one) => rmSync(one, { recursive: true, force: true }),
  'make a folder': (one) => void (existsSync(one) || mkdirSync(one)),
  move: (one, other) => existsSync(one) && !existsSync(other) && !`${other}/`.startsWith(`${one}/`) && renameSync(one, other),
  swap: (one, other) => {
    if (!existsSync(one) || !existsSync(other) || `${other}/`.startsWith(`${one}/`) || `${one}/`.startsWith(`${other}/`)) return;
    renameSync(one, join(folder, 'aside'));
    renameSync(other, one);
    renameSync(join(folder, 'aside'), other);
  },
  link: (one, other) => void (existsSync(one) || symlinkSync(other, one)),
  'hard link': (one, other) => existsSync(other) && lstatSync(other).isFile() && !existsSync(one) && linkSync(other, one),
  rights: (one) => existsSync(one) && chmodSync(one, 0o711),
};
const deed = fc.record({ what: fc.constantFrom(...Object.keys(DEEDS)), one: place, other: place });

function fill(): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, 'a/x'), { recursive: true });
  mkdirSync(join(root, 'b/deep/x'), { recursive: true });
  for (const name of ['a/x/1', 'a/x/2', 'a/1', 'b/deep/x/1', 'b/deep/1', 'c', 'läng ☃']) writeFileSync(join(root, name), name);
}

async function held(): Promise<{ look: Look; since: Moment }> {
  const { moment } = await takeMoment(platform, folder, lstatSync(join(root, 'c'), { bigint: true }).ctimeNs);
  return { look: (await takeLook(platform, root))!, since: moment! };
}

const named = (entries: readonly { path: string; kind: string }[]): string[] => entries.map((one) => `${one.kind} ${one.path}`).sort();

test('whatever happens in a directory, looking at what was touched tells the same as looking at everything, or says that it cannot', async () => {
  let told = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 0, maxLength: 5 }), async (deeds) => {
      fill();
      const before = await held();
      for (const { what, one, other } of deeds) {
        try {
          DEEDS[what]!(join(root, one), join(root, other));
        } catch (error) {
          if (!/ENOTDIR|ENOENT|EINVAL|EEXIST|ENOTEMPTY|EISDIR|ELOOP/.test(String(error))) throw error;
        }
      }
      rmSync(join(folder, 'aside'), { recursive: true, force: true });
      const all = compareLooks(before.look, (await takeLook(platform, root))!)!;
      const touched = await changesSince(platform, root, before);
      if (touched === null) return;
      told += 1;
      expect(named(touched.gone)).toEqual(named(all.gone));
      expect(named(touched.come)).toEqual(named(all.come));
      expect(touched.records.toSorted()).toEqual(all.records.toSorted());
    }),
    { numRuns: 60, seed: 7 },
  );
  expect(told).toBeGreaterThan(20);
});

test('what came in a folder of its own is told whole, also what is older than the moment', async () => {
  fill();
  const old = join(folder, 'old');
  mkdirSync(join(old, 'inner'), { recursive: true });
  writeFileSync(join(old, 'inner', 'file'), 'from before');
  const before = await held();
  renameSync(old, join(root, 'b/came'));
  expect(named((await changesSince(platform, root, before))!.come)).toEqual(['d b/came', 'd b/came/inner', 'f b/came/inner/file']);
});

test('names at the top are passed over, and the directory itself is among what is compared', async () => {
  fill();
  const before = await held();
  mkdirSync(join(root, 'node_modules/x'), { recursive: true });
  writeFileSync(join(root, 'new'), '');
  const found = await changesSince(platform, root, before, ['node_modules']);
  expect(named(found!.come)).toEqual(['f new']);
  expect(readdirSync(root)).toContain('node_modules');
});

test('a clock that was set back tells nothing, nor does another start of the machine', async () => {
  fill();
  const before = await held();
  const back = { ...platform.clock, now: () => platform.clock.now() - 60_000 };
  expect(await changesSince({ ...platform, clock: back }, root, before)).toBeNull();
  const again = { ...platform.clock, sinceBoot: () => ({ boot: 'another', ms: 1 }) };
  expect(await changesSince({ ...platform, clock: again }, root, before)).toBeNull();
  expect(await changesSince(platform, root, before)).toEqual({ gone: [], come: [], records: [] });
});

test('folders that changed places are left to whoever looks at everything', async () => {
  fill();
  const before = await held();
  DEEDS['swap']!(join(root, 'a/x'), join(root, 'b/deep/x'));
  expect(await changesSince(platform, root, before)).toBeNull();
});
