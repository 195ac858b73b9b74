import { SUBTRACT_TEST, testCheck } from '../test-support-case.ts';
import { CONTROLS } from './check-controls.ts';

const IMPORTS = SUBTRACT_TEST.split('\n')[0]!;
/** Catches what its own assertion throws. */
const SWALLOWED = `${IMPORTS}\ntest('subtracts', () => {\n  try {\n    assert.equal(subtract(3, 2), 1);\n  } catch {}\n});\n`;

testCheck(
  CONTROLS,
  [
    { name: 'a test that can fail', finds: [] },
    {
      name: 'a test that cannot',
      work: { 'test/subtract.test.mjs': SWALLOWED },
      finds: [
        'reject test.not_red: the tests in test/subtract.test.mjs still pass when their expected values are changed, so they prove nothing',
      ],
    },
  ],
  { ran: true },
);
