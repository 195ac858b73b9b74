import { expect, test } from 'vitest';
import { findCollisions, leadsOut } from './tree-findings.ts';

test.each([
  ['a plain target', { 'a/link': '../b.txt' }, 'a/link', false],
  ['an absolute target', { link: '/etc/passwd' }, 'link', true],
  ['a target above the root', { 'a/link': '../../b.txt' }, 'a/link', true],
  ['the root itself', { 'a/link': '..' }, 'a/link', false],
  ['a way out by another link', { 'a/b/c/up': '../../..', 'a/b/c/link': 'up/../secret' }, 'a/b/c/link', true],
  ['a way that only looks like one out', { deep: 'a/b/c', link: 'deep/../../file' }, 'link', false],
  ['a link to a link that leads out', { out: '../elsewhere', link: 'out' }, 'link', true],
  ['a circle', { one: 'two', two: 'one' }, 'one', false],
])('%s', (_title, links, path, leaves) => {
  expect(leadsOut(path, new Map(Object.entries(links)))).toBe(leaves);
});

test('names collide by case and Unicode form, folders included, where one of them is new', () => {
  const at = (...paths: string[]): { path: string }[] => paths.map((path) => ({ path }));
  expect(findCollisions(at('Read.md', 'read.md', 'Lib/a', 'lib/b'), at('Read.md', 'lib/b')).map((one) => one.path)).toEqual([
    'read.md',
    'Lib',
  ]);
  expect(findCollisions(at('Read.md', 'read.md'), at('Read.md', 'read.md'))).toEqual([]);
});
