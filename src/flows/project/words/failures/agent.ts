/** What can go wrong with an agent and with those who serve it. */
import { partial, type Failure } from './failure.ts';

const WATCH = 'tests/e2e/limits-watch.test.ts';
const BACKEND = 'src/agents/anthropic/backend.test.ts';

export const PROGRESS: readonly Failure[] = [
  {
    failure: 'No progress',
    detection: 'files, tests and commands are counted at intervals of tokens',
    response: 'a hint first, then the agent writes down what blocks it; the session ends and its work is kept',
    ends: partial('stuck'),
    shown: { file: WATCH, test: 'an agent that reads and reads is told so, writes down what blocks it, and is stopped as stuck' },
  },
  {
    failure: 'The same error again and again',
    detection: 'the line that identifies each failed result is counted',
    response: 'a hint that names the error, then the session ends',
    ends: partial('repeated_error'),
    shown: { file: WATCH, test: 'the same error again and again brings a hint that names it, then the end' },
  },
  {
    failure: 'The agent falls silent',
    detection: 'time since its last sign of life',
    response: 'stopped and started once more, then the session ends',
    ends: partial('stalled'),
    shown: { file: 'tests/e2e/limits-stop.test.ts', test: 'a silent agent is stopped, started once more and then ended; its work is kept' },
  },
  {
    failure: 'The session takes too long',
    detection: 'a clock that stops while the provider makes the session wait',
    response: 'a warning with the minutes left, then the session ends and its work is kept',
    ends: partial('timeout'),
    shown: { file: WATCH, test: 'the time limit warns the agent with the minutes left, then ends it' },
  },
  {
    failure: 'A feature is unfinished for several sessions',
    detection: 'sessions on the feature are counted in the state',
    response: 'a person decides: split, by hand, skip, abort',
    ends: { outcome: 'escalated', reason: 'claim.none' },
    shown: { file: 'tests/e2e/partial.test.ts', test: 'three unfinished sessions ask a person as well' },
  },
  {
    failure: 'A feature is refused several times',
    detection: 'refusals in a row are counted in the state',
    response: 'a person decides: retry, skip, by hand, abort',
    ends: { outcome: 'escalated', reason: 'test.failed' },
    shown: {
      file: 'tests/e2e/partial.test.ts',
      test: 'the third failure on a feature asks a person; Skip goes on with the next; nothing left asks again',
    },
  },
];

export const CONTEXT: readonly Failure[] = [
  {
    failure: 'The window is filled to the first threshold',
    detection: 'tokens of the last request against the window',
    response: 'the agent is told to plan its end',
    ends: null,
    shown: { file: WATCH, test: 'is noted at half, warned about at 75%, closed at 90% and full at 100%; the next session continues' },
  },
  {
    failure: 'The window is filled to the second threshold',
    detection: 'the same count',
    response: 'the agent is told to write down where it stands',
    ends: null,
    shown: { file: WATCH, test: 'is noted at half, warned about at 75%, closed at 90% and full at 100%; the next session continues' },
  },
  {
    failure: 'The window is full',
    detection: 'the same count, or the provider says so',
    response: 'the session ends, its work is kept, the next one continues it',
    ends: partial('context_limit'),
    shown: { file: WATCH, test: 'that the provider finds too small ends the session in the same way' },
  },
  {
    failure: 'The agent wrote nothing down before the end',
    detection: 'the progress file of the kept work',
    response: 'the harness adds the note itself',
    ends: partial('context_limit'),
    shown: { file: 'tests/e2e/partial.test.ts', test: 'a full context ends the session, keeps the work and says so in the progress file' },
  },
];

export const PROVIDER: readonly Failure[] = [
  {
    failure: 'Rate limit',
    detection: 'status 429',
    response: 'waits longer each time, at most five minutes; a longer wait is left to the host, which shows the time',
    ends: partial('usage_limit'),
    shown: { file: BACKEND, test: '429 is answered by waiting longer each time' },
  },
  {
    failure: 'Usage limit with a reset time',
    detection: 'the time that the agent names',
    response: 'waited out in the same session; it counts neither as time nor as failure',
    ends: null,
    shown: {
      file: 'tests/e2e/limits-usage.test.ts',
      test: 'is waited out in the running session and costs one call; work goes on within a second of the reset',
    },
  },
  {
    failure: 'Overloaded',
    detection: 'status 529',
    response: 'three more tries after thirty seconds each, then the session ends and its work is kept',
    ends: partial('api.unavailable'),
    shown: { file: BACKEND, test: '529 is tried three more times after thirty seconds each, then the provider is unavailable' },
  },
  {
    failure: 'No response',
    detection: 'silence before the headers or in the stream',
    response: 'one more try, then the session ends and its work is kept',
    ends: partial('api.unavailable'),
    shown: { file: BACKEND, test: 'silence in the stream and before the headers is noticed and retried once' },
  },
  {
    failure: 'The provider is away for long, or the agent program dies at once',
    detection: 'sessions in a row that end like this in a repeated run',
    response:
      'tried again with growing pauses, other features first; counts against no feature; a person is told when it lasts; the run ends after six hours',
    ends: partial('api.unavailable'),
    shown: { file: 'tests/e2e/limits-outage.test.ts', test: 'one that lasts is told, and ends the run with 10 after six hours' },
  },
  {
    failure: 'The key is refused',
    detection: 'status 401',
    response: 'the session ends and says which variable to set',
    ends: partial('api.auth'),
    shown: { file: 'tests/e2e/model.test.ts', test: 'a key that is refused is said to be so, and nothing changes' },
  },
  {
    failure: 'A malformed response',
    detection: 'it cannot be parsed, or ends in the middle',
    response: 'one more try with the same request, then the session ends',
    ends: partial('api.unavailable'),
    shown: { file: BACKEND, test: 'a half reply is never sent back: the retried request is the same, byte for byte' },
  },
  {
    failure: 'A budget is used up',
    detection: 'costs are added up and estimated before each request',
    response: 'the request is not sent, the work is kept; a person raises the limit, pauses or aborts',
    ends: partial('budget.session'),
    shown: { file: WATCH, test: '%s: a request that would go over it is not sent, the work is kept and the exit code is 5' },
  },
];
