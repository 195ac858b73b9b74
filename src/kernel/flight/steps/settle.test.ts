import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Flight, FlightEnd } from '../../../domain/session.ts';
import { stashChanges } from '../../../workspace/home.ts';
import { STASH_MESSAGE } from '../leftovers.ts';
import { newLive } from '../live.ts';
import { openFlightBench, type FlightBench } from '../test-support.ts';
import { settle } from './settle.ts';

let bench: FlightBench;
beforeAll(async () => void (bench = await openFlightBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const WIP = 'refs/harness/wip/1';

/** Ended so, with work in its tree. */
async function ended(end: Partial<FlightEnd>, change: Partial<Flight> = {}): Promise<Flight> {
  const tree = await bench.tree({ 'src/new.txt': 'new\n', 'features.json': '{"claims": "everything"}\n' });
  return bench.flight({
    phase: 'settling',
    tree,
    end: { kind: 'partial', reasons: ['claim.none'], message: '', outage: false, ...end },
    ...change,
  });
}

const stopped = (reason: NonNullable<Flight['stop']>['reason']): Flight['stop'] => ({
  reason,
  message: '',
  retry_at: null,
  never_started: false,
  died_at_once: false,
});

describe('unfinished work', () => {
  test('is kept on its base with the trusted list, and the same when that is done again', async () => {
    const flight = await ended({});
    const landed = await settle(bench.place, flight, bench.brief());
    expect(landed.kept).toMatchObject({ feature: 1, ref: WIP, session: 1, tree: await bench.tree({ 'src/new.txt': 'new\n' }) });
    expect(bench.git('rev-parse', `${WIP}^{tree}`, `${WIP}^`).split('\n')).toEqual([landed.kept!.tree, flight.base]);
    expect((await settle(bench.place, { ...flight, cut_off: 'settling' }, bench.brief())).kept).toEqual(landed.kept);
    expect(bench.told('state.recovered')).toMatchObject([{ what: 'session 1, cut off while settling', action: 'its end is recorded' }]);
  });

  test.each<[string, Partial<FlightEnd>, Partial<Flight>, boolean]>([
    ['partial', {}, {}, true],
    ['cut off', { kind: 'cut_off', reasons: ['interrupted'] }, { cut_off: 'working' }, true],
    ['verified', { kind: 'verified', reasons: [] }, {}, false],
    ['waiting for a person', { kind: 'needs_human', reasons: ['tamper.tests'] }, {}, false],
    ['refused', { kind: 'rejected', reasons: ['test.failed'] }, {}, false],
    ['refused by tests alone after a limit', { kind: 'rejected', reasons: ['test.failed', 'timeout'] }, { stop: stopped('timeout') }, true],
    [
      'refused for tampering after a limit',
      { kind: 'rejected', reasons: ['tamper.tests', 'timeout'] },
      { stop: stopped('timeout') },
      false,
    ],
    ['refused when its agent failed', { kind: 'rejected', reasons: ['test.failed'] }, { stop: stopped('agent.failed') }, false],
    [
      'accepted by a person and not landed',
      { reasons: ['git.moved'] },
      { checkpoint: null, accepted: { verdict: 'v1', base: 'b', tree: 't' } },
      true,
    ],
    ['accepted by a person, nobody knows from what', { reasons: ['git.moved'] }, { checkpoint: null }, false],
  ])('of a flight that was %s', async (_, end, change, isKept) => {
    const landed = await settle(bench.place, await ended(end, change), bench.brief());
    expect(landed.kept !== null).toBe(isKept);
    expect(bench.told('wip.saved')).toHaveLength(isKept ? 1 : 0);
  });

  test('that says nothing but what the base says is none', async () => {
    const flight = await ended({}, { tree: await bench.tree({ 'features.json': '{"claims": "everything"}\n' }) });
    expect((await settle(bench.place, flight, bench.brief())).kept).toBeNull();
    expect((await settle(bench.place, { ...flight, tree: null }, bench.brief())).kept).toBeNull();
  });

  test('names the places of a conflict for the next session', async () => {
    const flight = await ended({ reasons: ['git.moved'] }, { conflict: ['src/old.txt'] });
    expect((await settle(bench.place, flight, bench.brief())).kept).toMatchObject({ conflict: ['src/old.txt'] });
  });

  test('after a limit has a note in the progress file, and the prefix of the settings', async () => {
    const { kept } = await settle(bench.place, await ended({ reasons: ['timeout'] }), bench.brief());
    expect(bench.git('show', `${kept!.tree}:claude-progress.txt`)).toMatch(
      /^begun\n\nSESSION TERMINATED: session 1 on feature #1 .*time limit/,
    );
    expect(kept!.message).toContain('feature #1: Says something new');
  });

  test('is not kept after a limit where the settings say so', async () => {
    const { config } = bench.place;
    const careless = {
      ...bench.place,
      config: { ...config, session: { ...config.session, on_timeout: { ...config.session.on_timeout, auto_commit: false } } },
    };
    expect((await settle(careless, await ended({ reasons: ['timeout'] }), bench.brief())).kept).toBeNull();
    expect((await settle(careless, await ended({ reasons: ['stuck'] }), bench.brief())).kept).not.toBeNull();
  });
});

describe('the end of a flight', () => {
  test('is told where somebody died over it', async () => {
    const cut = { kind: 'cut_off' as const, reasons: ['interrupted' as const] };
    await settle(bench.place, await ended(cut, { cut_off: 'working' }), bench.brief());
    await settle(bench.place, await ended(cut, { cut_off: 'working', tree: null }), bench.brief());
    expect(bench.told('state.recovered').map(({ action }) => action)).toEqual([
      `its work is kept under ${WIP}`,
      'closed: there was no work to keep',
    ]);
  });

  test('lets nothing live on, and gives back what was set aside once nobody flies any more', async () => {
    bench.write({ 'src/old.txt': 'old, and mine\n' });
    const stash = await stashChanges(bench.platform, bench.place.home, STASH_MESSAGE);
    bench.place.live.set(1, { ...newLive(), stash });
    bench.place.live.set(2, newLive());
    await settle(bench.place, await ended({}), bench.brief());
    expect([bench.read('src/old.txt'), bench.place.live.get(2)?.stash]).toEqual(['old\n', stash]);
    await settle(bench.place, await ended({}, { session: 2 }), bench.brief());
    expect([bench.read('src/old.txt'), bench.place.live.size]).toEqual(['old, and mine\n', 0]);
    expect(bench.git('stash', 'list')).toBe('');
  });

  test('gives back what a dead process had set aside', async () => {
    bench.write({ 'src/old.txt': 'old, and mine\n' });
    await stashChanges(bench.platform, bench.place.home, STASH_MESSAGE);
    await settle(bench.place, await ended({}, { cut_off: 'working' }), bench.brief());
    expect(bench.read('src/old.txt')).toBe('old, and mine\n');
    expect(bench.told('state.recovered')).toContainEqual(expect.objectContaining({ action: 'put back' }));
  });

  test('keeps a stash that does not fit any more, and says how to get it', async () => {
    bench.write({ 'src/old.txt': 'old, and mine\n' });
    const stash = await stashChanges(bench.platform, bench.place.home, STASH_MESSAGE);
    bench.place.live.set(1, { ...newLive(), stash });
    bench.commit({ 'src/old.txt': 'old, and theirs\n' });
    await settle(bench.place, await ended({}), bench.brief());
    expect(bench.told('warning')).toMatchObject([{ message: expect.stringContaining(stash!.restore) as string }]);
    expect(bench.git('stash', 'list')).not.toBe('');
    expect(bench.read('src/old.txt')).toBe('old, and theirs\n');
  });

  test('costs nothing where nothing is known, and names the backend but no model that the agent chose itself', async () => {
    const landed = await settle(bench.place, await ended({}), bench.brief({ model: 'opus' }));
    expect(landed).toMatchObject({ spent: { cost_usd: null }, backend: 'command' });
    expect(landed.model).toBe('');
  });
});
