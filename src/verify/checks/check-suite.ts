/** The suite on the judged tree: the run that the feature's tests and the accepted tests are read from. */
import type { Check } from '../check.ts';
import { runSuiteInParts } from '../run/suite-in-parts.ts';
import { newTestFiles } from './new-tests.ts';

export const SUITE: Check = {
  id: 'suite',
  title: null,
  weight: 'reject',
  cost: 'trial',
  applies: ({ settings }) => settings.verification.regression_check,
  run: async (judged) => {
    const suite = await runSuiteInParts(judged.platform, judged, judged.judged.tree, await newTestFiles(judged));
    return { findings: [], detail: '', facts: { suite } };
  },
  doc: 'Runs the test suite of the candidate, existing tests apart from new ones.',
};
