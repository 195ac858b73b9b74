import { testCheck } from '../test-support-case.ts';
import { NEUTRAL } from './check-neutral.ts';

const PASSES = '1 of 1 tests also pass with the test runner hidden';

testCheck(
  NEUTRAL,
  [
    { name: 'code that cannot tell', finds: [], says: `${PASSES}; 1 of 1 assertion holds` },
    {
      name: 'code that is right only under a variable of the runner',
      work: { 'src/subtract.mjs': 'export const subtract = (a, b) => (process.env.NODE_TEST_CONTEXT ? a - b : a);\n' },
      finds: [
        'reject test.failed: tests pass only when the code can detect the test runner',
        'ask test.failed: assertions that pass in the test runner fail outside it',
      ],
    },
  ],
  { ran: true },
);
