import { describe, expect, test } from 'vitest';
import { suspicionOf, wordsFor } from './stray-files.ts';

const BEFORE = new Set(['package.json', 'src/add.js', 'test/add.test.js', 'features.json', 'claude-progress.txt']);

describe('what may have been left behind', () => {
  test.each([
    ['debug.js', 'scratch'],
    ['tmp_check.py', 'scratch'],
    ['src/server.log', 'scratch'],
    ['scratch/try.js', 'scratch'],
    ['src/add.js.orig', 'scratch'],
    ['IMPLEMENTATION_SUMMARY.md', 'unnamed'],
    ['verify-manually.js', 'unnamed'],
    ['notes/plan.md', 'unnamed'],
  ])('%s: %s', (path, expected) => {
    expect(suspicionOf(path, BEFORE)).toBe(expected);
  });

  test.each([
    'package.json',
    'src/subtract.js',
    'src/debugger.js',
    'src/debug.js',
    'src/temp.py',
    'lib/core.js',
    'src/debug/index.js',
    'src/template.js',
    'test/subtract.test.js',
    'README.md',
    'CHANGELOG.md',
    'Makefile',
    'Dockerfile',
    'docker-compose.yml',
    'requirements-dev.txt',
    'vitest.config.ts',
    'tsconfig.build.json',
    'server/routes.js',
    'docs/usage.md',
    '.github/workflows/ci.yml',
    '.env.example',
    'index.html',
    'test_calc.py',
    'words.txt',
    'tables/rates.csv',
  ])('%s belongs to the project', (path) => {
    expect(suspicionOf(path, BEFORE)).toBeNull();
  });

  test('a source in the root is one among its like where sources lie there', () => {
    expect(suspicionOf('wordcount.py', BEFORE)).toBe('unnamed');
    expect(suspicionOf('wordcount.py', new Set([...BEFORE, 'calc.py']))).toBeNull();
    expect(suspicionOf('debug.py', new Set([...BEFORE, 'calc.py']))).toBe('scratch');
  });
});

test('a module is looked for without its ending, another file by its whole name, and neither where that says nothing', () => {
  expect(wordsFor('notes/plan.txt')).toBe('plan.txt');
  expect(wordsFor('check/by-hand.mjs')).toBe('by-hand');
  expect(wordsFor('a.js')).toBeNull();
});
