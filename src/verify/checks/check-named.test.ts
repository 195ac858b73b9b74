import { testCheck } from '../test-support-case.ts';
import { NAMED } from './check-named.ts';

testCheck(NAMED, [
  { name: 'a command that succeeds', feature: { automated_checks: ['node -e 0'] }, finds: [], says: 'node -e 0: passed' },
  {
    name: 'a command that fails',
    feature: { automated_checks: ['node -e "process.exit(3)"'] },
    finds: ['reject check.failed: check node -e "process.exit(3)" failed (exit status 3)'],
  },
]);
