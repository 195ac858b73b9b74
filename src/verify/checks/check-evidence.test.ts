import { testCheck } from '../test-support-case.ts';
import { EVIDENCE } from './check-evidence.ts';

const SEEN = { mentionsTestFile: true, passingSummary: 'node:test', endedFailing: false, shown: true };

testCheck(EVIDENCE, [
  { name: 'a passing run', finds: [], says: 'a passing run is shown (node:test)' },
  {
    name: 'the file is named, but no result is shown',
    patch: { evidence: { ...SEEN, passingSummary: null, shown: false } },
    finds: ['reject claim.no_evidence: the session output shows no passing test summary'],
  },
  {
    name: 'nothing at all',
    patch: { evidence: null },
    finds: ['reject claim.no_evidence: the session output shows no run of test/subtract.test.mjs'],
  },
  {
    name: 'the test file was never written',
    work: { 'test/subtract.test.mjs': null },
    patch: { evidence: { ...SEEN, shown: false } },
    finds: ['reject claim.no_evidence: test/subtract.test.mjs does not exist, so no run can be shown'],
  },
  {
    name: 'a passing run by the titles of its tests',
    patch: { evidence: { ...SEEN, mentionsTestFile: false, shown: false, testNames: ['subtracts'] } },
    finds: [],
  },
  {
    name: 'none is required',
    settings: { verification: { require_evidence: false } },
    patch: { evidence: null },
    finds: [],
    says: 'not required',
  },
]);
