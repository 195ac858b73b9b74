import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { detect, detectProject } from './detect.ts';

const manifest = (value: object): Record<string, string> => ({ 'package.json': JSON.stringify(value) });

test.each([
  [['build.gradle'], 'java', './gradlew test', './gradlew build'],
  [['build.gradle.kts', 'pom.xml'], 'java', './gradlew test', './gradlew build'],
  [['pom.xml'], 'java', 'mvn test', 'mvn compile'],
  [['pyproject.toml', 'package.json'], 'python', 'pytest', null],
  [['setup.py'], 'python', 'pytest', null],
  [['app.csproj'], 'csharp', 'dotnet test', 'dotnet build'],
  [['go.mod'], 'go', 'go test ./...', 'go build ./...'],
  [['Cargo.toml'], 'rust', 'cargo test', 'cargo build'],
  [['src/add.test.mjs'], 'javascript', 'node --test', null],
  [['test/add.js'], 'javascript', 'node --test', null],
  [['tests/test_add.py'], 'python', 'pytest', null],
  [['sub/go.mod', 'README.md'], 'unknown', null, null],
  [[], 'unknown', null, null],
])('%j is %s, tested by %s and built by %s', (files, language, testCommand, build) => {
  expect(detect({ files, texts: {} })).toMatchObject({ language, test: testCommand, build });
});

test.each([
  [['package.json', 'app/a.py', 'app/b.py', 'app/c.py', 'eslint.config.js'], 'python'],
  [['package.json', 'src/a.ts', 'tools/b.py'], 'typescript'],
  [['pyproject.toml', 'web/a.js', 'web/b.js', 'app/c.py'], 'javascript'],
  [['package.json', 'src/index.js', 'tool.py'], 'javascript'],
  [['main.go', 'Makefile'], 'go'],
  [['build.gradle.kts', 'src/App.java'], 'java'],
])('%j is written in %s', (files, language) => expect(detect({ files, texts: {} }).language).toBe(language));

test.each([
  [{ scripts: { test: 'vitest', build: 'tsc' } }, 'npm test', 'npm run build'],
  [{ scripts: { test: 'echo "Error: no test specified" && exit 1' } }, 'node --test', null],
  [{ devDependencies: { vitest: '4' } }, 'npx vitest run', null],
  [{ devDependencies: { jest: '30' } }, 'npx jest', null],
  [{}, 'node --test', null],
])('a package with %j is tested by %s', (value, testCommand, build) => {
  expect(detect({ files: ['package.json'], texts: manifest(value) })).toMatchObject({ language: 'javascript', test: testCommand, build });
});

test.each([
  [['tests/test_a.py'], '[testenv]\ncommands = python -m pytest\n', 'tox'],
  [['setup.py', 'tests/test_a.py'], '[testenv]\ncommands = pytest\n', 'pytest'],
  [['setup.py', 'tests/test_a.py'], '[testenv]\nsetenv =\n    PYTHONPATH = {toxinidir}/lib\ncommands = pytest\n', 'tox'],
  [['tests/test_a.py'], '[flake8]\nmax-line-length = 100\n', 'pytest'],
])('%j with the tox.ini %j is tested by %s', (files, text, command) => {
  expect(detect({ files: [...files, 'tox.ini'], texts: { 'tox.ini': text } }).test).toBe(command);
});

test('a Makefile with a target for tests is the last resort', () => {
  const texts = { Makefile: 'build:\n\tcc a.c\n\ntest: build\n\t./a.out\n' };
  expect(detect({ files: ['Makefile'], texts })).toMatchObject({ language: 'unknown', test: 'make test', build: 'make build' });
  expect(detect({ files: ['Makefile', 'go.mod'], texts })).toMatchObject({ language: 'go', test: 'go test ./...' });
  expect(detect({ files: ['Makefile'], texts: { Makefile: 'all:\n\techo\ntest := 1\n' } })).toMatchObject({ test: null });
});

test.each([
  [['package.json', 'eslint.config.js'], manifest({ scripts: { lint: 'x' } }), 'npm run lint'],
  [['.eslintrc.json'], {}, 'npx eslint .'],
  [['eslint.config.mjs'], {}, 'npx eslint .'],
  [['pyproject.toml'], { 'pyproject.toml': '[project]\n[tool.ruff]\n' }, 'ruff check .'],
  [['pyproject.toml'], { 'pyproject.toml': '[tool.ruff.lint]\n' }, 'ruff check .'],
  [['pyproject.toml'], { 'pyproject.toml': '[tool.ruffian]\n' }, null],
  [['.pylintrc'], {}, 'pylint {scope}'],
  [['pyproject.toml'], { 'pyproject.toml': '[tool.pylint.main]\n' }, 'pylint {scope}'],
  [['.golangci.yml'], {}, 'golangci-lint run'],
  [['.golangci.yaml'], {}, 'golangci-lint run'],
  [['Cargo.toml'], {}, 'cargo clippy'],
  [['package.json'], { 'package.json': 'broken {' }, null],
])('%j with %j is linted by %s', (files, texts, lint) => expect(detect({ files, texts }).lint).toBe(lint));

test.each([
  [['tsconfig.json'], {}, 'npx tsc --noEmit'],
  [['mypy.ini'], {}, 'mypy .'],
  [['pyproject.toml'], { 'pyproject.toml': '[tool.mypy]' }, 'mypy .'],
  [['pyrightconfig.json'], {}, 'pyright'],
  [['pyproject.toml'], { 'pyproject.toml': '[tool.pyright]' }, 'pyright'],
  [['go.mod'], {}, null],
])('%j with %j is type checked by %s', (files, texts, command) => expect(detect({ files, texts }).type_check).toBe(command));

test('a real directory is read without its dependencies', async () => {
  const root = await mkdtemp(join(tmpdir(), 'harness-detect-'));
  await mkdir(join(root, 'node_modules/x/test'), { recursive: true });
  await writeFile(join(root, 'node_modules/x/test/a.js'), '');
  expect((await detectProject(nodePlatform({}), root)).language).toBe('unknown');
  await writeFile(join(root, 'package.json'), '{"scripts":{"test":"node --test"}}');
  await writeFile(join(root, 'tsconfig.json'), '{}');
  expect(await detectProject(nodePlatform({}), root)).toEqual({
    language: 'typescript',
    test: 'npm test',
    build: null,
    lint: null,
    type_check: 'npx tsc --noEmit',
  });
  await rm(root, { recursive: true });
});
