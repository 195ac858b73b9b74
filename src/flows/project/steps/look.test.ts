/** Looking, taking up what others asked for, finishing, and returning to a checkpoint. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Wish } from '../../../kernel/documents/requests.ts';
import { checkpointSession } from '../../../kernel/flight/checkpoints.ts';
import { FEATURE, listWith } from '../../../kernel/flight/test-support.ts';
import type { RunEvent } from '../machine/running.ts';
import { ended } from '../machine/run-report.ts';
import { openProjectBench, STUCK, type ProjectBench } from '../test-support.ts';
import { finish } from './finish.ts';
import { look } from './look.ts';
import { restore } from './restore.ts';
import { takeUp } from './take-up.ts';

type Looked = Extract<RunEvent, { type: 'looked' }>;

let bench: ProjectBench;
beforeAll(async () => void (bench = await openProjectBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const TWO = { ...FEATURE, id: 2, description: 'Says more', test_file: 'test/two.test.js' };

describe('looking at a project', () => {
  const looked = async (...args: Parameters<ProjectBench['running']>): Promise<Looked> =>
    ((await look(bench.project, bench.running(...args))) as { event: Looked }).event;

  test('plans the first open feature on the commit that stands there', async () => {
    expect(await looked()).toMatchObject({
      plan: { kind: 'session', session: 1, prompt: 'coding', feature: { id: 1 } },
      head: bench.head(),
      changes: [],
    });
    bench.commit({ 'features.json': listWith([{ ...FEATURE, passes: true }, TWO]) });
    expect((await looked({ last_session: 4 })).plan).toMatchObject({ kind: 'session', session: 5, feature: { id: 2 } });
  });

  test('changes nothing, and says the same again', async () => {
    const before = bench.head();
    const once = await looked();
    expect(await looked()).toEqual(once);
    expect([bench.head(), bench.kept.size]).toEqual([before, 0]);
  });

  test.each<[string, Parameters<ProjectBench['state']>[0], string]>([
    ['all pass', {}, 'complete'],
    ['it is paused', { paused: true }, 'paused'],
    ['a person has the wheel', { handoff: { at: '', head: '', declined: [] } }, 'handoff'],
    ['a question is open', { escalation: STUCK }, 'escalated'],
  ])('plans no session where %s', async (title, state, kind) => {
    if (title === 'all pass') bench.commit({ 'features.json': listWith([{ ...FEATURE, passes: true }]) });
    expect((await looked(state)).plan.kind).toBe(kind);
  });

  test('hears a pause that was asked for', async () => {
    await bench.project.documents.requests.ask({ kind: 'pause' });
    expect(await looked()).toMatchObject({ plan: { kind: 'paused' }, changes: [{ type: 'paused' }] });
  });

  test('holds while others fly and somebody waits for the list', async () => {
    await bench.project.documents.requests.ask({ kind: 'skip', feature: 1, reason: null, undo: false });
    expect((await looked({ flight: bench.flight({ feature: 2, lane: 'lane-1' }) }, { lanes: 2 })).plan).toEqual({ kind: 'holding' });
  });

  test('asks first about what was left for later, where somebody can answer or has', async () => {
    const parked = [{ pending: null, escalation: STUCK, at: '' }];
    expect(await looked({ parked })).toMatchObject({ changes: [{ type: 'recalled', id: 'project.stuck:1' }], plan: { kind: 'escalated' } });
    expect(await looked({ parked }, { wanted: 5 })).toMatchObject({ changes: [], plan: { kind: 'session', feature: { id: 2 } } });
    bench.answers['project.stuck:1'] = { option: 'Retry' };
    expect((await looked({ parked }, { wanted: 5 })).changes).toEqual([{ type: 'recalled', id: 'project.stuck:1' }]);
  });

  test('ends with what the last session came to after an interrupt', async () => {
    const aborter = new AbortController();
    aborter.abort();
    const last = ended('partial', ['claim.none'], 'm');
    expect(await look({ ...bench.project, signal: aborter.signal }, bench.running({}, { last }))).toMatchObject({
      rest: { reasons: ['interrupted'], message: 'm' },
    });
  });

  test.each<[string, string, RegExp]>([
    ['is no list', 'nonsense', /not valid/],
    ['has no features of the right kind', '{"project":"x","features":[{"id":"one"}]}', /not valid/],
  ])('ends where the list %s, and names it', async (_, text, words) => {
    bench.commit({ 'features.json': text });
    await expect(look(bench.project, bench.running())).rejects.toThrow(words);
  });

  test('names a mistake in the list that is not committed yet', async () => {
    bench.write({ 'features.json': '{"project": ' });
    await expect(look(bench.project, bench.running())).rejects.toThrow(/not valid/);
  });

  describe('with a circle in the list', () => {
    beforeEach(
      () =>
        void bench.commit({
          'features.json': listWith([
            { ...FEATURE, depends_on: [2] },
            { ...TWO, depends_on: [1] },
          ]),
        }),
    );

    test('is an error where nobody answers, with a page about it', async () => {
      await expect(look(bench.project, bench.running())).rejects.toThrow(/not valid/);
      expect(bench.read('.harness/escalation.md')).toContain('project.cycle');
    });

    test('goes on without them where a person sets them aside', async () => {
      bench.answers['project.cycle'] = { option: 'Skip both' };
      const progress = await look(bench.project, bench.running());
      expect(progress).toMatchObject({ event: { type: 'done', next: { kind: 'again' } } });
      const { changes } = (progress as { event: { changes: { type: string; feature: number }[] } }).event;
      expect(changes.map(({ type, feature }) => `${type} ${feature}`).toSorted()).toEqual(['skipped 1', 'skipped 2']);
      const skipped = [1, 2].map((feature) => ({ feature, reason: '', at: '' }));
      expect((await looked({ skipped })).plan.kind).toBe('exhausted');
    });
  });
});

describe('what another process asked for', () => {
  const ask = (wish: Wish): Promise<void> => bench.project.documents.requests.ask(wish);
  const taken = (...args: Parameters<ProjectBench['running']>): ReturnType<typeof takeUp> => takeUp(bench.project, bench.running(...args));

  test('is nothing, or for others', async () => {
    expect(await taken()).toBeNull();
    await ask({ kind: 'pause' });
    await ask({ kind: 'grant', name: 'x' });
    expect(await taken()).toBeNull();
  });

  test('is taken up in its order, and again after a crash', async () => {
    await ask({ kind: 'skip', feature: 2, reason: 'later', undo: false });
    await ask({ kind: 'skip', feature: 1, reason: null, undo: false });
    const first = await taken();
    expect(first).toMatchObject({ event: { type: 'taken.up', changes: [{ type: 'skipped', feature: 2, reason: 'later' }] } });
    expect(await taken()).toEqual(first);
    await bench.project.documents.requests.drop({ id: (first as { event: { request: string } }).event.request });
    expect(await taken()).toMatchObject({ event: { changes: [{ type: 'skipped', feature: 1, reason: 'no reason given' }] } });
  });

  test('waits while somebody flies, or returns to a checkpoint', async () => {
    await ask({ kind: 'skip', feature: 1, reason: null, undo: false });
    expect(await taken({ flight: bench.flight() })).toBeNull();
    expect(await taken({ beside: [bench.flight()] })).toBeNull();
    expect(await taken({ rollback: { checkpoint: 'c', session: 1 } })).toBeNull();
  });

  test('an override is one commit of the list, however often it is taken up', async () => {
    await ask({ kind: 'override', feature: 1, passes: true });
    expect(await taken()).toMatchObject({ event: { changes: [{ type: 'overridden', feature: 1, passes: true, kind: 'override' }] } });
    await taken();
    expect(bench.git('rev-list', '--count', 'HEAD')).toBe('2');
    expect(bench.git('show', '--stat', '--format=%s', 'HEAD')).toMatch(/^Record feature #1 as passing \(not verified\)\n+ features.json/);
    expect(JSON.parse(bench.read('features.json')!)).toMatchObject({
      features: [
        { id: 1, passes: true },
        { id: 2, passes: false },
      ],
    });
  });

  test('a feature is added to the list', async () => {
    await ask({ kind: 'add-feature', description: 'A user can shout', testFiles: [], category: null, priority: null });
    expect(await taken()).toMatchObject({ event: { changes: [] } });
    expect(JSON.parse(bench.read('features.json')!)).toMatchObject({
      features: [{}, {}, { id: 3, description: 'A user can shout', test_file: 'test/shout.test.js', passes: false }],
    });
  });

  test.each<[string, Wish, () => void]>([
    ['a feature that there is not', { kind: 'skip', feature: 9, reason: null, undo: false }, () => {}],
    ['a feature that is not set aside', { kind: 'skip', feature: 1, reason: null, undo: true }, () => {}],
    [
      'a list with changes of its own',
      { kind: 'override', feature: 1, passes: true },
      () => bench.write({ 'features.json': `${listWith([FEATURE])}\n` }),
    ],
  ])('that cannot be done, for %s, is told and dropped', async (_, wish, arrange) => {
    arrange();
    const before = bench.head();
    await ask(wish);
    expect(await taken()).toMatchObject({ event: { type: 'taken.up', changes: [] } });
    expect(bench.told('warning')).toMatchObject([{ message: expect.stringContaining(`(harness ${wish.kind}) cannot be done`) as string }]);
    expect(bench.head()).toEqual(before);
  });

  test('in a file that is no request is left alone', async () => {
    bench.kept.set('requests/000001-skip-x.json', '{"schema_version": 1, "wish": {"kind": "skip"');
    expect(await taken()).toBeNull();
    expect(bench.kept.has('requests/000001-skip-x.json')).toBe(true);
  });
});

describe('when all features pass', () => {
  beforeEach(() => void bench.commit({ 'features.json': listWith([{ ...FEATURE, passes: true }]) }));

  test('the project is complete once the whole holds', async () => {
    const last = { ...ended('verified', [], ''), session: 7, commit: 'k' };
    const progress = await finish(bench.project, bench.running({}, { last }));
    expect(progress).toMatchObject({
      event: {
        type: 'done',
        changes: [{ type: 'completed' }],
        next: { kind: 'complete', report: { outcome: 'complete', session: 7, commit: 'k' } },
      },
    });
  });

  test('what rests on a word alone is said', async () => {
    const overrides = [{ feature: 1, passes: true, kind: 'override' as const, at: '' }];
    await finish(bench.project, bench.running({ overrides }));
    expect(bench.told('progress').at(-1)!.message).toContain("on a person's word alone: #1");
  });

  test('a suite that fails is a question, never the end', async () => {
    bench.commit({ 'src/old.txt': 'nothing of it\n' });
    const { event } = (await finish(bench.project, bench.running())) as { event: Extract<RunEvent, { type: 'done' }> };
    expect(event.changes).toMatchObject([{ type: 'escalated', escalation: { gate: 'project.false-positives' } }]);
    expect(event.next).toMatchObject({ kind: 'end', report: { outcome: 'escalated', reasons: ['test.failed'] } });
    expect(bench.asked).toMatchObject([{ id: 'project.false-positives' }]);
  });
});

describe('a return to a checkpoint', () => {
  test('brings files back, names what is left behind, and can be done again', async () => {
    const { id } = await checkpointSession(bench.project, { session: 3, feature: 1, copies: [], reason: 'manual' });
    const theirs = bench.commit({ 'src/new.txt': 'new\n' });
    bench.events.length = 0;
    const running = bench.running({ last_session: 5, rollback: { checkpoint: id, session: 5 } });
    const first = await restore(bench.project, running);
    expect(first).toMatchObject({ event: { type: 'returned', session: 5, checkpoint: id, before: 3, commits: [theirs] } });
    expect([bench.read('src/new.txt'), bench.git('status', '--porcelain')]).toEqual([null, '']);
    const again = await restore(bench.project, running);
    expect(again).toMatchObject({ event: { type: 'returned', session: 5, before: 3, commits: [] } });
    expect(bench.git('cat-file', '-t', theirs)).toBe('commit');
  });

  test('that is not there is an error, and changes nothing', async () => {
    const before = bench.head();
    await expect(restore(bench.project, bench.running({ rollback: { checkpoint: 'nothing', session: 1 } }))).rejects.toThrow();
    expect(bench.head()).toEqual(before);
  });
});
