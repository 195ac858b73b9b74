import { expect, test } from 'vitest';
import { brokenVersion } from './check-file-controls.ts';

test.each([
  ['a.test.ts', "test('a', () => {});", "test('a', () => {});\nthrow new Error('word');\n"],
  ['test_a.py', 'def test_a(): pass', "def test_a(): pass\nraise RuntimeError('word')\n"],
  ['a.sh', '#!/bin/sh\ntrue\n', '#!/bin/sh\nexit 1\ntrue\n'],
  ['t/a.t', 'ok(1);\n', "die 'word';\nok(1);\n"],
  ['bin/check', '#!/bin/bash', '#!/bin/bash\nexit 1\n'],
])('%s cannot pass any more', (path, text, broken) => {
  expect(brokenVersion(path, text, 'word')).toBe(broken);
});

test('other languages do not compile any more, data is left alone', () => {
  expect(brokenVersion('a_test.go', 'package a\n', 'word')).toContain('word');
  expect(brokenVersion('cases.json', '{}', 'word')).toBeNull();
});
