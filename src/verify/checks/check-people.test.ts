import { testCheck } from '../test-support-case.ts';
import { PEOPLE } from './check-people.ts';

testCheck(PEOPLE, [
  { name: 'an automated feature', finds: [], says: 'none needed' },
  {
    name: 'a hybrid feature',
    feature: { verification_type: 'hybrid' },
    finds: ['ask manual.confirmation: feature #2 is hybrid and needs review by a person'],
  },
  {
    name: 'verification is switched off',
    settings: { verification: { harness_verify: false } },
    finds: ['ask verification.disabled: verification.harness_verify is off, so the harness cannot vouch for this work'],
  },
]);
