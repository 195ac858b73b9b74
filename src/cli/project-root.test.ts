import { expect, test } from 'vitest';
import { findProjectRoot } from './project-root.ts';

const rootOf = (cwd: string, ...there: string[]): Promise<string> =>
  findProjectRoot({ files: { exists: async (path: string) => there.includes(path) } }, cwd);

test.each([
  ['settings of its own', '/r/.harness.yaml', '/r/.git', '/r/a/.harness.yaml', '/r/a'],
  ['settings at the top', '/r/.harness.yaml', '/r/.git', '/r/x', '/r'],
  ['no settings, in a repository', '/r/.git', '/r/x', '/r/y', '/r'],
  ['settings above the repository', '/.harness.yaml', '/r/.git', '/r/x', '/r'],
  ['neither settings nor repository', '/x', '/y', '/z', '/r/a/b'],
])('a directory with %s belongs to the right project', async (_, first, second, third, expected) => {
  expect(await rootOf('/r/a/b', first, second, third)).toBe(expected);
});
