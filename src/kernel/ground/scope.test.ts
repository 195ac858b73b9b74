import { expect, test } from 'vitest';
import { NO_SCOPE, scopeFilter } from './scope.ts';

test.each([
  [null, 'anything/at/all.ts', true],
  [NO_SCOPE, 'anything.ts', true],
  ['.', 'anything.ts', true],
  ['src', 'src/a.ts', true],
  ['src/', 'src/deep/a.ts', true],
  ['./src', 'src/a.ts', true],
  ['src', 'source/a.ts', false],
  ['src', 'test/a.ts', false],
  ['src/**/*.ts', 'src/a/b.ts', true],
  ['src/**/*.ts', 'src/a/b.js', false],
  ['*.md', 'docs/a.md', true],
  ['src, test', 'test/a.ts', true],
  ['src/{a,b}/**, docs', 'src/b/x.ts', true],
  ['src/{a,b}/**, docs', 'src/c/x.ts', false],
])('with the scope %j, %s is inside: %j', (scope, path, inside) => expect(scopeFilter(scope)(path)).toBe(inside));
