import { describe, expect, test } from 'vitest';
import { expandGlob, matchesGlob } from '../../domain/glob.ts';
import { manifestSources, NO_SOURCES, type CommandSources } from './command-sources.ts';
import { resolveCommand } from './resolve-command.ts';
import { splitSteps, splitWords } from './split-words.ts';
import { chooseCommand, chooseFileCommand } from './test-command.ts';

const SCRIPTS = sourcesWith({
  test: 'vitest run',
  pretest: 'tsc -p .',
  unit: 'npm run test -- --no-color',
  loop: 'npm run loop',
  all: 'npm run lint && cross-env A=1 jest',
  lint: 'eslint .',
  odd: 'jest | tee log',
  shown: 'tape -r esm tests/*.js | tap-spec',
  both: 'run-s lint test:*',
  'test:unit': 'c8 --reporter lcov node --test',
  'test:types': 'tsd',
  steps: 'npm run lint && npm run unit && tsd && c8 report',
});

function sourcesWith(scripts: Readonly<Record<string, string>>, recipes: CommandSources['recipes'] = {}): CommandSources {
  return { ...manifestSources(JSON.stringify({ scripts })), recipes };
}

describe('resolving a command', () => {
  test.each([
    ['npm test', ['vitest', 'run'], ['tsc -p .']],
    ['npm run unit', ['vitest', 'run', '--no-color'], ['tsc -p .']],
    ['pnpm test', ['vitest', 'run'], ['tsc -p .']],
    ['yarn run all', ['jest'], []],
    ['pnpm vitest run', ['vitest', 'run'], []],
    ['npm run both', ['node', '--test'], []],
    ['node --run test', ['vitest', 'run'], ['tsc -p .']],
    ['nyc --reporter text mocha -r x', ['mocha', '-r', 'x'], []],
    ['c8 --100 -- node --test', ['node', '--test'], []],
    ['python -m coverage run --source src -m pytest tests', ['python', '-m', 'pytest', 'tests'], []],
    ['coverage run -m unittest', ['python3', '-m', 'unittest'], []],
    ['npx --yes jest --ci', ['jest', '--ci'], []],
    ['npm run shown', ['tape', '-r', 'esm', 'tests/*.js'], []],
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
    'cd packages/a && jest',
    'npm test -w packages/a',
    'pnpm -r test',
    'run-s -c lint test',
    'tox',
  ])('%s stays opaque', (text) => {
    expect(resolveCommand(text, SCRIPTS).words).toBeNull();
  });

  test('keeps assignments apart from words', () => {
    expect(resolveCommand('npm run all', SCRIPTS).env).toEqual({ A: '1' });
  });

  test('tells checks of the project from tests, and leaves out what tells of coverage', () => {
    expect(resolveCommand('npm run steps', SCRIPTS)).toMatchObject({
      words: ['vitest', 'run', '--no-color'],
      before: ['tsc -p .'],
      checks: ['npm run lint', 'tsd'],
    });
    expect(resolveCommand('npm run build && eslint --fix . && jest && ./deploy', SCRIPTS)).toMatchObject({
      before: ['npm run build', 'eslint --fix .'],
      checks: ['./deploy'],
    });
    expect(resolveCommand('npm run both', SCRIPTS)).toMatchObject({ checks: ['npm run lint', 'npm run test:types'], without: ['c8'] });
  });

  test('modules that a measuring program loads are loaded all the same', () => {
    expect(resolveCommand('nyc --require=ts-node/register -i other mocha', SCRIPTS).env).toEqual({
      NODE_OPTIONS: '--require=ts-node/register --require=other',
    });
  });

  test('fills in what tox fills in, for all environments that are asked for and their factors', () => {
    const ini =
      '[tox]\nenvlist = lint, py{310,311}-{plain,cov}\n[testenv]\nsetenv =\n  PYTHONPATH = {toxinidir}/src\n  A = {env:A:b}\n  X = {envtmpdir}/x\ncommands =\n  !cov: pytest {posargs:tests {env:OPTS:-q}}\n  cov: pytest --cov=p {posargs}\n[testenv:lint]\ncommands = ruff check .\n';
    const tox = sourcesWith({}, { 'tox.ini': ini });
    const env = { PYTHONPATH: './src', A: 'b' };
    expect(resolveCommand('tox', tox)).toMatchObject({ words: ['pytest', 'tests', '-q'], env });
    expect(resolveCommand('tox -e lint,py', tox)).toMatchObject({ words: ['pytest', 'tests', '-q'], env, checks: ['ruff check .'] });
    expect(resolveCommand('tox -e py311-cov -- -k a', tox).words).toEqual(['pytest', '--cov=p', '-k', 'a']);
  });

  test('keeps what nox is told beside the words of a command', () => {
    const file =
      'import nox\n@nox.session\ndef tests(session):\n    session.run("pytest", "-q", *(session.posargs or ["tests"]), env={"A": "b, c"}, success_codes=[0, 5])\n';
    const nox = sourcesWith({}, { 'noxfile.py': file });
    expect(resolveCommand('nox', nox)).toMatchObject({ words: ['pytest', '-q', 'tests'], env: { A: 'b, c' } });
    expect(resolveCommand('nox -- x', nox).words).toEqual(['pytest', '-q', 'x']);
  });

  test('finds the commands behind tox and nox', () => {
    const ini =
      '[tox]\nenvlist = lint,py311\n[testenv]\nsetenv =\n    MODE = x\ncommands =\n    python -m pip list\n    pytest {posargs:tests} \\\n      --cov\n[testenv:lint]\ncommands = flake8\n';
    const tox = sourcesWith({}, { 'tox.ini': ini });
    expect(resolveCommand('tox', tox)).toMatchObject({
      words: ['pytest', 'tests', '--cov'],
      before: ['python -m pip list'],
      env: { MODE: 'x' },
      without: ['tox'],
    });
    expect(resolveCommand('tox run -e py311 -- -k one', tox).words).toEqual(['pytest', '-k', 'one', '--cov']);
    expect(resolveCommand('tox -e lint', tox).words).toEqual(['flake8']);
    const file =
      'import nox\n\n@nox.session\ndef lint(session):\n    session.run("flake8")\n\n@nox.session(python=["3.11"])\ndef tests(session: nox.Session) -> None:\n    session.install("-e", ".")\n    session.run("python", "-m", "pytest", "tests", *session.posargs)\n';
    expect(resolveCommand('nox', sourcesWith({}, { 'noxfile.py': file }))).toMatchObject({
      words: ['python', '-m', 'pytest', 'tests'],
      without: ['nox'],
    });
    expect(resolveCommand('nox -s tests -- -x', sourcesWith({}, { 'noxfile.py': file })).words).toEqual([
      'python',
      '-m',
      'pytest',
      'tests',
      '-x',
    ]);
  });

  test('steps are split outside of quotes', () => {
    expect(splitSteps('a "b && c" && d')).toEqual(['a "b && c"', 'd']);
    expect(splitSteps('a && ')).toBeNull();
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
    ['uv run --with x pytest', 'pytest'],
    ['python3 -m unittest discover -s tests', 'unittest'],
    ['borp --coverage', 'node:test'],
    ['tsx --test', 'node:test'],
    ['ts-node --test test/a.test.ts', 'node:test'],
    ['ts-node -P tsconfig.test.json test/a.test.ts', 'exit-code'],
    ['glob -c "tsx --test" "test/**/*.test.ts"', 'node:test'],
    ['glob --all "test/**"', 'exit-code'],
    ['bun test', 'bun'],
    ['go vet ./... && go test ./...', 'go'],
    ['cargo test --all', 'cargo'],
    ['make check', 'exit-code'],
    ['npm run odd', 'exit-code'],
  ])('%s is run by %s', (text, runner) => {
    expect(chooseCommand(text, 'auto', SCRIPTS).runner.name).toBe(runner);
  });

  test('the settings can name the kind of report', () => {
    expect(chooseCommand('make test', 'junit', NO_SOURCES).runner.name).toBe('junit');
    expect(chooseCommand('npm test', 'tap', SCRIPTS).runner.name).toBe('tap');
    expect(chooseCommand('make test', 'vitest', NO_SOURCES).runner.name).toBe('vitest');
  });

  test('a file that needs a loader is run with it', () => {
    expect(resolveCommand('ts-node-esm -r ./a test/b.ts').tool).toBeNull();
    expect(resolveCommand('uv run pytest').tool).toBe('uv');
    const testing = { full: 'c8 node --import tsx --test-timeout=5 --test src/*.test.ts', feature: null, report: 'auto' } as const;
    expect(chooseFileCommand(testing, NO_SOURCES, 'src/a.test.ts')?.display).toBe('node --import tsx --test src/a.test.ts');
  });

  test('one file is run by the suite’s runner, or by the settings’ own command', () => {
    const testing = { full: 'poetry run pytest tests', feature: null, report: 'auto' } as const;
    expect(chooseFileCommand(testing, NO_SOURCES, 'tests/a b.py')?.display).toBe("poetry run pytest 'tests/a b.py'");
    expect(chooseFileCommand({ ...testing, feature: 'make check F={test_file}' }, NO_SOURCES, "it's.py")?.match.args).toEqual([
      "make check F='it'\\''s.py'",
    ]);
    expect(chooseFileCommand({ ...testing, full: 'go test ./...' }, NO_SOURCES, 'a_test.go')).toBeNull();
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
