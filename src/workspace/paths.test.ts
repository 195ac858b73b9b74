import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInside, linkLeavesTree, projectKey, safeRelativePath } from './paths.ts';

describe('relative paths', () => {
  test.each([
    ['a', 'a'],
    ['a/b', 'a/b'],
    ['./a', 'a'],
    ['a//b/', 'a/b'],
    ['a/../b', 'b'],
    ['..a', '..a'],
  ])('%j is %j', (path, safe) => expect(safeRelativePath(path)).toBe(safe));
  test.each(['', '.', '..', '/', '/a', '../a', 'a/../..', 'a\0b', './..'])('%j is refused', (path) =>
    expect(safeRelativePath(path)).toBeNull(),
  );
  test('whatever is let through stays below its root', () => {
    const part = fc.constantFrom('a', '..', '.', '', 'b c', '...', '~');
    const checked = fc.check(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const safe = safeRelativePath(parts.join('/'));
        return safe === null || isInside('/root/x', posix.join('/root/x', safe));
      }),
    );
    expect(checked.counterexample).toBeNull();
  });
});

test('inside means the folder itself or below it, not a sibling with the same beginning', () => {
  expect(isInside('/a/b', '/a/b')).toBe(true);
  expect(isInside('/a/b', '/a/b/..c')).toBe(true);
  expect(isInside('/a/b', '/a/bc')).toBe(false);
  expect(isInside('/a/b', '/a')).toBe(false);
});

test.each([
  ['a', '/etc', true],
  ['a', '..', true],
  ['d/a', '..', false],
  ['d/a', '../../x', true],
  ['d/a', './x/../../y', true],
  ['a', 'x/..', true],
  ['d/a', '../x/y', false],
  ['a', '..x/y..', false],
  ['a', 'x/../../y', true],
  ['a', 'b', false],
])('a link at %j to %j leaves the tree: %j', (path, target, leaves) => expect(linkLeavesTree(path, target)).toBe(leaves));

test('projects with the same name in different places have different keys', () => {
  expect(projectKey('/x/My App!')).toMatch(/^my-app-[0-9a-f]{12}$/);
  expect(projectKey('/x/app')).not.toBe(projectKey('/y/app'));
  expect(projectKey('/x/☃')).toMatch(/^project-[0-9a-f]{12}$/);
});
