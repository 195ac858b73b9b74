/**
 * Every way in which the provider's API fails, put on the wire and met by a whole `harness run` of the built-in loop.
 *
 * 1. What is retried goes on to the end, with the calls that the table allows; what is not ends with the reason and the code of the table.
 * 2. A partial message is never kept: the request after a broken stream is byte for byte the request before it.
 * 3. Long waits pass fifty times as fast; the waits themselves are read from the events.
 */
import { describe, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { eventsOf, git, startHarness, type Run } from '../e2e/support.ts';
import { HONEST_STEPS, projectOnWire, type Wired, type WireStep } from '../e2e/wire.ts';

type Fault = NonNullable<WireStep['fault']>;

const SPEED = 50;

/** The work without the claim, unless asked for: most faults need no judge. */
async function runWith(fault: Fault, claimed = false): Promise<Wired & { run: Run; waits: number[] }> {
  const steps = claimed ? HONEST_STEPS : HONEST_STEPS.filter((_, index) => index !== 2);
  const wired = await projectOnWire(steps.map((step, index) => (index === 1 ? { ...step, fault } : step)));
  const run = await startHarness(wired.scene, ['run', '--json'], { HARNESS_TEST_CLOCK_SPEED: String(SPEED) }).ended;
  const waits = eventsOf(run, 'session.limit').flatMap((event) =>
    event['until'] === undefined ? [] : [Math.round((Date.parse(event['until'] as string) - Date.parse(event.ts)) / 1_000)],
  );
  return { ...wired, run, waits };
}

/** A moment of the machine is a second of the fast clock: waits are told apart, not timed. */
function about(seconds: number): unknown {
  return {
    asymmetricMatch: (wait: unknown) => typeof wait === 'number' && wait <= seconds + 1 && wait >= seconds - 4,
    toString: () => `about ${seconds}`,
  };
}

/** `npm test` takes every second row. */
function some<Row>(rows: readonly Row[]): Row[] {
  return rows.filter((_row, index) => isLong || index % 2 === 0);
}

describe('a failure that passes', () => {
  const rows: [string, Fault, { failures: number; waits: number[] }][] = [
    [
      '429 with retry-after is retried when it says',
      { kind: 'status', status: 429, retry_after: 60, times: 2 },
      { failures: 2, waits: [60, 60] },
    ],
    [
      '429 with a date is retried then',
      { kind: 'status', status: 429, retry_after: new Date(0).toUTCString(), times: 1 },
      { failures: 1, waits: [0] },
    ],
    ['429 without it is retried with growing waits', { kind: 'status', status: 429, times: 3 }, { failures: 3, waits: [5, 10, 20] }],
    ['529 is retried after 30 seconds, three times', { kind: 'status', status: 529, times: 3 }, { failures: 3, waits: [30, 30, 30] }],
    ['500 is retried once', { kind: 'status', status: 500 }, { failures: 1, waits: [1] }],
    ['a closed connection is retried once', { kind: 'reset' }, { failures: 1, waits: [1] }],
    ['silence inside the stream is cut off and retried once', { kind: 'stall' }, { failures: 1, waits: [1] }],
    ['a cut inside the stream is retried once', { kind: 'cut', after_events: 4 }, { failures: 1, waits: [1] }],
    ['a stream without its end is retried once', { kind: 'truncated' }, { failures: 1, waits: [1] }],
    ['an event that is no JSON is retried once', { kind: 'malformed' }, { failures: 1, waits: [1] }],
    [
      'an error inside the stream is retried like its status',
      { kind: 'stream_error', error: 'overloaded_error' },
      { failures: 1, waits: [30] },
    ],
  ];
  test.each(some(rows))('%s', async (_, fault, expected) => {
    const { run, server, waits } = await runWith(fault);
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['claim.none'] } });
    expect(eventsOf(run, 'agent.text').at(-1)).toMatchObject({ text: 'Subtraction works.' });
    expect(waits).toEqual(expected.waits.map(about));
    expect(server.requests).toHaveLength(3 + expected.failures);
    for (let again = 0; again < expected.failures; again += 1) expect(server.requests[2 + again]?.raw).toBe(server.requests[1]?.raw);
  });

  test('silence before the headers is cut off after two minutes and retried once', async () => {
    const { run, server, waits } = await runWith({ kind: 'delay', ms: 8_000 }, true);
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    expect(waits).toEqual([about(1)]);
    expect(server.requests[2]?.raw).toBe(server.requests[1]?.raw);
  });
});

