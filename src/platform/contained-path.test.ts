import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { containedPath } from './contained-path.ts';
import { nodePlatform } from './node-platform.ts';

const platform = nodePlatform({});
let folder: string;
let root: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'harness-contained-')));
  root = join(folder, 'root');
  await mkdir(join(root, 'docs'), { recursive: true });
  await mkdir(join(folder, 'outside'));
  await writeFile(join(root, 'docs', 'a.md'), 'a');
  await writeFile(join(folder, 'outside', 'b.md'), 'b');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const look = (path: string) => containedPath(platform, root, path);

test('a plain file is inside, without a link on the way', async () => {
  expect(await look('docs/a.md')).toEqual({ inside: true, real: join(root, 'docs/a.md'), exists: true, link: null });
  expect(await look(join(root, 'docs/a.md'))).toMatchObject({ inside: true });
  expect(await look('.')).toEqual({ inside: true, real: root, exists: true, link: null });
});

test('what is not there yet is where it would be made', async () => {
  expect(await look('docs/new/x.md')).toEqual({ inside: true, real: join(root, 'docs/new/x.md'), exists: false, link: null });
  expect(await look('docs/a.md/x')).toMatchObject({ inside: true, exists: false });
});

test('a link is named by its place and followed to where it leads', async () => {
  await symlink('docs/a.md', join(root, 'leaf.md'));
  await symlink(join(folder, 'outside'), join(root, 'way'));
  await symlink('docs', join(root, 'near'));
  expect(await look('leaf.md')).toEqual({ inside: true, real: join(root, 'docs/a.md'), exists: true, link: 'leaf' });
  expect(await look('way/b.md')).toEqual({ inside: false, real: join(folder, 'outside/b.md'), exists: true, link: 'intermediate' });
  expect(await look('way/new.md')).toMatchObject({ inside: false, exists: false, link: 'intermediate' });
  expect(await look('near/a.md')).toMatchObject({ inside: true, link: 'intermediate' });
});

test('a link that leads nowhere or in a circle is outside', async () => {
  await symlink(join(folder, 'missing'), join(root, 'gone'));
  await symlink('circle', join(root, 'circle'));
  expect(await look('gone')).toEqual({ inside: false, real: null, exists: false, link: 'leaf' });
  expect(await look('gone/x')).toMatchObject({ inside: false, link: 'intermediate' });
  expect(await look('circle')).toMatchObject({ inside: false, link: 'leaf' });
});

test('a path that climbs is outside, even where it would come back', async () => {
  for (const path of ['..', '../outside/b.md', 'docs/../docs/a.md', 'x\\..\\y', join(folder, 'outside/b.md'), `${root}-other`])
    expect(await look(path)).toMatchObject({ inside: false });
});

test('the root itself may be reached through a link', async () => {
  await symlink(root, join(folder, 'door'));
  expect(await containedPath(platform, join(folder, 'door'), 'docs/a.md')).toEqual({
    inside: true,
    real: join(root, 'docs/a.md'),
    exists: true,
    link: null,
  });
});
