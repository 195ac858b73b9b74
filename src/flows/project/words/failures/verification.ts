/** What can be wrong with a claim, and with the work behind it. */
import { rejected, type Failure } from './failure.ts';

const DISHONEST = 'tests/e2e/dishonest.test.ts';

export const VERIFICATION: readonly Failure[] = [
  {
    failure: 'More than one feature is claimed',
    detection: 'the feature list before and after the session is compared',
    response: 'all of it is refused, nothing lands, the next session tries again',
    ends: rejected('claim.multiple'),
    shown: { file: DISHONEST, test: 'claims two features' },
  },
  {
    failure: 'A feature other than the assigned one is claimed',
    detection: 'the feature list is compared',
    response: 'refused, nothing lands',
    ends: rejected('claim.wrong_feature'),
    shown: { file: DISHONEST, test: 'claims another feature than its own' },
  },
  {
    failure: "The feature's test fails",
    detection: "the harness runs the feature's test itself, in a clean room",
    response:
      'refused; the agent is told which tests failed and what they say: in the session, twice at most, where it can be answered, and in the next one',
    ends: rejected('test.failed'),
    shown: { file: DISHONEST, test: 'claims with a test that fails' },
  },
  {
    failure: 'A test proves nothing',
    detection: 'the test is run on the code from before the session and passes there',
    response: 'refused, nothing lands',
    ends: rejected('test.not_red'),
    shown: { file: DISHONEST, test: 'writes a test that proves nothing' },
  },
  {
    failure: 'An earlier test no longer passes',
    detection: 'the whole suite is compared with the baseline, after a re-run of what failed',
    response: 'refused at once; the branch was never touched, so there is nothing to roll back',
    ends: rejected('regression'),
    shown: { file: DISHONEST, test: 'breaks an accepted feature' },
  },
  {
    failure: 'No evidence is shown',
    detection: "the agent's text and tool output are searched for a run of the test file",
    response: 'refused, evidence is asked for',
    ends: rejected('claim.no_evidence'),
    shown: { file: DISHONEST, test: 'shows no evidence' },
  },
  {
    failure: 'Protected files are changed',
    detection: 'the candidate is compared with the trusted tree; the checks run with the trusted files',
    response: 'a person decides at a gate',
    ends: { outcome: 'needs_human', reason: 'tamper.tests' },
    shown: {
      file: 'tests/e2e/people.test.ts',
      test: 'a change to a protected file waits at a gate; accepting it lands exactly the candidate',
    },
  },
  {
    failure: 'New lint errors',
    detection: 'the lint command ends with an error on the candidate',
    response: 'a warning in the verdict; the next cleanup session is asked to fix them',
    ends: null,
    shown: { file: 'src/verify/judge.test.ts', test: 'lint that fails is a warning in an accepted verdict' },
  },
  {
    failure: 'A passing feature fails on the branch',
    detection: 'tests of the baseline are run on the current commit before a session, and again if they fail',
    response:
      'no agent starts; with a person’s yes the feature is set back, what it blocks is named, and the next session repairs it first',
    ends: { outcome: 'error', reason: 'env.baseline_broken' },
    shown: {
      file: 'tests/e2e/wheel-escalations.test.ts',
      test: 'a dependency that broke on the branch: exit 6 without an answer; repaired first with one, and what it blocks is named',
    },
  },
  {
    failure: 'All features are marked as passing, but the suite fails',
    detection: 'one last run of everything before the project is called complete',
    response: 'a person decides: reset what fails, investigate, abort',
    ends: { outcome: 'escalated', reason: 'test.failed' },
    shown: {
      file: 'tests/e2e/wheel-escalations.test.ts',
      test: '9. everything claimed, tests fail: exit 3; reset opens exactly the features whose tests fail, and they are repaired first',
    },
  },
];
