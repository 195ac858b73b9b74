import { describe, expect, test } from 'vitest';
import { failureWords } from './failure-words.ts';

const ROOM = '/room/judge';

describe('what a failing test said', () => {
  test('node:test: the values stand below the sentence, the place after them', () => {
    const told = `testCodeFailure ERR_ASSERTION AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

7 !== 1

    at TestContext.<anonymous> (file://${ROOM}/test/subtract.test.mjs:2:33)
    at Test.runInAsyncScope (node:async_hooks:206:9)
    at Test.run (node:internal/test_runner/test:631:25)`;
    expect(failureWords(told, ROOM)).toBe('AssertionError: Expected values to be strictly equal:\n7 !== 1\nat test/subtract.test.mjs:2:33');
  });

  test('a difference of many lines is kept whole', () => {
    const difference = ['+ actual - expected', '  {', "+   name: 'a'", "-   name: 'b'", '  }'];
    const told = `AssertionError: Expected values to be strictly deep-equal:\n${difference.join('\n')}\n    at x (${ROOM}/a.test.js:1:1)`;
    for (const line of difference) expect(failureWords(told, ROOM)).toContain(line);
  });

  test('pytest: the marked lines, however long the test is above them', () => {
    const told = [
      'def test_subtracts():',
      ...Array.from({ length: 40 }, (_, index) => `        step${index} = ${index}`),
      '>       assert subtract(3, 2) == 1',
      'E       assert 7 == 1',
      'E        +  where 7 = subtract(3, 2)',
      '',
      'tests/test_subtract.py:43: AssertionError',
    ].join('\n');
    expect(failureWords(told, ROOM)).toBe('assert 7 == 1\n +  where 7 = subtract(3, 2)\nat tests/test_subtract.py:43');
  });

  test('a file that cannot be loaded says why', () => {
    const told = `testCodeFailure test failed
node:internal/modules/esm/resolve:283
    throw new ERR_MODULE_NOT_FOUND(
          ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find module '${ROOM}/src/subtract.mjs' imported from ${ROOM}/test/subtract.test.mjs
    at finalizeResolution (node:internal/modules/esm/resolve:283:11)

Node.js v20.19.0`;
    expect(failureWords(told, ROOM)).toContain("Cannot find module 'src/subtract.mjs' imported from test/subtract.test.mjs");
    expect(failureWords(told, ROOM)).not.toContain('Node.js v20');
  });

  test('floods and control characters do not come through', () => {
    const told = `\u001b[31m${'x'.repeat(5_000)}\u001b[0m\n${'line\n'.repeat(1_000)}`;
    expect(failureWords(told, ROOM).length).toBeLessThan(24 * 301);
    expect(failureWords(told, ROOM)).not.toContain('\u001b');
  });
});
