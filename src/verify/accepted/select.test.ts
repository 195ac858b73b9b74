import { expect, test } from 'vitest';
import type { TreeEdit } from '../../domain/tree.ts';
import { groupVersions, MOST_GROUPS, type Laid } from './select.ts';

const laid = (id: string, contents: Readonly<Record<string, string>>, session = 1): Laid => ({
  id,
  session,
  file: Object.keys(contents)[0] ?? '',
  edits: new Map(Object.entries(contents).map(([path, content]): [string, TreeEdit] => [path, { path, kind: 'write', content }])),
});
const ids = (groups: readonly (readonly Laid[])[]): string[][] => groups.map((group) => group.map(({ id }) => id));
const NONE: ReadonlySet<string> = new Set();

test('versions that run with the same share a run', () => {
  const versions = [laid('a', { 'a.test.js': '1', 'help.js': 'old' }), laid('b', { 'b.test.js': '1', 'help.js': 'old' })];
  expect(ids(groupVersions(versions, NONE).groups)).toEqual([['a', 'b']]);
});

test('versions of one file, or of one helper, run apart', () => {
  const versions = [
    laid('a', { 'a.test.js': '1', 'help.js': 'old' }),
    laid('b', { 'b.test.js': '1', 'help.js': 'older' }),
    laid('c', { 'a.test.js': '2', 'help.js': 'old' }),
  ];
  expect(ids(groupVersions(versions, NONE).groups)).toEqual([['a'], ['b'], ['c']]);
});

test('what is taken away for one is not there for another', () => {
  const gone: Laid = { id: 'a', session: 1, file: 'a.test.js', edits: new Map([['conftest.py', { path: 'conftest.py', kind: 'delete' }]]) };
  expect(ids(groupVersions([gone, laid('b', { 'conftest.py': 'x' })], NONE).groups)).toEqual([['a'], ['b']]);
});

test('the oldest come first, then the order of their ids; the rest waits', () => {
  const versions = ['f', 'b', 'e', 'a', 'd', 'c'].map((id) => laid(id, { 'a.test.js': id }, id === 'f' ? 0 : 1));
  const { groups, left } = groupVersions(versions, NONE);
  expect(groups).toHaveLength(MOST_GROUPS);
  expect(ids(groups)).toEqual([['f'], ['a'], ['b'], ['c']]);
  expect(left.map(({ id }) => id)).toEqual(['d', 'e']);
});

test('what waited comes first', () => {
  const versions = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => laid(id, { 'a.test.js': id }));
  expect(ids(groupVersions(versions, new Set(['e', 'f'])).groups)).toEqual([['e'], ['f'], ['a'], ['b']]);
});
