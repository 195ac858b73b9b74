import { testCheck } from '../test-support-case.ts';
import { REGRESSION } from './check-regression.ts';

testCheck(
  REGRESSION,
  [
    { name: 'everything still passes', finds: [], says: '1 of 1 still pass' },
    {
      name: 'accepted code is broken',
      work: { 'src/add.mjs': 'export const add = (a, b) => a - b;\n' },
      finds: ['reject regression: 1 test that passed on base no longer passes'],
      says: '0 of 1 still pass',
    },
    {
      name: 'a new test fails',
      work: { 'test/more.test.mjs': "import test from 'node:test';\ntest('more', () => { throw new Error('no'); });\n" },
      finds: ['ask test.failed: new tests fail or cannot be loaded'],
    },
    {
      name: 'no baseline is known',
      patch: { baseline: null },
      finds: ['ask regression: no record of the tests that passed on base, so regressions could not be checked'],
      says: 'no baseline',
    },
  ],
  { ran: true },
);
