import { SUBTRACT_TEST, testCheck } from '../test-support-case.ts';
import { make } from './again.ts';
import { REPEAT } from './check-repeat.ts';

const ONLY_TODAY = {
  work: {
    'test/subtract.test.mjs': SUBTRACT_TEST.replace('subtract(3, 2), 1)', `Date.now() < ${Date.now() + 86_400_000} && subtract(3, 2), 1)`),
  },
  says: '0 of 1 pass again',
};
const DATED = 'test "subtracts" in test/subtract.test.mjs passes only on some dates: it fails when the clock is set to DATE';
const other = make('repeat', 'test.flaky', 'reject', 'test "subtracts" passed once, then failed when rerun in a fresh directory', []);

testCheck(
  REPEAT,
  [
    { name: 'a steady test', finds: [], says: '1 of 1 pass again' },
    { name: 'a test that passes only today, which nobody can mend', ...ONLY_TODAY, finds: [`ask test.flaky: ${DATED}`] },
    {
      name: 'a test that passes only today, seen for the first time',
      ...ONLY_TODAY,
      patch: { refused: [other] },
      finds: [`reject test.flaky: ${DATED}`],
    },
    {
      name: 'a test that passes only today, as in the claim before',
      ...ONLY_TODAY,
      patch: { refused: [make('controls', 'test.flaky', 'reject', DATED, [])] },
      finds: [`ask test.flaky: ${DATED}`],
    },
  ],
  { ran: true },
);
