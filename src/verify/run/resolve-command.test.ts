import { describe, expect, test } from 'vitest';
import { expandGlob, matchesGlob } from '../../domain/glob.ts';
import { resolveCommand, splitWords } from './resolve-command.ts';
import { chooseCommand, chooseFileCommand } from './test-command.ts';

const SCRIPTS = {
  test: 'vitest run',
  pretest: 'tsc -p .',
  unit: 'npm run test -- --no-color',
  loop: 'npm run loop',
  all: 'npm run lint && cross-env A=1 jest',
  lint: 'eslint .',
  odd: 'jest | tee log',
};

describe('resolving a command', () => {
  test.each([
    ['npm test', ['vitest', 'run'], ['tsc -p .']],
    ['npm run unit', ['vitest', 'run', '--no-color'], ['tsc -p .']],
    ['pnpm test', ['vitest', 'run'], ['tsc -p .']],
    ['yarn run all', ['jest'], ['npm run lint']],
    ['npx --yes jest --ci', ['jest', '--ci'], []],
    ['poetry run pytest tests/ -v', ['pytest', 'tests/', '-v'], []],
    ['A="b c" node --test \'a b.js\'', ['node', '--test', 'a b.js'], []],
    ['tsc && node --test', ['node', '--test'], ['tsc']],
  ])('%s', (text, words, before) => {
    expect(resolveCommand(text, SCRIPTS)).toMatchObject({ words, before });
  });

  test.each([
    'npm run loop',
    'npm run missing',
    'npm run odd',
    'jest; true',
    'jest || true',
    'jest "$FILES"',
    'jest `ls`',
    'jest > out',
    '(jest)',
  ])('%s stays opaque', (text) => {
    expect(resolveCommand(text, SCRIPTS).words).toBeNull();
  });

  test('keeps assignments apart from words', () => {
    expect(resolveCommand('npm run all', SCRIPTS).env).toEqual({ A: '1' });
  });

  test('an unclosed quote is no command', () => {
    expect(splitWords('node "a')).toBeNull();
  });
});

describe('choosing a runner', () => {
  test.each([
    ['node --test', 'node:test'],
    ['node --import tsx --test src/*.test.ts', 'node:test'],
    ['npm test', 'vitest'],
    ['node --experimental-vm-modules node_modules/jest/bin/jest.js', 'jest'],
    ['NODE_OPTIONS=--experimental-vm-modules npx jest', 'jest'],
    ['uv run python -m pytest -x', 'pytest'],
    ['go test ./...', 'exit-code'],
    ['npm run odd', 'exit-code'],
  ])('%s is run by %s', (text, runner) => {
    expect(chooseCommand(text, 'auto', SCRIPTS).runner.name).toBe(runner);
  });

  test('the settings can name the kind of report', () => {
    expect(chooseCommand('make test', 'junit', {}).runner.name).toBe('junit');
    expect(chooseCommand('npm test', 'tap', SCRIPTS).runner.name).toBe('tap');
    expect(chooseCommand('make test', 'vitest', {}).runner.name).toBe('vitest');
  });

  test('one file is run by the suite’s runner, or by the settings’ own command', () => {
    const testing = { full: 'poetry run pytest tests', feature: null, report: 'auto' } as const;
    expect(chooseFileCommand(testing, {}, 'tests/a b.py')?.display).toBe("poetry run pytest 'tests/a b.py'");
    expect(chooseFileCommand({ ...testing, feature: 'make check F={test_file}' }, {}, "it's.py")?.match.args).toEqual([
      "make check F='it'\\''s.py'",
    ]);
    expect(chooseFileCommand({ ...testing, full: 'go test ./...' }, {}, 'a_test.go')).toBeNull();
  });
});

describe('globs', () => {
  test.each([
    ['a/b/vite.config.ts', 'vite.config.*', true],
    ['a/vite.config', 'vite.config.*', false],
    ['.github/workflows/x/y.yml', '.github/workflows/**', true],
    ['src/.github/workflows/y.yml', '.github/workflows/**', false],
    ['src/data/a.json', 'src/data/', true],
    ['src/a.b', 'src/*.{a,b}', true],
    ['src/x/a.b', 'src/*.{a,b}', false],
    ['x', '[', false],
  ])('%s against %s', (path, pattern, expected) => {
    expect(matchesGlob(path, pattern)).toBe(expected);
  });

  test('a command’s pattern expands over the files of the tree', () => {
    expect(expandGlob('./test/**/*.test.js', ['test/a.test.js', 'test/b/c.test.js', 'src/d.test.js'])).toEqual([
      'test/a.test.js',
      'test/b/c.test.js',
    ]);
    expect(expandGlob('test/', ['test/a.js'])).toEqual(['test/']);
  });
});
