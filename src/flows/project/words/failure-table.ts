/**
 * What can go wrong, one row a failure: how it is noticed, what the harness does, what it is called, how the command ends, and the test
 * that makes it happen. The page docs/failures.md is made from this table.
 *
 * 1. `outcome` and `reason` are those of the session or run that the failure ends; null: the session goes on.
 * 2. The exit code is not written down but follows from them, as everywhere.
 */
import type { Outcome, Reason } from '../../../domain/reasons.ts';

export const CATEGORIES = ['Verification', 'Progress', 'Context', 'Environment', 'Provider', 'Git', 'GitHub'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface FailureRow {
  category: Category;
  failure: string;
  detection: string;
  response: string;
  ends: { outcome: Outcome; reason: Reason } | null;
  /** File and title of a test that provokes it for real. */
  shown: { file: string; test: string };
}

const DISHONEST = 'tests/e2e/dishonest.test.ts';
const PREFLIGHT = 'tests/e2e/preflight.test.ts';
const WATCH = 'tests/e2e/limits-watch.test.ts';
const ENVIRONMENT = 'src/kernel/flight/environment.test.ts';
const BACKEND = 'src/agents/anthropic/backend.test.ts';

export const FAILURES: readonly FailureRow[] = [
  row(
    'Verification',
    'More than one feature is claimed',
    'the feature list before and after the session is compared',
    'all of it is refused, nothing lands, the next session tries again',
    rejected('claim.multiple'),
    DISHONEST,
    'claims two features',
  ),
  row(
    'Verification',
    'Another feature than the assigned one is claimed',
    'the feature list is compared',
    'refused, nothing lands',
    rejected('claim.wrong_feature'),
    DISHONEST,
    'claims another feature than its own',
  ),
  row(
    'Verification',
    "The feature's test fails",
    "the harness runs the feature's test itself, in a clean room",
    'refused; the agent is told which tests failed and what they say: in the session, twice at most, where it can be answered, and in the next one',
    rejected('test.failed'),
    DISHONEST,
    'claims with a test that fails',
  ),
  row(
    'Verification',
    'A test proves nothing',
    'the test is run on the code from before the session and passes there',
    'refused, nothing lands',
    rejected('test.not_red'),
    DISHONEST,
    'writes a test that proves nothing',
  ),
  row(
    'Verification',
    'An earlier test no longer passes',
    'the whole suite is compared with the baseline, after a re-run of what failed',
    'refused at once; the branch was never touched, so there is nothing to roll back',
    rejected('regression'),
    DISHONEST,
    'breaks an accepted feature',
  ),
  row(
    'Verification',
    'No evidence is shown',
    "the agent's text and tool output are searched for a run of the test file",
    'refused, evidence is asked for',
    rejected('claim.no_evidence'),
    DISHONEST,
    'shows no evidence',
  ),
  row(
    'Verification',
    'Protected files are changed',
    'the candidate is compared with the trusted tree; the checks run with the trusted files',
    'a person decides at a gate',
    { outcome: 'needs_human', reason: 'tamper.tests' },
    'tests/e2e/people.test.ts',
    'a change to a protected file waits at a gate; accepting it lands exactly the candidate',
  ),
  row(
    'Verification',
    'Lint errors come in',
    'the lint command ends with an error on the candidate',
    'a warning in the verdict; the next cleanup session is given the point',
    null,
    'src/verify/judge.test.ts',
    'lint that fails is a warning in an accepted verdict',
  ),
  row(
    'Verification',
    'A passing feature fails on the branch',
    'tests of the baseline are run on the current commit before a session, and again if they fail',
    'no agent starts; with a person’s yes the feature is set back, what it blocks is named, and the next session repairs it first',
    { outcome: 'error', reason: 'env.baseline_broken' },
    'tests/e2e/wheel-escalations.test.ts',
    'a dependency that broke on the branch: exit 6 without an answer; repaired first with one, and what it blocks is named',
  ),
  row(
    'Verification',
    'All features claim to pass, the suite fails',
    'one last run of everything before the project is called complete',
    'a person decides: reset what fails, investigate, abort',
    { outcome: 'escalated', reason: 'test.failed' },
    'tests/e2e/wheel-escalations.test.ts',
    '9. everything claimed, tests fail: exit 3; reset opens exactly the features whose tests fail, and they are repaired first',
  ),

  row(
    'Progress',
    'No progress',
    'files, tests and commands are counted every so many tokens',
    'a hint first, then the session ends and its work is kept',
    partial('stuck'),
    WATCH,
    'an agent that reads and reads is told so once, then stopped as stuck',
  ),
  row(
    'Progress',
    'The same error again and again',
    'the telling line of each failed result is counted',
    'a hint that names the error, then the session ends',
    partial('repeated_error'),
    WATCH,
    'the same error again and again brings a hint that names it, then the end',
  ),
  row(
    'Progress',
    'The agent falls silent',
    'time since its last sign of life',
    'stopped and started once more, then the session ends',
    partial('stalled'),
    'tests/e2e/limits-stop.test.ts',
    'a silent agent is stopped, started once more and then ended; its work is kept',
  ),
  row(
    'Progress',
    'The session takes too long',
    'a clock that stands still while the provider lets wait',
    'a warning with the minutes left, then the session ends and its work is kept',
    partial('timeout'),
    WATCH,
    'the time limit warns the agent with the minutes left, then ends it',
  ),
  row(
    'Progress',
    'A feature is unfinished for several sessions',
    'sessions on the feature are counted in the state',
    'a person decides: split, by hand, skip, abort',
    { outcome: 'escalated', reason: 'claim.none' },
    'tests/e2e/partial.test.ts',
    'three unfinished sessions ask a person as well',
  ),
  row(
    'Progress',
    'A feature is refused several times',
    'refusals in a row are counted in the state',
    'a person decides: retry, skip, by hand, abort',
    { outcome: 'escalated', reason: 'test.failed' },
    'tests/e2e/partial.test.ts',
    'the third failure on a feature asks a person; Skip goes on with the next; nothing left asks again',
  ),

  row(
    'Context',
    'The window is filled to the first threshold',
    'tokens of the last request against the window',
    'the agent is told to plan its end',
    null,
    WATCH,
    'is noted at half, warned about at 75%, closed at 90% and full at 100%; the next session continues',
  ),
  row(
    'Context',
    'The window is filled to the second threshold',
    'the same count',
    'the agent is told to write down where it stands',
    null,
    WATCH,
    'is noted at half, warned about at 75%, closed at 90% and full at 100%; the next session continues',
  ),
  row(
    'Context',
    'The window is full',
    'the same count, or the provider says so',
    'the session ends, its work is kept, the next one continues it',
    partial('context_limit'),
    WATCH,
    'that the provider finds too small ends the session in the same way',
  ),
  row(
    'Context',
    'The agent wrote nothing down before the end',
    'the progress file of the kept work',
    'the harness adds the note itself',
    partial('context_limit'),
    'tests/e2e/partial.test.ts',
    'a full context ends the session, keeps the work and says so in the progress file',
  ),

  row(
    'Environment',
    'init fails',
    'its exit status',
    'reset runs, then init again, as often as the settings allow',
    null,
    PREFLIGHT,
    'a failing init.sh is repaired by reset.sh, and the session goes on',
  ),
  row(
    'Environment',
    'init still fails after reset',
    'its exit status',
    'no agent starts',
    failed('env.init_failed'),
    PREFLIGHT,
    'an init.sh that reset.sh does not help stops the run',
  ),
  row(
    'Environment',
    'reset fails',
    'its exit status',
    'no agent starts; a person repairs the environment or aborts',
    failed('env.reset_failed'),
    PREFLIGHT,
    'a failing reset.sh stops the run and asks a person',
  ),
  row(
    'Environment',
    'A port is taken, a container or a database is in a bad state',
    'init fails because of it',
    'what init had started is ended, then reset runs and init again; a port that stays taken is named with the process that holds it',
    null,
    ENVIRONMENT,
    'finds nothing running that the failed init had started, not even what left its group',
  ),
  row(
    'Environment',
    'The application does not answer',
    'the health check, for a while',
    'no agent starts',
    failed('env.unhealthy'),
    PREFLIGHT,
    'a failing health check stops the run',
  ),
  row(
    'Environment',
    'The agent cannot be started',
    'its program, its key or its settings are missing',
    'no session begins',
    failed('api.auth'),
    PREFLIGHT,
    'an agent that cannot be started stops the run before a session',
  ),

  row(
    'Provider',
    'Rate limit',
    'status 429',
    'waits longer each time, at most five minutes; a longer wait is left to the host, which shows the time',
    partial('usage_limit'),
    BACKEND,
    '429 is answered by waiting longer each time',
  ),
  row(
    'Provider',
    'Usage limit with a reset time',
    'the time that the agent names',
    'waited out in the same session; it counts neither as time nor as failure',
    null,
    'tests/e2e/limits-usage.test.ts',
    'is waited out in the running session and costs one call; work goes on within a second of the reset',
  ),
  row(
    'Provider',
    'Overloaded',
    'status 529',
    'three more tries after thirty seconds each, then the session ends and its work is kept',
    partial('api.unavailable'),
    BACKEND,
    '529 is tried three more times after thirty seconds each, then the provider is unavailable',
  ),
  row(
    'Provider',
    'No response',
    'silence before the headers or in the stream',
    'one more try, then the session ends and its work is kept',
    partial('api.unavailable'),
    BACKEND,
    'silence in the stream and before the headers is noticed and retried once',
  ),
  row(
    'Provider',
    'The provider stays away, or the agent program dies at once',
    'sessions that end so, one after the other, in a repeated run',
    'tried again with growing pauses, other features first; no feature is blamed; told when it lasts, ended after six hours',
    partial('api.unavailable'),
    'tests/e2e/limits-outage.test.ts',
    'one that lasts is told, and ends the run with 10 after six hours',
  ),
  row(
    'Provider',
    'The key is refused',
    'status 401',
    'the session ends and says which variable to set',
    partial('api.auth'),
    'tests/e2e/model.test.ts',
    'a key that is refused is said to be so, and nothing changes',
  ),
  row(
    'Provider',
    'A malformed response',
    'it cannot be parsed, or ends in the middle',
    'one more try with the same request, then the session ends',
    partial('api.unavailable'),
    BACKEND,
    'a half reply is never sent back: the retried request is the same, byte for byte',
  ),
  row(
    'Provider',
    'A budget is used up',
    'costs are added up and estimated before each request',
    'the request is not sent, the work is kept; a person raises the limit, pauses or aborts',
    partial('budget.session'),
    WATCH,
    '%s: a request that would go over it is not sent, the work is kept and the exit code is 5',
  ),

  row(
    'Git',
    'A merge or another operation is unfinished',
    "git's own marks",
    'no agent starts; nothing is stashed over a conflict',
    failed('git.conflict'),
    'src/workspace/home.test.ts',
    'a detached head and an unfinished merge with conflicts are seen',
  ),
  row(
    'Git',
    'Files of the user are in the way of a commit',
    'the landing is tried on a copy of the index first',
    'nothing lands, the work is kept',
    partial('git.conflict'),
    'src/workspace/land.test.ts',
    '%s in the way is a conflict, and nothing changes',
  ),
  row(
    'Git',
    'The branch moved during the session',
    'compare and swap',
    'the work is brought onto the new commit and judged again there; where it cannot be, nothing lands and it is kept',
    partial('git.moved'),
    'tests/e2e/git-edges.test.ts',
    'what breaks the work there is found: it does not land, and is kept',
  ),
  row(
    'Git',
    'Tracked files are modified',
    'git status',
    'no agent starts; with git.on_dirty: stash they are set aside and given back',
    failed('git.dirty'),
    PREFLIGHT,
    'a modified tracked file stops the run; untracked files never do',
  ),
  row(
    'Git',
    'HEAD is detached',
    'git status',
    'no agent starts; which branch to work on is for a person to say',
    failed('git.detached'),
    PREFLIGHT,
    'a detached HEAD stops the run',
  ),
  row(
    'Git',
    'A push is rejected',
    "git's exit status",
    'the commit is brought onto what the remote has, everything is run again there, and the push is tried once more; then the project is paused',
    null,
    'tests/e2e/git-edges.test.ts',
    'a rejected push is brought onto what others pushed, run again there, and tried once more',
  ),
  row(
    'Git',
    'A commit hook refuses or changes the commit',
    'with git.hooks: the hook runs on a copy of the judged tree, in its trusted version',
    'nothing lands, the work is kept',
    partial('git.hook'),
    'tests/e2e/git-edges.test.ts',
    'one that fails refuses the commit, with its words',
  ),

  row(
    'GitHub',
    'Rate limit',
    'status 403 or 429 with the header',
    'waits for the reset, then goes on',
    null,
    'src/github/sync.test.ts',
    'waits %s out and goes on',
  ),
  row(
    'GitHub',
    'An issue is not found',
    'status 404',
    'creates it or leaves it, as the settings say',
    null,
    'src/github/sync.test.ts',
    'makes a deleted issue anew, or leaves it out where missing ones are not created',
  ),
  row(
    'GitHub',
    'No connection',
    'the connection fails',
    'three tries, then goes on without the mirror; the next sync makes it up',
    null,
    'src/github/sync.test.ts',
    'gives up after three tries without a connection, and makes it up the next time',
  ),
  row(
    'GitHub',
    'The token has expired',
    'status 401',
    'a warning, then goes on without the mirror',
    null,
    'tests/e2e/sync.test.ts',
    'a sync that fails is a warning, the session stands, and the next one makes it up',
  ),
];

function row(
  category: Category,
  failure: string,
  detection: string,
  response: string,
  ends: FailureRow['ends'],
  file: string,
  test: string,
): FailureRow {
  return { category, failure, detection, response, ends, shown: { file, test } };
}

function rejected(reason: Reason): FailureRow['ends'] {
  return { outcome: 'rejected', reason };
}

function partial(reason: Reason): FailureRow['ends'] {
  return { outcome: 'partial', reason };
}

function failed(reason: Reason): FailureRow['ends'] {
  return { outcome: 'error', reason };
}
