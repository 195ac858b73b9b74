import { expect, test } from 'vitest';
import { HARNESS_REF_FOLDERS, HARNESS_REFS, harnessRef } from './refs.ts';

test('no name of the harness is the folder of another, and none is what an earlier version used in two ways', () => {
  const things = Object.values(HARNESS_REFS);
  const folders = Object.values(HARNESS_REF_FOLDERS);
  const names: string[] = [...things, ...folders];
  expect(new Set(names).size).toBe(names.length);
  for (const thing of [...things, 'refs/harness/start'])
    for (const name of names.filter((other) => other !== thing)) expect(`${name}/`.startsWith(`${thing}/`), name).toBe(false);
  expect(names).not.toContain('refs/harness/start');
});

test('a name inside a folder cannot open another folder', () => {
  expect(harnessRef('wip', 7)).toBe('refs/harness/wip/7');
  expect(() => harnessRef('wip', 'a/b')).toThrow('not a valid name for a ref');
  expect(() => harnessRef('wip', '')).toThrow('not a valid name for a ref');
});
