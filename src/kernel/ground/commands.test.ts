import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseCommands } from './commands.ts';

const listing = (files: readonly string[], texts: Record<string, string> = {}) => ({ files: [...files, ...Object.keys(texts)], texts });
const manifest = (value: object) => ({ 'package.json': JSON.stringify(value) });

test.each([
  [['build.gradle.kts'], 'java', './gradlew test', './gradlew build'],
  [['pom.xml'], 'java', 'mvn test', 'mvn compile'],
  [['setup.py'], 'python', 'pytest', null],
  [['App.csproj'], 'csharp', 'dotnet test', 'dotnet build'],
  [['go.mod'], 'go', 'go test ./...', 'go build ./...'],
  [['Cargo.toml'], 'rust', 'cargo test', 'cargo build'],
  [['README.md'], 'unknown', null, null],
])('%j is %s, tested by %s and built by %s', (files, lang, test_cmd, build_cmd) => {
  expect(chooseCommands(listing(files))).toMatchObject({ lang, test_cmd, build_cmd });
});

test('a package gives the commands whose scripts it has and no others', () => {
  expect(chooseCommands(listing([], manifest({ scripts: { test: 'x', build: 'y', lint: 'z' } })))).toMatchObject({
    lang: 'javascript',
    test_cmd: 'npm test',
    build_cmd: 'npm run build',
    lint_cmd: 'npm run lint',
  });
  expect(chooseCommands(listing([], manifest({})))).toMatchObject({ lang: 'javascript', test_cmd: null, build_cmd: null, lint_cmd: null });
});

test('without a test script, the runner that is installed or the tests that are there decide', () => {
  expect(chooseCommands(listing([], manifest({ devDependencies: { vitest: '4' } }))).test_cmd).toBe('npx vitest run');
  expect(chooseCommands(listing(['test/add.test.js'], manifest({}))).test_cmd).toBe('node --test');
});

test('type checks come from the files that configure them', () => {
  expect(chooseCommands(listing(['tsconfig.json', 'mypy.ini'])).type_check_cmd).toBe('npx tsc --noEmit');
  expect(chooseCommands(listing([], { 'pyproject.toml': '[tool.pyright]\n' })).type_check_cmd).toBe('pyright');
  expect(chooseCommands(listing(['go.mod'])).type_check_cmd).toBeNull();
});

test('given commands win, and an empty one switches its check off', () => {
  const found = listing(['tsconfig.json'], manifest({ scripts: { test: 'x', lint: 'z' } }));
  expect(chooseCommands(found, { lint: 'oxlint', typeCheck: '', test: 'make test' })).toMatchObject({
    lint_cmd: 'oxlint',
    type_check_cmd: null,
    test_cmd: 'make test',
  });
  expect(chooseCommands(found, { lint: null, typeCheck: null, test: null })).toMatchObject({
    lint_cmd: 'npm run lint',
    test_cmd: 'npm test',
  });
});

test.each([
  [null, 'pylint .'],
  ['src', 'pylint src'],
  ['src/**/*.py', 'pylint src/**/*.py'],
  ['-x', 'pylint ./-x'],
  ["a'; rm -rf b", String.raw`pylint 'a'\''; rm -rf b'`],
])('the scope %j is one argument: %s', (scope, lint_cmd) => {
  expect(chooseCommands(listing(['.pylintrc']), { scope }).lint_cmd).toBe(lint_cmd);
});

test('no scope can become anything but one argument of the shell', () => {
  const scope = fc.string({
    unit: fc.constantFrom('a', "'", '"', '$', '`', ';', ' ', '\\', '(', '&', '|', '>', '\n'),
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(
      scope.filter((text) => text.trim() === text),
      (text) => {
        const command = chooseCommands(listing(['.pylintrc']), { scope: text }).lint_cmd!.replace('pylint', "printf '%s|'");
        return execFileSync('/bin/sh', ['-c', command], { env: {}, encoding: 'utf8' }) === `${text}|`;
      },
    ),
    { numRuns: 40 },
  );
});
