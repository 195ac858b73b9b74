import { expect, test } from 'vitest';
import { reachedScripts } from './command-sources.ts';

test('scripts count where a command leads to them, and those that a package manager runs by itself', () => {
  const scripts = {
    test: 'npm run lint && run-p unit:*',
    'unit:a': 'vitest run a',
    'unit:b': 'npm run make && vitest run b',
    lint: 'eslint .',
    prelint: 'node prelint.js',
    make: 'node make.js',
    prepare: 'node prepare.js',
    build: 'cp src/index.js dist/',
    release: 'npm run build',
  };
  expect(reachedScripts(scripts, ['npm test']).toSorted()).toEqual(
    ['test', 'unit:a', 'unit:b', 'lint', 'prelint', 'make', 'prepare'].map((name) => scripts[name as keyof typeof scripts]).toSorted(),
  );
  expect(reachedScripts({ build: 'a', check: 'b' }, ['npx vitest run', null])).toEqual([]);
  expect(reachedScripts({ a: 'npm run b', b: 'npm run a' }, ['yarn a'])).toEqual(['npm run b', 'npm run a']);
});
