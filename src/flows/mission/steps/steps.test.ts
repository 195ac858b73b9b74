/** The steps of a mission that need no agent: what they ask, run and write, and the event that comes of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_USAGE } from '../../../domain/money.ts';
import { openHistory } from '../../../journal/history.ts';
import { journalLine } from '../../../journal/line.ts';
import type { RunHours } from '../../../kernel/hours/run-hours.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { claim, feature, flight, working } from '../machine/test-support.ts';
import { openMissionBench, type MissionBench } from '../test-support.ts';
import { renderContract, renderQueue } from '../machine/contract-text.ts';
import { askAboutCandidate, askAboutEscalation, leaveQuestion } from './ask.ts';
import { curate, referee, wait } from './close.ts';
import { decide } from './decide.ts';
import { takeEdits, keepHours } from './take-up.ts';
import { convert } from './improve.ts';
import { tryProofs } from './plan.ts';
import { lookForMerges, prove } from './prove.ts';

let bench: MissionBench;
beforeAll(async () => void (bench = await openMissionBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const passed = (change: Partial<MissionState> = {}): MissionState => working([feature(1, { status: 'passed', attempts: 1 })], change);
const HOLDS = { 'test/f1.test.js': 'exit 0\n' };
const PERSON = [claim(1, { proof: { tests: [], command: null, person: true } })];

describe('the hours of a mission', () => {
  const kept = (at: ReturnType<RunHours['at']>, mission: MissionState, from = 0) =>
    keepHours({ ...bench.mission, hours: { at: () => at, say: (moment) => new Date(moment).toISOString() } }, { mission, run: { from } });
  const open = working([feature(1)], { iteration: 3 });

  test('begin nothing once they are over, or what could not end in time', async () => {
    const over = { event: { type: 'held.up', reason: 'hours.over', until: null } };
    expect(await kept({ open: false, opens: null }, open)).toMatchObject(over);
    expect(await kept({ open: false, opens: Date.now() + 3_600_000 }, open)).toMatchObject(over);
    expect(await kept({ open: true, until: Date.now() + 60_000 }, open)).toMatchObject(over);
    expect(await kept({ open: true, until: Date.now() + 36_000_000 }, open)).toBeNull();
    expect(await kept({ open: true, until: null }, open)).toBeNull();
  });

  test('are waited for before its first decision', async () => {
    expect(await kept({ open: false, opens: Date.now() + 50 }, open, 3)).toBeNull();
    expect(bench.told('session.limit')).toMatchObject([{ kind: 'hours' }]);
  });

  test('end it where a usage limit outlasts them, once nobody flies', async () => {
    const limited = { ...open, wait: { until: Date.now() + 72_000_000, why: 'usage_limit' as const } };
    const rest = { rest: { outcome: 'partial', reasons: ['usage_limit'] } };
    expect(await kept({ open: true, until: Date.now() + 36_000_000 }, limited)).toMatchObject(rest);
    expect(await kept({ open: true, until: null }, limited)).toBeNull();
  });
});

describe('an escalated mission', () => {
  const escalated = (change: Partial<MissionState> = {}): MissionState =>
    working([feature(1, { status: 'failed', attempts: 3 })], {
      stage: 'escalated',
      escalation: { reason: 'F-001 failed', feature: 'F-001' },
      ...change,
    });

  test('waits with a page that lists the ways on', async () => {
    expect(await bench.perform(askAboutEscalation, escalated())).toMatchObject({ rest: { outcome: 'escalated' } });
    expect(bench.kept.get('escalation.md')).toContain('harness answer mission.escalated "Skip it"');
    expect(bench.told('escalation')).toMatchObject([{ trigger: 'mission.escalated', message: 'F-001 failed' }]);
  });

  test('shows what is known of the feature it is about, and of no other', async () => {
    const told = (id: string): MissionState['evidence'][number] => ({
      feature: id,
      session: 1,
      message: `about ${id}`,
      reasons: [],
      verdict: null,
      base: 'b',
      tree: null,
    });
    await bench.perform(askAboutEscalation, escalated({ evidence: [told('F-001'), told('F-002')] }));
    expect(bench.kept.get('escalation.md')).toContain('session 1 on F-001: about F-001');
    expect(bench.kept.get('escalation.md')).not.toContain('about F-002');
  });

  test.each<[object, object]>([
    [
      { option: 'Try again', text: 'use add()' },
      { option: 'Try again', text: 'use add()' },
    ],
    [{ option: 'Skip it' }, { option: 'Skip it', text: null }],
    [{ text: 'use add()' }, { option: 'Try again', text: 'use add()' }],
  ])('goes on after %j', async (answer, event) => {
    bench.answers['mission.escalated'] = answer;
    expect(await bench.perform(askAboutEscalation, escalated())).toEqual({ event: { type: 'answered', ...event } });
    expect(bench.told('decision')).toMatchObject([{ by: 'user' }]);
  });

  test('is not printed again once it is answered', async () => {
    await bench.perform(askAboutEscalation, escalated());
    expect(bench.told('escalation')).toHaveLength(1);
    bench.answers['mission.escalated'] = { option: 'Try again' };
    await bench.perform(askAboutEscalation, escalated());
    expect(bench.told('escalation')).toHaveLength(1);
  });

  test('ends where a person says so, and cannot skip where nothing is to be skipped', async () => {
    bench.answers['mission.escalated'] = { option: 'End' };
    expect(await bench.perform(askAboutEscalation, escalated())).toMatchObject({ rest: { outcome: 'escalated', message: 'F-001 failed' } });
    await bench.perform(askAboutEscalation, escalated({ escalation: { reason: 'no plan', feature: null } }));
    expect(bench.asked.at(-1)!.options.map(({ label }) => label)).toEqual(['Try again', 'End']);
  });
});

describe('work that only a person may let land', () => {
  const waiting = async (): Promise<MissionState> => {
    const tree = await bench.tree({ 'src/new.txt': 'new\n' });
    await bench.verdict({
      decision: 'needs_human',
      findings: [{ check: 'protected', reason: 'tamper.tests', weight: 'ask', message: 'a test was changed', subjects: ['test/a.js'] }],
    });
    const flown = flight(7, 'F-001', { phase: 'settling', base: bench.head().commit, tree, verdict: 'v1' });
    return working([feature(1, { status: 'blocked' })], { candidates: [{ feature: 'F-001', flight: flown }] });
  };

  test('is asked about with why and the difference', async () => {
    expect(await bench.perform(askAboutCandidate, await waiting())).toMatchObject({
      rest: { outcome: 'needs_human', message: expect.stringContaining('mission.review:f-001') as string },
    });
    expect(bench.asked[0]).toMatchObject({ id: 'mission.review:f-001', non_negotiable: true });
    expect(bench.asked[0]!.question).toContain('a test was changed');
    expect(bench.asked[0]!.context.join('\n')).toMatch(/test\/a\.js[^]*\+new/);
  });

  test.each<[object, boolean, string | null]>([
    [{ option: 'Accept' }, true, null],
    [{ option: 'Reject', text: 'no' }, false, 'no'],
    [{ text: 'hm' }, false, 'hm'],
    [{ option: 'accept ' }, false, null],
  ])('%j', async (answer, accepted, text) => {
    bench.answers['mission.review:f-001'] = answer;
    expect(await bench.perform(askAboutCandidate, await waiting())).toEqual({
      event: { type: 'candidate.answered', feature: 'F-001', accepted, text },
    });
  });

  test('is told of while others go on, and an answer that is there already waits for its turn', async () => {
    const state = await waiting();
    const told = { event: { type: 'candidate.told', feature: 'F-001' } };
    expect(await bench.perform(leaveQuestion, state, { feature: 'F-001' })).toEqual(told);
    expect(bench.asked).toMatchObject([{ id: 'mission.review:f-001' }]);
    bench.answers['mission.review:f-001'] = { option: 'Accept' };
    expect(await bench.perform(leaveQuestion, state, { feature: 'F-001' })).toEqual(told);
    expect(bench.asked).toHaveLength(1);
  });

  test('of several features is asked about together', async () => {
    const state = await waiting();
    const two = { ...state, candidates: [...state.candidates, { ...state.candidates[0]!, feature: 'F-002' }] };
    const rest = { rest: { message: expect.stringContaining('2 questions wait') as string } };
    expect(await bench.perform(askAboutCandidate, two)).toMatchObject(rest);
    bench.answers['mission.review:f-002'] = { option: 'Reject' };
    expect(await bench.perform(askAboutCandidate, two)).toMatchObject({ event: { feature: 'F-002', accepted: false } });
  });

  test('is asked about also where its verdict is gone', async () => {
    const state = await waiting();
    await bench.platform.files.remove(`${bench.place.stateDir}/verdicts`);
    await bench.perform(askAboutCandidate, state);
    expect(bench.asked[0]!.question).toContain('it could not be judged by itself');
  });
});

describe('the last proof', () => {
  test('is the branch itself', async () => {
    bench.commit(HOLDS);
    const { commit, tree } = bench.head();
    expect(await bench.perform(prove, passed())).toEqual({ event: { type: 'proved', commit, tree } });
    expect(bench.told('preflight.check')).toMatchObject([{ name: 'proof VAL-SUM-001', state: 'passed' }]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['fails', { 'test/f1.test.js': 'exit 1\n' }, 'test/f1.test.js'],
    ['is not there', { 'test/other.test.js': 'exit 0\n' }, 'there is no test/f1.test.js'],
  ])('that %s opens its feature, whatever was recorded', async (_, files, why) => {
    bench.commit(files);
    const progress = await bench.perform(prove, passed());
    expect(progress).toMatchObject({
      event: { type: 'unproved', claims: [{ id: 'VAL-SUM-001', why: expect.stringContaining(why) as string }] },
    });
  });

  test('needs the command beside the tests as well', async () => {
    bench.commit(HOLDS);
    const claims = [claim(1, { proof: { tests: ['test/f1.test.js'], command: 'exit 3', person: false } })];
    expect(await bench.perform(prove, passed({ claims }))).toMatchObject({
      event: { type: 'unproved', claims: [{ why: 'the command ended with 3' }] },
    });
  });

  test('asks people about what only they can tell, once for each tree', async () => {
    const state = passed({ claims: PERSON });
    expect(await bench.perform(prove, state)).toMatchObject({ rest: { outcome: 'needs_human' } });
    bench.answers['mission.claim:val-sum-001'] = { option: 'It holds' };
    const { tree } = bench.head();
    expect(await bench.perform(prove, state)).toEqual({ event: { type: 'person.answered', subject: 'VAL-SUM-001', tree, holds: true } });
    bench.asked.length = 0;
    const answers = [{ subject: 'VAL-SUM-001', tree, holds: true }];
    expect(await bench.perform(prove, { ...state, answers })).toMatchObject({ event: { type: 'proved' } });
    expect(bench.asked).toEqual([]);
    expect(await bench.perform(prove, { ...state, answers: [{ ...answers[0]!, holds: false }] })).toMatchObject({
      event: { type: 'unproved' },
    });
    bench.commit({ 'src/more.txt': 'more\n' });
    await bench.perform(prove, { ...state, answers });
    expect(bench.asked).toMatchObject([{ id: 'mission.claim:val-sum-001' }]);
  });

  test.each([{ option: 'It does not' }, { option: 'it holds' }, { text: 'sure' }])(
    'counts nothing but the very word: %j',
    async (answer) => {
      bench.answers['mission.claim:val-sum-001'] = answer;
      expect(await bench.perform(prove, passed({ claims: PERSON }))).toMatchObject({ event: { type: 'person.answered', holds: false } });
    },
  );

  test('asks whether the mission is done without what was set aside', async () => {
    const state = working([feature(1, { status: 'skipped', attempts: 3 })]);
    expect(await bench.perform(prove, state)).toMatchObject({ rest: { outcome: 'needs_human' } });
    bench.answers['mission.skipped:f-001'] = { option: 'Take it up' };
    expect(await bench.perform(prove, state)).toMatchObject({
      event: { type: 'edited', features: [{ id: 'F-001', status: 'pending', attempts: 0 }] },
    });
    bench.answers['mission.skipped:f-001'] = { option: 'Leave it out' };
    expect(await bench.perform(prove, state)).toMatchObject({ event: { type: 'person.answered', subject: 'F-001', holds: true } });
  });
});

describe('a plan that is tried', () => {
  test('is worked on where nothing of it holds yet', async () => {
    bench.commit({ 'test/f1.test.js': 'exit 1\n' });
    expect(await bench.perform(tryProofs, working([feature(1)]))).toEqual({ event: { type: 'plan.tried', notes: [] } });
  });

  test('goes back once with claims that hold already, and is then worked on with a warning', async () => {
    bench.commit(HOLDS);
    const state = working([feature(1)]);
    expect(await bench.perform(tryProofs, state)).toMatchObject({ event: { type: 'plan.refused', told: true } });
    const told = { ...state, plan: { ...state.plan, told: true } };
    expect(await bench.perform(tryProofs, told)).toEqual({
      event: { type: 'plan.tried', notes: ['VAL-SUM-001 held already when the plan was made'] },
    });
    expect(bench.told('warning')).toHaveLength(1);
  });

  test('goes back once also with a command alone that succeeds already', async () => {
    const command = (text: string): MissionState['claims'] => [claim(1, { proof: { tests: [], command: text, person: true } })];
    const held = [expect.stringContaining('VAL-SUM-001: its proof holds already') as string];
    const state = working([feature(1)], { claims: command('test -f test.sh') });
    expect(await bench.perform(tryProofs, state)).toMatchObject({ event: { type: 'plan.refused', told: true, remarks: held } });
    const open = working([feature(1)], { claims: command('test -f src/not-there-yet.txt') });
    expect(await bench.perform(tryProofs, open)).toEqual({ event: { type: 'plan.tried', notes: [] } });
  });

  test('goes back where a command cannot be started', async () => {
    const claims = [claim(1, { proof: { tests: [], command: 'no-such-command-anywhere', person: false } })];
    const planned = working([feature(1)], { claims, plan: { tries: 1, remarks: [], told: false } });
    expect(await bench.perform(tryProofs, planned)).toMatchObject({
      event: { type: 'plan.refused', remarks: [expect.stringContaining('cannot be started here') as string] },
    });
    const byHand = { ...planned, plan: { tries: 0, remarks: [], told: true } };
    await expect(bench.perform(tryProofs, byHand)).rejects.toMatchObject({ message: expect.stringContaining('cannot be used') as string });
  });
});

describe('what a person wrote', () => {
  const edited = async (change: (state: MissionState) => MissionState): Promise<unknown> => {
    const state = working([feature(1)]);
    await bench.mission.documents.writeText('queue', renderQueue(change(state)));
    await bench.mission.documents.writeText('contract', renderContract(change(state)));
    return await takeEdits(bench.mission, state);
  };

  test('counts once its proofs were tried', async () => {
    const more = await edited((state) => ({ ...state, features: [...state.features, feature(2)], claims: [...state.claims, claim(2)] }));
    expect(more).toMatchObject({ event: { type: 'edited', features: [{ id: 'F-001' }, { id: 'F-002' }] } });
    expect(bench.told('warning')).toEqual([]);
  });

  test('is told about where a proof holds before anything is built, and refused where one cannot run', async () => {
    bench.commit(HOLDS);
    const holds = claim(2, { proof: { tests: ['test/f1.test.js'], command: 'true', person: false } });
    await edited((state) => ({ ...state, features: [feature(1, { claims: ['VAL-SUM-002'] })], claims: [holds] }));
    expect(bench.told('warning')).toMatchObject([{ message: expect.stringContaining('VAL-SUM-002 holds already') as string }]);
    const cannot = claim(1, { proof: { tests: ['test/f1.test.js'], command: 'no-such-command-anywhere', person: false } });
    await expect(edited((state) => ({ ...state, claims: [cannot] }))).rejects.toMatchObject({
      message: expect.stringContaining('validation-contract.md cannot be used') as string,
    });
  });
});

describe('a decision by the policy', () => {
  test('CONVERTED looks at the open issues at once', async () => {
    const issue = { title: 'slow', text: '', proof: null, by: 'validator', feature: 'F-001', state: 'open' as const };
    expect(await bench.perform(decide, passed({ issues: [issue] }))).toEqual({
      event: { type: 'converted', promoted: [], noted: [0] },
    });
  });

  test('begins a flight from the commit that stands there, each with a number of its own', async () => {
    const { commit } = bench.head();
    const state = working([feature(1)]);
    const first = (await bench.perform(decide, state)) as { event: { flights: MissionState['flights'] } };
    expect(first.event).toMatchObject({
      type: 'decided',
      decision: { kind: 'NEXT_WORKER', feature: 'F-001' },
      flights: [{ base: commit, branch: 'main', phase: 'preparing', lane: 'lane-1', checkpoint: null }],
    });
    const again = (await bench.perform(decide, state)) as typeof first;
    expect(again.event.flights[0]!.session).toBeGreaterThan(first.event.flights[0]!.session);
  });

  test('begins one for each lane in a competition', async () => {
    const { event } = (await bench.perform(decide, working([feature(1)]), { rules: { mode: 'competition', lanes: 3 } })) as {
      event: { flights: MissionState['flights'] };
    };
    expect(event.flights.map(({ lane }) => lane)).toEqual(['lane-1', 'lane-2', 'lane-3']);
    expect(new Set(event.flights.map(({ session }) => session)).size).toBe(3);
  });

  test('begins nothing where HEAD is detached', async () => {
    bench.git('checkout', '-q', '--detach');
    expect(await bench.perform(decide, working([feature(1)]))).toMatchObject({ rest: { outcome: 'error', reasons: ['git.detached'] } });
  });

  test('writes down what a checkpoint is about before it waits there', async () => {
    const checkpoints = [{ name: 'half', description: 'Look at it', trigger_on: 'half-done' }] as never;
    expect(await bench.perform(decide, passed(), { rules: { checkpoints } })).toMatchObject({
      event: { decision: { kind: 'CHECKPOINT', name: 'half' } },
    });
    expect(bench.kept.get('checkpoints/half.md')).toMatch(/# half\n\nLook at it[^]*Passed: 1 of 1 \(F-001\)[^]*harness mission grant half/);
  });
});

describe('an issue', () => {
  const issue = { title: 'Zero', text: 'breaks', by: 'validator', feature: 'F-001', state: 'open' as const };
  const proofOf = (path: string): MissionState['issues'][number]['proof'] => ({ tests: [path], command: null, person: false });

  test.each<[string, Partial<MissionState['issues'][number]>, boolean]>([
    ['with a proof that fails today becomes a feature', { proof: proofOf('test/zero.test.js') }, true],
    ['with a proof that holds is noted', { proof: proofOf('test/fine.test.js') }, false],
    ['with a proof that is not there is noted', { proof: proofOf('test/none.test.js') }, false],
    ['with the proof of a claim is noted', { proof: proofOf('test/f1.test.js') }, false],
    ['without a proof is noted', { proof: null }, false],
  ])('%s', async (_, change, isPromoted) => {
    bench.commit({ 'test/zero.test.js': 'exit 1\n', 'test/fine.test.js': 'exit 0\n', 'test/f1.test.js': 'exit 1\n' });
    const state = passed({
      issues: [
        { ...issue, proof: null, state: 'promoted' },
        { ...issue, proof: null, ...change },
      ],
    });
    const { event } = (await bench.perform(convert, state)) as {
      event: { promoted: { issue: number; feature: string }[]; noted: number[] };
    };
    expect(event.noted).toEqual(isPromoted ? [] : [1]);
    expect(event.promoted).toMatchObject(
      isPromoted ? [{ issue: 1, feature: 'F-FIX-001', title: 'Fix: Zero', claim: { id: 'VAL-FIX-001', text: 'Fixed: Zero' } }] : [],
    );
  });
});

describe('around the work', () => {
  test('the smallest change wins, its tests not counted; then the lane', async () => {
    const flown = async (session: number, files: Record<string, string>): Promise<MissionState['flights'][number]> =>
      flight(session, 'F-001', { phase: 'landing', base: bench.head().commit, tree: await bench.tree(files) });
    const flights = [
      await flown(1, { 'src/a.txt': 'a\nb\nc\n' }),
      await flown(3, { 'src/a.txt': 'a\n', 'test/f1.test.js': 'a\nb\nc\nd\ne\n' }),
      await flown(2, { 'src/b.txt': 'b\n' }),
    ];
    const state = working([feature(1, { status: 'validating' })], { flights });
    expect(await bench.perform(referee, state, { feature: 'F-001' })).toEqual({ event: { type: 'refereed', winner: 2 } });
    expect(bench.told('decision')[0]!.text).toContain('session 2 is taken, 1 changed line');
  });

  test('of equal changes the cheaper one wins, also where its session is older than the command', async () => {
    const flown = async (session: number): Promise<MissionState['flights'][number]> =>
      flight(session, 'F-001', { phase: 'landing', base: bench.head().commit, tree: await bench.tree({ [`src/${session}.txt`]: 'a\n' }) });
    const state = working([feature(1, { status: 'validating' })], { flights: [await flown(1), await flown(2), await flown(3)] });
    const logs = `${bench.folder}/logs`;
    const line = (session: number, cost_usd: number): string =>
      journalLine('2026-01-01T00:00:00.000Z', 'agent.usage', { level: 'important', session, usage: NO_USAGE, cost_usd });
    await bench.platform.files.mkdir(logs);
    await bench.platform.files.write(`${logs}/events.jsonl`, `${line(1, 0.3)}\n${line(2, 0.1)}\n${line(2, 0.1)}\n`);
    const place = { ...bench.mission, history: openHistory(bench.platform, logs) };
    expect(await referee(place, { mission: state, run: { from: 0 } }, { key: 'referee', name: 'referee', feature: 'F-001' })).toEqual({
      event: { type: 'refereed', winner: 2 },
    });
  });

  test('a wait that is over is over, and an interrupt ends it', async () => {
    const waits = working([], { wait: { until: 1, why: 'usage_limit' } });
    expect(await bench.perform(wait, waits)).toEqual({ event: { type: 'waited', until: 1 } });
    expect(bench.told('session.limit')).toEqual([]);
    const aborter = new AbortController();
    aborter.abort();
    const place = { ...bench.mission, signal: aborter.signal };
    const long = { ...waits, wait: { until: Date.now() + 3_600_000, why: 'usage_limit' as const } };
    expect(await wait(place, { mission: long, run: { from: 0 } }, { key: 'wait', name: 'wait' })).toMatchObject({
      event: { type: 'held.up', reason: 'interrupted' },
    });
    expect(bench.told('session.limit')).toMatchObject([{ kind: 'usage' }]);
  });

  test('without notes nobody is asked to curate them', async () => {
    expect(await bench.perform(curate, passed())).toEqual({ event: { type: 'curated' } });
    expect(bench.told('session.start')).toEqual([]);
  });

  test('kept work counts once its proofs hold on the branch', async () => {
    const state = working([feature(1, { status: 'blocked' })], { kept: ['F-001'] });
    expect(await bench.perform(lookForMerges, state)).toMatchObject({
      rest: { outcome: 'needs_human', message: expect.stringContaining('harness/F-001') as string },
    });
    bench.commit(HOLDS);
    expect(await bench.perform(lookForMerges, state)).toEqual({ event: { type: 'merged', features: ['F-001'] } });
  });
});
