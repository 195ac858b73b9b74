import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSource } from '../source/read-source.ts';
import { createBench, type Bench } from '../test-support.ts';
import { loadingOnly } from './put-in-place.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.dispose());

const loading = async (path: string, text: string, paths: string[], also: string[] = []): Promise<string> =>
  loadingOnly(path, text, (await readSource(bench.platform, path, text))!, {
    paths: new Set(paths),
    isOfTests: (one) => /^tests?\//.test(one),
    also,
  });

test('a module of tests is loaded by its product alone', async () => {
  const text =
    "import { test as check } from 'node:test';\nimport './helpers/clock.js';\nimport { a } from '../src/a.js';\nimport b from '../src/b.js';\ncheck('x', () => {});\n";
  expect(await loading('test/a.test.js', text, ['src/a.js', 'test/helpers/clock.js'], ['lib/patch.js', 'lib/gone.js'].slice(0, 1))).toBe(
    "import { test as check } from 'node:test';\nimport \"../src/a.js\";\ncheck('loaded', () => {});\n",
  );
});

test('what stands in the place before is loaded too, where it is there', async () => {
  const text = "const { a } = require('../src/a');\nit('x', () => {});\n";
  expect(await loading('test/a.test.js', text, ['src/a.js', 'lib/patch.js'], ['lib/patch.js', 'lib/gone.js'])).toBe(
    '\nrequire("../src/a");\nrequire("../lib/patch.js");\nit(\'loaded\', () => {});\n',
  );
});

test('in Python', async () => {
  const text = 'import pytest\nfrom src.a import a\nfrom tests.help import h\n\n\ndef test_x():\n    assert a()\n';
  expect(await loading('tests/test_a.py', text, ['src/a.py', 'tests/help.py'])).toBe(
    'try: import src.a\nexcept ImportError: pass\n\n\ndef test_loaded():\n    pass\n',
  );
});
