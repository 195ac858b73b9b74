import { chmodSync, existsSync, lstatSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitObjects } from '../platform/git-objects.ts';
import type { Platform } from '../platform/platform.ts';
import { createBench, type Bench } from './test-support.ts';
import { objectId, writeObjects, type NewObject } from './write-objects.ts';

let bench: Bench;
let started: string[];
let platform: Platform;

beforeEach(() => {
  bench = createBench();
  bench.write({ 'a.txt': 'a' });
  bench.commit();
  started = [];
  const { processes } = bench.platform;
  const note = <Spec extends { args: readonly string[] }, Result>(start: (spec: Spec) => Result): ((spec: Spec) => Result) => {
    return (spec) => {
      started.push(spec.args.find((word) => ['cat-file', 'unpack-objects', 'hash-object'].includes(word)) ?? 'other');
      return start(spec);
    };
  };
  platform = { ...bench.platform, processes: { ...processes, run: note(processes.run), start: note(processes.start) } };
});
afterEach(() => bench.dispose());

const blob = (text: string): NewObject => ({ type: 'blob', content: Buffer.from(text) });
const gitDir = (): string => join(bench.root, '.git');
const pathOf = (oid: string): string => join(gitDir(), 'objects', oid.slice(0, 2), oid.slice(2));

test('git reads what was written, nothing is left beside it, and no process was needed', async () => {
  const objects = [blob(''), blob('☃\n'), blob('x'.repeat(300_000)), blob('☃\n')];
  await writeObjects(platform, gitDir(), objects, 'sha1');
  expect(bench.git('cat-file', 'blob', objectId(objects[1]!, 'sha1'))).toBe('☃');
  expect(bench.git('fsck', '--strict')).toContain(`dangling blob ${objectId(objects[2]!, 'sha1')}`);
  expect(bench.git('count-objects', '-v')).toContain('garbage: 0');
  for (const object of objects)
    expect((await gitObjects(platform, gitDir()).read(objectId(object, 'sha1')))?.content).toEqual(Buffer.from(object.content));
  expect(started).toEqual([]);
});

test('an object that is there is left as it is, and counts as new for git’s housekeeping', async () => {
  const object = blob('known');
  const path = pathOf(objectId(object, 'sha1'));
  await writeObjects(platform, gitDir(), [object], 'sha1');
  const { ino } = statSync(path);
  utimesSync(path, 1, 1);
  await writeObjects(platform, gitDir(), [object], 'sha1');
  expect(statSync(path).ino).toBe(ino);
  expect(statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
});

test('rights follow the repository: shared with a group, or with nobody', async () => {
  const objects = join(gitDir(), 'objects');
  for (const [mode, file] of [
    [0o2775, 0o444],
    [0o700, 0o400],
  ] as const) {
    chmodSync(objects, mode);
    const made = blobInNoFolder(objects, String(mode));
    const path = pathOf(objectId(made, 'sha1'));
    await writeObjects(platform, gitDir(), [made], 'sha1');
    expect(lstatSync(path).mode & 0o7777).toBe(file);
    expect(lstatSync(join(path, '..')).mode & 0o7777).toBe(mode);
  }
});

/** One whose folder git has not made for another object. */
function blobInNoFolder(objects: string, text: string): NewObject {
  return Array.from({ length: 300 }, (_, at) => blob(`${text} ${at}`)).find(
    (object) => !existsSync(join(objects, objectId(object, 'sha1').slice(0, 2))),
  )!;
}

test('a write that cannot be made leaves nothing half done', async () => {
  const objects = join(gitDir(), 'objects');
  const object = blobInNoFolder(objects, 'blocked');
  writeFileSync(join(objects, objectId(object, 'sha1').slice(0, 2)), 'a file where a folder has to be');
  await expect(writeObjects(platform, gitDir(), [object], 'sha1')).rejects.toThrow();
});

test('refs and objects are the same whether git packed them or not, in a linked working tree too', async () => {
  bench.git('branch', 'feature/x.y');
  bench.git('tag', '-a', '-m', 'tag', 'refs-tag');
  bench.git('worktree', 'add', '-q', '-b', 'other', join(bench.folder, 'linked'));
  bench.write({ 'b.txt': 'b' }, join(bench.folder, 'linked'));
  bench.gitIn(join(bench.folder, 'linked'), 'add', '-A');
  bench.gitIn(join(bench.folder, 'linked'), 'commit', '-q', '-m', 'b');
  const linked = join(gitDir(), 'worktrees', 'linked');
  const names = [
    'HEAD',
    'HEAD^{tree}',
    'HEAD^{commit}',
    'refs/heads/feature/x.y',
    'refs/heads/other^{tree}',
    'refs/heads/none',
    'refs-tag',
  ];
  const ask = async (): Promise<unknown[]> => {
    const readers = [gitObjects({ ...platform }, gitDir()), gitObjects({ ...platform }, linked)];
    return await Promise.all(readers.flatMap((reader) => names.map(async (name) => (await reader.read(name))?.oid)));
  };
  const expected = [bench.root, join(bench.folder, 'linked')].flatMap((cwd) =>
    names.map((name) => (name === 'refs/heads/none' ? undefined : bench.gitIn(cwd, 'rev-parse', name))),
  );
  expect(await ask()).toEqual(expected);
  expect(started).toEqual(['cat-file', 'cat-file']);
  bench.git('pack-refs', '--all');
  expect(await ask()).toEqual(expected);
  bench.git('gc', '-q');
  expect(await ask()).toEqual(expected);
});

test('a damaged object is told by git, and never read as another', async () => {
  const oid = bench.git('rev-parse', 'HEAD:a.txt');
  chmodSync(pathOf(oid), 0o644);
  writeFileSync(pathOf(oid), 'damaged');
  expect(await gitObjects(platform, gitDir()).read(oid)).toBeNull();
});
