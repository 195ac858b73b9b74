import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Flight, FlightEnd } from '../../../domain/session.ts';
import { readBaseline, writeBaseline } from '../../../kernel/flight/memory-files.ts';
import { FEATURE, listWith } from '../../../kernel/flight/test-support.ts';
import { readTrusted } from '../list/trusted.ts';
import { openProjectBench, type ProjectBench } from '../test-support.ts';
import { repairBaseline, setBack } from './set-back.ts';
import { settle } from './settle.ts';

let bench: ProjectBench;
beforeAll(async () => void (bench = await openProjectBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

async function settled(end: Partial<FlightEnd>, change: Partial<Flight> = {}): ReturnType<typeof settle> {
  const tree = await bench.tree({ 'src/new.txt': 'new\n' });
  const told: FlightEnd = { kind: 'partial', reasons: ['claim.none'], message: 'm', outage: false, ...end };
  const flight = bench.flight({ phase: 'settling', tree, verdict: 'v1', commit: bench.head().commit, end: told, ...change });
  return await settle(bench.project, flight, bench.brief());
}

describe('the end of a session', () => {
  test.each<[Partial<FlightEnd>, object]>([
    [
      { kind: 'verified', reasons: [] },
      { kind: 'verified', open: 1 },
    ],
    [
      { kind: 'rejected', reasons: ['test.failed'] },
      { kind: 'rejected', reasons: ['test.failed'], wip: null },
    ],
    [{ kind: 'partial' }, { kind: 'partial', reasons: ['claim.none'], wip: { feature: 1, session: 1 }, outage: false }],
    [{ kind: 'partial', outage: true }, { outage: true }],
    [
      { kind: 'not_started', reasons: ['agent.failed'] },
      { kind: 'not_started', reasons: ['agent.failed'] },
    ],
    [
      { kind: 'cut_off', reasons: ['interrupted'] },
      { kind: 'cut_off', wip: { feature: 1 } },
    ],
  ])('%j is told to the project', async (end, ending) => {
    const event = await settled(end);
    expect(event).toMatchObject({ type: 'settled', ending, closing: { backend: 'command', message: 'm' } });
  });

  test.each<[FlightEnd['reasons'][number], string]>([
    ['manual.confirmation', 'project.manual-verify'],
    ['dependencies.changed', 'project.dependencies'],
    ['tamper.tests', 'project.tampering'],
    ['examiner.disagrees', 'project.review'],
  ])('that waits for a person because of %s is asked about as %s, also without its verdict', async (reason, gate) => {
    const event = await settled({ kind: 'needs_human', reasons: [reason] }, { said: 'I think so' });
    expect(event).toMatchObject({
      ending: { kind: 'needs_human', reasons: [reason], pending: { session: 1, feature: 1, gate, verdict: 'v1', said: 'I think so' } },
    });
  });
});

describe('a candidate that a person accepted', () => {
  const accepted = { checkpoint: null, accepted: { verdict: 'v1', base: 'b', tree: 't' } };

  test('has no session of its own, and what passes with it is found out anew', async () => {
    await bench.verdict({ decision: 'rejected' });
    const event = await settled({ kind: 'verified', reasons: [] }, { ...accepted, tree: bench.head().tree });
    expect(event).toMatchObject({ type: 'settled', ending: { kind: 'verified', vouched: true }, closing: null });
    expect(await readBaseline(bench.place, { writer: false })).toMatchObject({ commit: bench.head().commit, total_passing: 1 });
  });

  test('that cannot land is told, and its work is kept', async () => {
    const event = await settled({ reasons: ['git.moved'], message: 'the branch moved' }, accepted);
    expect(event).toMatchObject({ type: 'stale', wip: { feature: 1 } });
    expect(bench.told('warning')).toMatchObject([{ message: 'the accepted candidate can no longer land: the branch moved' }]);
  });
});

describe('features that fail on the branch', () => {
  const passing = listWith([
    { ...FEATURE, passes: true },
    { ...FEATURE, id: 2, test_file: 'test/two.test.js', depends_on: [1], passes: false },
  ]);

  test('are open again with one commit of the list, and what they block is named', async () => {
    bench.commit({ 'features.json': passing });
    const { loaded } = await readTrusted(bench.project, bench.state());
    expect(await setBack(bench.project, bench.state(), loaded, { features: [1], why: 'its test fails' })).toEqual({
      changes: [{ type: 'setback', features: [1] }],
      features: [1],
    });
    expect(JSON.parse(bench.read('features.json')!)).toMatchObject({ features: [{ id: 1, passes: false }, {}] });
    expect(bench.git('show', '--name-only', '--format=%s', 'HEAD').split('\n').filter(Boolean)).toEqual([
      'Set feature #1 back to open',
      'features.json',
    ]);
    expect(bench.told('warning')).toMatchObject([{ message: expect.stringContaining('This blocks: #2.') as string }]);
  });

  test('are none: nothing is committed', async () => {
    const { loaded } = await readTrusted(bench.project, bench.state());
    expect(await setBack(bench.project, bench.state(), loaded, { features: [], why: '' })).toEqual({ changes: [], features: [] });
    expect(bench.git('rev-list', '--count', 'HEAD')).toBe('1');
  });

  test('are found by the tests that broke; tests of nobody change no feature', async () => {
    bench.commit({ 'features.json': passing, 'src/old.txt': 'nothing of it\n' });
    const passing_tests = ['test/one.test.js::says something new', '(suite)::suite'];
    await writeBaseline(bench.place, {
      session: 0,
      commit: 'c',
      tree: 't',
      runner: 'exit-code',
      passing_tests,
      total_passing: 2,
      total_tests: 2,
    });
    const { features } = await repairBaseline(bench.project, bench.state(), { noCache: false });
    expect(features).toEqual([1]);
    expect(bench.told('warning').map(({ message }) => message)).toContainEqual(
      expect.stringContaining('leaves the baseline: (suite)::suite'),
    );
    expect((await repairBaseline(bench.project, bench.state(), { noCache: false })).features).toEqual([]);
  });
});
