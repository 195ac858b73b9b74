import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Reason } from '../../../domain/reasons.ts';
import type { Flight } from '../../../domain/session.ts';
import type { Brief } from '../contract.ts';
import { newLive } from '../live.ts';
import type { FlightEvent } from '../machine.ts';
import { writeBaseline } from '../memory-files.ts';
import { openFlightBench, type FlightBench } from '../test-support.ts';
import { readVerdict } from '../verdict-files.ts';
import { judge } from './judge.ts';

let bench: FlightBench;
beforeAll(async () => void (bench = await openFlightBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const CLEANUP: Partial<Brief> = { feature: null, kind: 'cleanup' };

/** Captured so; `brief` says what for. */
async function judged(
  files: Record<string, string | null>,
  change: Partial<Flight> = {},
  brief: Partial<Brief> = {},
): Promise<FlightEvent> {
  const tree = await bench.tree(files);
  return await judge(bench.place, bench.flight({ phase: 'captured', tree, ...change }), bench.brief(brief));
}

function stopped(reason: Reason, change: Partial<NonNullable<Flight['stop']>> = {}): NonNullable<Flight['stop']> {
  return { reason, message: `because of ${reason}`, retry_at: null, never_started: false, died_at_once: false, ...change };
}

describe('work that makes no claim', () => {
  const claims = async (): Promise<boolean> => false;

  test('is not judged', async () => {
    expect(await judged({ 'src/new.txt': 'new\n' }, {}, { claims })).toEqual({
      type: 'unclaimed',
      reason: 'claim.none',
      message: 'the agent ended without a claim',
      outage: false,
    });
    expect(bench.told('verify.start')).toEqual([]);
  });

  test('says why its agent was stopped', async () => {
    expect(await judged({}, { stop: stopped('timeout') }, { claims })).toMatchObject({ reason: 'timeout', message: 'because of timeout' });
  });

  test("has the agent's own word for it where the claim stands in the reply", async () => {
    const word = { claims: false, message: 'I could not find the file.' };
    expect(await judged({}, { word }, { list: null })).toMatchObject({ type: 'unclaimed', message: 'I could not find the file.' });
    expect(await judged({}, { word: null }, { list: null })).toMatchObject({ type: 'unclaimed' });
  });

  test.each<[string, NonNullable<Flight['stop']>, boolean]>([
    ['the provider was away', stopped('api.unavailable'), true],
    ['its program died at once and left nothing', stopped('agent.failed', { died_at_once: true }), true],
    ['its program failed later', stopped('agent.failed'), false],
    ['it never started', stopped('api.unavailable', { never_started: true }), false],
  ])('is an outage or not where %s', async (_, stop, outage) => {
    bench.place.live.set(1, { ...newLive(), startTree: bench.head().tree });
    expect(await judged({}, { stop }, { claims })).toMatchObject({ type: 'unclaimed', outage });
  });

  test('is no outage where it died at once but left something', async () => {
    bench.place.live.set(1, { ...newLive(), startTree: bench.head().tree });
    const stop = stopped('agent.failed', { died_at_once: true });
    expect(await judged({ 'src/new.txt': 'new\n' }, { stop }, { claims })).toMatchObject({ outage: false });
  });
});

describe('a claim', () => {
  test.each<Reason>(['interrupted', 'user_pause', 'api.auth', 'api.unavailable', 'usage_limit', 'stalled'])(
    'is not judged after %s',
    async (reason) => {
      expect(await judged({ 'src/new.txt': 'new\n' }, { stop: stopped(reason) })).toMatchObject({ type: 'unclaimed', reason });
    },
  );

  test('that was refused already is refused again without a run', async () => {
    const tree = await bench.tree({ 'src/new.txt': 'new\n' });
    await bench.verdict({ decision: 'rejected', reasons: ['test.failed'], candidate_tree: 'judged' });
    const event = await judged({ 'src/new.txt': 'new\n' }, { refused: { tree, verdict: 'v1' } });
    expect(event).toEqual({
      type: 'judged',
      verdict: 'v1',
      decision: 'rejected',
      reasons: ['test.failed'],
      message: '',
      tree: 'judged',
      answerable: false,
    });
    expect(bench.told('verify.start')).toEqual([]);
  });
});

describe('a cleanup', () => {
  test('that keeps everything is accepted, and its verdict is on the disk', async () => {
    const event = (await judged({ 'src/old.txt': 'old, but tidy\n' }, { feature: null }, CLEANUP)) as Extract<
      FlightEvent,
      { type: 'judged' }
    >;
    expect(event).toMatchObject({ type: 'judged', decision: 'accepted', reasons: [], answerable: false });
    expect(await readVerdict(bench.place, event.verdict)).toMatchObject({ decision: 'accepted', candidate_tree: event.tree, session: 1 });
    expect(bench.told('verify.result')).toMatchObject([{ session: 1, decision: 'accepted', verdict: event.verdict }]);
  });

  test('that breaks a test is refused, and told with its reason', async () => {
    const event = await judged({ 'src/old.txt': 'quite different\n' }, { feature: null }, CLEANUP);
    expect(event).toMatchObject({ type: 'judged', decision: 'rejected' });
    expect((event as { message: string }).message).not.toBe('');
  });

  test('gives the same verdict again after a crash, and says that it is judged now', async () => {
    const first = await judged({ 'src/old.txt': 'old, but tidy\n' }, { feature: null }, CLEANUP);
    const again = await judged({ 'src/old.txt': 'old, but tidy\n' }, { feature: null, cut_off: 'captured' }, CLEANUP);
    expect({ ...again, verdict: '' }).toEqual({ ...first, verdict: '' });
    expect(bench.told('state.recovered')).toMatchObject([{ action: 'its claim is judged now' }]);
  });

  test('after a limit is not judged at all', async () => {
    expect(await judged({ 'src/old.txt': 'old!\n' }, { feature: null, stop: stopped('timeout') }, CLEANUP)).toMatchObject({
      type: 'unclaimed',
    });
  });
});

test('on a moved branch whose own tests fail nothing is judged: the work is kept', async () => {
  const { commit, tree } = bench.head();
  const passing_tests = ['(suite)::suite'];
  await writeBaseline(bench.place, { session: 0, commit, tree, runner: 'exit-code', passing_tests, total_passing: 1, total_tests: 1 });
  bench.commit({ 'src/old.txt': 'theirs\n' });
  const event = await judged({ 'src/new.txt': 'new\n' }, { moves: 1, feature: null }, CLEANUP);
  expect(event).toMatchObject({ type: 'stranded', reason: 'git.moved' });
  expect((event as { message: string }).message).toContain('tests that passed before fail on its new commit ((suite)::suite)');
});
