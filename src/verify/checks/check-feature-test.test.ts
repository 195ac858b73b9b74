import { SUBTRACT_TEST, testCheck } from '../test-support-case.ts';
import { FEATURE_TEST } from './check-feature-test.ts';

testCheck(
  FEATURE_TEST,
  [
    { name: 'a test that passes', finds: [], says: '1 of 1 pass in test/subtract.test.mjs' },
    {
      name: 'a test that fails',
      work: { 'test/subtract.test.mjs': SUBTRACT_TEST.replace(', 1)', ', 2)') },
      finds: ['reject test.failed: 1 of 1 test in test/subtract.test.mjs failed'],
      says: '0 of 1 pass in test/subtract.test.mjs',
    },
    {
      name: 'a test that is skipped',
      work: { 'test/subtract.test.mjs': SUBTRACT_TEST.replace("test('", "test.skip('") },
      finds: ['reject test.skipped: no test in test/subtract.test.mjs passed: all were skipped, marked as todo or expected to fail'],
    },
    {
      name: 'no such file',
      work: { 'test/subtract.test.mjs': null },
      finds: ['reject test.none_ran: the test file test/subtract.test.mjs does not exist'],
    },
  ],
  { ran: true },
);