describe('a failure that stays', () => {
  const rows: [string, Fault, { code: number; outcome: string; reason: string; calls: number }][] = [
    [
      '529 for longer than three tries ends the session as partial',
      { kind: 'status', status: 529, times: 99 },
      { code: 10, outcome: 'partial', reason: 'api.unavailable', calls: 4 },
    ],
    [
      '500 twice ends it',
      { kind: 'status', status: 500, times: 99 },
      { code: 10, outcome: 'partial', reason: 'api.unavailable', calls: 2 },
    ],
    [
      'connections closed twice end it',
      { kind: 'reset', times: 99 },
      { code: 10, outcome: 'partial', reason: 'api.unavailable', calls: 2 },
    ],
    ['a stalled stream twice ends it', { kind: 'stall', times: 99 }, { code: 10, outcome: 'partial', reason: 'api.unavailable', calls: 2 }],
    ['a cut stream twice ends it', { kind: 'cut', times: 99 }, { code: 10, outcome: 'partial', reason: 'api.unavailable', calls: 2 }],
    ['broken events twice end it', { kind: 'malformed', times: 99 }, { code: 10, outcome: 'partial', reason: 'api.unavailable', calls: 2 }],
    ['401 ends it at once', { kind: 'status', status: 401, times: 99 }, { code: 6, outcome: 'partial', reason: 'api.auth', calls: 1 }],
    ['403 ends it at once', { kind: 'status', status: 403, times: 99 }, { code: 6, outcome: 'partial', reason: 'api.auth', calls: 1 }],
    [
      'a prompt that is too long ends it at once',
      { kind: 'context_too_long', times: 99 },
      { code: 10, outcome: 'partial', reason: 'context_limit', calls: 1 },
    ],
    [
      'a request that the provider calls invalid ends it at once',
      { kind: 'status', status: 400, times: 99 },
      { code: 10, outcome: 'partial', reason: 'agent.failed', calls: 1 },
    ],
  ];
  test.each(some(rows))('%s, with the work so far kept', async (_, fault, expected) => {
    const { scene, run, server } = await runWith(fault);
    expect(run, run.stdout + run.stderr).toMatchObject({
      code: expected.code,
      last: { outcome: expected.outcome, reasons: [expected.reason] },
    });
    expect(server.requests).toHaveLength(1 + expected.calls);
    expect(await git(scene, 'show', 'refs/harness/wip/2:src/subtract.js')).toContain('subtract');
    expect(await git(scene, 'diff', '--stat', 'HEAD')).toBe('');
  });
});

test('a stop reason that nobody knows ends the turn with a warning, and the claim is judged as ever', async () => {
  const { scene } = await projectOnWire(HONEST_STEPS.map((step, index) => (index === 3 ? { ...step, stop_reason: 'quantum_flux' } : step)));
  const run = await startHarness(scene, ['run', '--json']).ended;
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(eventsOf(run, 'warning').map((event) => event['message'])).toContainEqual(expect.stringContaining('quantum_flux'));
});

test('a reply cut at the output limit is continued, and its half tool call is not carried out', async () => {
  const cut: WireStep = { text: 'I wr', tools: [], stop_reason: 'max_tokens' };
  const { scene, server } = await projectOnWire([cut, ...HONEST_STEPS]);
  const run = await startHarness(scene, ['run', '--json']).ended;
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(server.requests[1]?.raw).toContain('cut at the output limit');
});

test('a key that is missing is said before any request', async () => {
  const { scene, server } = await projectOnWire(HONEST_STEPS);
  const run = await startHarness(scene, ['run', '--json'], { ANTHROPIC_API_KEY: '' }).ended;
  expect(run, run.stderr).toMatchObject({ code: 6, last: { reasons: ['api.auth'] } });
  expect(run.last?.['message']).toContain('ANTHROPIC_API_KEY');
  expect(server.requests).toEqual([]);
});
