import { SUBTRACT_TEST, testCheck } from '../test-support-case.ts';
import { REPEAT } from './check-repeat.ts';

testCheck(
  REPEAT,
  [
    { name: 'a steady test', finds: [], says: '1 of 1 pass again' },
    {
      name: 'a test that passes only today',
      work: {
        'test/subtract.test.mjs': SUBTRACT_TEST.replace(
          'subtract(3, 2), 1)',
          `Date.now() < ${Date.now() + 86_400_000} && subtract(3, 2), 1)`,
        ),
      },
      finds: ['ask test.flaky: test "subtracts" in test/subtract.test.mjs passes only on some dates'],
      says: '0 of 1 pass again',
    },
  ],
  { ran: true },
);
