import { SUBTRACT_TEST, testCheck } from '../test-support-case.ts';
import { RED } from './check-red.ts';

const HOLLOW = "import test from 'node:test';\ntest('subtracts', () => {});\n";
const BLIND = SUBTRACT_TEST.replace('assert.equal(subtract(3, 2), 1)', "assert.equal(typeof subtract, 'function')");

testCheck(
  RED,
  [
    { name: 'a test of the new code', finds: [], says: '1 of 1 fails on base (module missing) and fails on mutated code' },
    {
      name: 'a test of nothing',
      work: { 'test/subtract.test.mjs': HOLLOW },
      finds: ['reject test.not_red: no test in test/subtract.test.mjs fails on base, so none shows that the feature was missing'],
      says: '0 of 1 fail on base',
    },
    {
      name: 'a test that only looks whether the function exists',
      work: { 'test/subtract.test.mjs': BLIND },
      finds: [
        'reject test.not_red: the tests in test/subtract.test.mjs still pass when the new code returns wrong values, so they do not test it',
      ],
      says: '1 of 1 fails on base (module missing), 0 of them on mutated code',
    },
  ],
  { ran: true },
);
