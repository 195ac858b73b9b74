import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { plainTests, type PlainTests } from './plain-tests.ts';
import { readSource } from './read-source.ts';

const PATHS = new Set(['src/a.js', 'src/a.py', 'test/help.js', 'tests/help.py']);

async function taken(path: string, text: string): Promise<PlainTests | null> {
  const reading = (await readSource(nodePlatform(), path, text))!;
  return plainTests(path, text, reading, { paths: PATHS, isOfTests: (one) => one.startsWith('test') });
}

const BODY = "test('a', () => {\n  assert.equal(a(1), 2);\n});\n";

test('a test file at the root takes from a stand-in what it took from its runner', async () => {
  const head =
    "import assert, { ok as fine } from 'node:assert/strict';\nimport * as all from 'vitest';\nimport { readFileSync } from 'node:fs';\n";
  const found = await taken('test/a.test.js', `${head}import { a } from '../src/a.js';\n${BODY}`);
  expect(found?.loads).toEqual(['src/a.js']);
  expect(found?.isModule).toBe(true);
  const lines = found?.textWith((path) => path.replace('.js', '.mjs')).split('\n');
  expect(lines?.slice(0, 5)).toEqual([
    "const { test } = KIT('');",
    'const assert = KIT("node:assert/strict").default; const fine = KIT("node:assert/strict").ok;',
    'const all = KIT("vitest");',
    "import { readFileSync } from 'node:fs';",
    'import { a } from "./src/a.mjs";',
  ]);
});

test('modules that are required, and names that a runner gives unasked', async () => {
  const found = await taken('test/a.test.js', "const { a } = require('../src/a.js');\nit('a', () => {\n  expect(a(1)).toBe(2);\n});\n");
  expect(found?.isModule).toBe(false);
  expect(found?.textWith((path) => path)).toMatch(
    /^const \{ [^}]*expect[^}]* \} = KIT\(''\);\nconst \{ a \} = require\("\.\/src\/a\.js"\);/,
  );
});

test('in Python the runner is a name that is given', async () => {
  const text = 'import pytest\nfrom pytest import raises as refuses\nfrom src.a import a\n\n\ndef test_a():\n    assert a(1) == 2\n';
  const found = await taken('tests/test_a.py', text);
  expect(found?.bound).toEqual({ pytest: '', refuses: 'raises' });
  expect(found?.textWith((path) => path)).toBe(
    text.replace('import pytest', 'pass').replace('from pytest import raises as refuses', 'pass'),
  );
});

test.each([
  ['a helper of tests', 'test/a.test.js', `import { a } from '../src/a.js';\nimport { help } from './help.js';\n${BODY}`],
  ['its own place', 'test/a.test.js', `import { a } from '../src/a.js';\nconst here = import.meta.url;\n${BODY}`],
  ['a package', 'test/a.test.js', `import { a } from '../src/a.js';\nimport sinon from 'sinon';\n${BODY}`],
  ['a mocked module', 'test/a.test.js', `import { a } from '../src/a.js';\nvi.mock('../src/a.js');\n${BODY}`],
  ['no code of the project', 'test/a.test.js', BODY],
  ['a helper in Python', 'tests/test_a.py', 'from src.a import a\nfrom tests.help import help\n\n\ndef test_a():\n    assert a(1)\n'],
  ['its own place in Python', 'tests/test_a.py', 'from src.a import a\n\n\ndef test_a():\n    assert a(__file__)\n'],
])('a file that needs %s is left out', async (_what, path, text) => {
  expect(await taken(path, text)).toBeNull();
});
