import { featureList, testCheck } from '../test-support-case.ts';
import { CLAIM } from './check-claim.ts';

const open = { id: 2, description: 'subtracts two numbers', test_file: 'test/subtract.test.mjs', passes: false };

testCheck(CLAIM, [
  { name: 'the assigned feature is claimed', finds: [], says: 'claimed: #2' },
  {
    name: 'nothing is claimed',
    work: { 'features.json': featureList() },
    finds: ['reject claim.none: feature #2 was not marked as passing'],
    says: 'nothing claimed',
  },
  {
    name: 'the feature is rewritten as well',
    work: { 'features.json': featureList({ ...open, description: 'subtracts', passes: true }) },
    finds: ['reject features.edited: features.json has changes other than the claim'],
  },
  {
    name: 'the list is gone',
    work: { 'features.json': null },
    finds: ['reject features.removed: features.json was deleted'],
  },
  {
    name: 'a cleanup claims something',
    patch: { mode: 'cleanup' },
    finds: ['reject claim.wrong_feature: a cleanup session cannot complete features'],
  },
]);
