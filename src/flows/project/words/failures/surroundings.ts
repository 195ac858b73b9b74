/** What can go wrong around a session: the project's environment, its repository, its mirror. */
import { failed, partial, type Failure } from './failure.ts';

const PREFLIGHT = 'tests/e2e/preflight.test.ts';
const ENVIRONMENT_TEST = 'src/kernel/flight/environment.test.ts';

export const ENVIRONMENT: readonly Failure[] = [
  {
    failure: 'init fails',
    detection: 'its exit status',
    response: 'reset runs, then init again, as often as the settings allow',
    ends: null,
    shown: { file: PREFLIGHT, test: 'a failing init.sh is repaired by reset.sh, and the session goes on' },
  },
  {
    failure: 'init still fails after reset',
    detection: 'its exit status',
    response: 'no agent starts',
    ends: failed('env.init_failed'),
    shown: { file: PREFLIGHT, test: 'an init.sh that reset.sh does not help stops the run' },
  },
  {
    failure: 'reset fails',
    detection: 'its exit status',
    response: 'no agent starts; a person repairs the environment or aborts',
    ends: failed('env.reset_failed'),
    shown: { file: PREFLIGHT, test: 'a failing reset.sh stops the run and asks a person' },
  },
  {
    failure: 'A port is taken, a container or a database is in a bad state',
    detection: 'init fails because of it',
    response:
      'what init had started is ended, then reset runs and init again; a port that stays taken is named with the process that holds it',
    ends: null,
    shown: { file: ENVIRONMENT_TEST, test: 'finds nothing running that the failed init had started, not even what left its group' },
  },
  {
    failure: 'The application does not answer',
    detection: 'the health check, for a while',
    response: 'no agent starts',
    ends: failed('env.unhealthy'),
    shown: { file: PREFLIGHT, test: 'a failing health check stops the run' },
  },
  {
    failure: 'The agent cannot be started',
    detection: 'its program, its key or its settings are missing',
    response: 'no session begins',
    ends: failed('api.auth'),
    shown: { file: PREFLIGHT, test: 'an agent that cannot be started stops the run before a session' },
  },
];

export const GIT: readonly Failure[] = [
  {
    failure: 'A merge or another operation is unfinished',
    detection: "git's own marks",
    response: 'no agent starts; nothing is stashed over a conflict',
    ends: failed('git.conflict'),
    shown: { file: 'src/workspace/home.test.ts', test: 'a detached head and an unfinished merge with conflicts are seen' },
  },
  {
    failure: 'Files of the user are in the way of a commit',
    detection: 'the landing is tried on a copy of the index first',
    response: 'nothing lands, the work is kept',
    ends: partial('git.conflict'),
    shown: { file: 'src/workspace/land.test.ts', test: '%s in the way is a conflict, and nothing changes' },
  },
  {
    failure: 'The branch moved during the session',
    detection: 'compare and swap',
    response: 'the work is brought onto the new commit and judged again there; where it cannot be, nothing lands and it is kept',
    ends: partial('git.moved'),
    shown: { file: 'tests/e2e/git-edges.test.ts', test: 'what breaks the work there is found: it does not land, and is kept' },
  },
  {
    failure: 'Tracked files are modified',
    detection: 'git status',
    response: 'no agent starts; with git.on_dirty: stash they are set aside and given back',
    ends: failed('git.dirty'),
    shown: { file: PREFLIGHT, test: 'a modified tracked file stops the run; untracked files never do' },
  },
  {
    failure: 'HEAD is detached',
    detection: 'git status',
    response: 'no agent starts; which branch to work on is for a person to say',
    ends: failed('git.detached'),
    shown: { file: PREFLIGHT, test: 'a detached HEAD stops the run' },
  },
  {
    failure: 'A push is rejected',
    detection: "git's exit status",
    response:
      'the commit is brought onto what the remote has, everything is run again there, and the push is tried once more; then the project is paused',
    ends: null,
    shown: {
      file: 'tests/e2e/git-edges.test.ts',
      test: 'a rejected push is brought onto what others pushed, run again there, and tried once more',
    },
  },
  {
    failure: 'A commit hook refuses or changes the commit',
    detection: 'with git.hooks: the hook runs on a copy of the judged tree, in its trusted version',
    response: 'nothing lands, the work is kept',
    ends: partial('git.hook'),
    shown: { file: 'tests/e2e/git-edges.test.ts', test: 'one that fails refuses the commit, with its words' },
  },
];

export const GITHUB: readonly Failure[] = [
  {
    failure: 'Rate limit',
    detection: 'status 403 or 429 with the header',
    response: 'waits for the reset, then continues',
    ends: null,
    shown: { file: 'src/github/sync.test.ts', test: 'waits %s out and goes on' },
  },
  {
    failure: 'An issue is not found',
    detection: 'status 404',
    response: 'creates it or leaves it out, as the settings say',
    ends: null,
    shown: { file: 'src/github/sync.test.ts', test: 'makes a deleted issue anew, or leaves it out where missing ones are not created' },
  },
  {
    failure: 'No connection',
    detection: 'the connection fails',
    response: 'three tries, then continues without the mirror; the next sync catches up',
    ends: null,
    shown: { file: 'src/github/sync.test.ts', test: 'gives up after three tries without a connection, and makes it up the next time' },
  },
  {
    failure: 'The token has expired',
    detection: 'status 401',
    response: 'a warning, then continues without the mirror',
    ends: null,
    shown: { file: 'tests/e2e/sync.test.ts', test: 'a sync that fails is a warning, the session stands, and the next one makes it up' },
  },
];
