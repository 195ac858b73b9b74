import { expect, test } from 'vitest';
import { foldName, looksLikeGitDirectory } from './file-names.ts';

test.each(['.git', '.GIT', 'git~1', 'GIT~1', '.git ', '.git.', '.git::$INDEX_ALLOCATION', '.g\u200cit', '.git\\x'])(
  '%j looks like a git directory',
  (name) => expect(looksLikeGitDirectory(name)).toBe(true),
);
test.each(['.gitignore', 'git', '.github', 'git~2', 'x.git'])('%j does not', (name) => expect(looksLikeGitDirectory(name)).toBe(false));

test('names that some file system takes for the same fold to the same', () => {
  for (const [a, b] of [
    ['README', 'readme'],
    ['caf\u00e9', 'CAFE\u0301'],
    ['stra\u00dfe', 'STRASSE'],
    ['\u212a', 'k'],
  ] as const)
    expect(foldName(a)).toBe(foldName(b));
  expect(foldName('a')).not.toBe(foldName('b'));
});
