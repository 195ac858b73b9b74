/** The steps that ask a person: what is asked, and what each answer leads to. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunEvent } from '../machine/running.ts';
import { ended } from '../machine/run-report.ts';
import { openProjectBench, STUCK, type ProjectBench } from '../test-support.ts';
import { askAboutCandidate, askAboutEscalation, askAboutExhaustion, offerMore } from './ask.ts';
import type { ProjectProgress } from './contract.ts';

type Done = Extract<RunEvent, { type: 'done' }>;

let bench: ProjectBench;
beforeAll(async () => void (bench = await openProjectBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const doneOf = (progress: ProjectProgress): Done => {
  expect(progress).toMatchObject({ event: { type: 'done' } });
  return (progress as { event: Done }).event;
};
const UNATTENDED = { wanted: 5 };
const page = (): string | null => bench.read('.harness/escalation.md');

describe('a candidate', () => {
  const ask = async (run = {}): Promise<Done> =>
    doneOf(await askAboutCandidate(bench.project, bench.running({ pending: await bench.candidate() }, run)));

  test('waits for a person, and the way to answer is told', async () => {
    const { changes, next } = await ask();
    expect(changes).toEqual([]);
    expect(next).toMatchObject({ kind: 'end', report: { outcome: 'needs_human', session: 3, feature: 1 } });
    expect((next as { report: { message: string } }).report.message).toContain('harness answer project.review:1 OPTION');
    expect(bench.asked).toMatchObject([{ id: 'project.review:1' }]);
    expect(bench.asked[0]!.context.join('\n')).toContain('git diff');
  });

  test('holds up nobody in a run that goes on by itself', async () => {
    expect(await ask(UNATTENDED)).toMatchObject({ changes: [], next: { kind: 'park' } });
  });

  test('that is accepted flies from where it was judged', async () => {
    bench.answers['project.review:1'] = { option: 'Accept' };
    expect(await ask()).toMatchObject({
      changes: [{ type: 'accepted', pending: { session: 3 } }],
      next: { kind: 'deciding', report: null },
    });
    expect(bench.told('decision')).toMatchObject([{ session: 3, by: 'user', text: 'accepted at project.review:1' }]);
  });

  test.each([
    ['Reject', { option: 'Reject' }, undefined],
    ['Reject with words', { option: 'Reject', text: ' not like this ' }, { feature: 1, gate: 'project.review', text: 'not like this' }],
    ['words alone', { text: 'why?' }, { feature: 1, gate: 'project.review', text: 'why?' }],
    ['an option that there is not', { option: 'Perhaps' }, undefined],
  ])('is refused by %s, and what was said is kept', async (_, answer, note) => {
    bench.answers['project.review:1'] = answer;
    expect(await ask()).toEqual({
      type: 'done',
      changes: [{ type: 'pending.closed', ...(note === undefined ? {} : { note }) }],
      next: { kind: 'again' },
    });
  });

  test.each(['gone', 'damaged'])('whose verdict is %s is never accepted', async (how) => {
    bench.answers['project.review:1'] = { option: 'Accept' };
    const pending = await bench.candidate();
    const file = join(bench.place.stateDir, 'verdicts', pending.verdict, 'verdict.json');
    if (how === 'gone') rmSync(file);
    else writeFileSync(file, '{"decision": "accepted"}');
    const { changes } = doneOf(await askAboutCandidate(bench.project, bench.running({ pending })));
    expect(changes).toEqual([{ type: 'pending.closed' }]);
  });

  test('is asked about in the words of what it did', async () => {
    const pending = await bench.candidate({ gate: 'project.tampering' });
    await bench.verdict({
      decision: 'needs_human',
      reasons: ['tamper.tests'],
      findings: [{ check: 'protected', reason: 'tamper.tests', weight: 'ask', message: 'a test was changed', subjects: ['src/new.txt'] }],
    });
    await askAboutCandidate(bench.project, bench.running({ pending }));
    expect(bench.asked[0]).toMatchObject({ id: 'project.tampering:1' });
    expect(bench.asked[0]!.context).toContain('tamper.tests: a test was changed');
    expect(bench.asked[0]!.context.join('\n')).toContain('+new');
  });
});

describe('an escalation', () => {
  const ask = async (run = {}): Promise<Done> => doneOf(await askAboutEscalation(bench.project, bench.running({ escalation: STUCK }, run)));

  test('that nobody answers ends the run, and its page says what can be done', async () => {
    expect(await ask()).toMatchObject({ changes: [], next: { kind: 'end', report: { outcome: 'escalated', feature: 1 } } });
    expect(page()).toContain('harness skip');
    expect(await ask(UNATTENDED)).toMatchObject({ next: { kind: 'park' } });
  });

  test.each([
    ['Retry', { option: 'Retry' }, [{ type: 'answered' }]],
    [
      'Retry with words',
      { option: 'Retry', text: 'look at src' },
      [{ type: 'answered', note: { feature: 1, gate: 'project.stuck', text: 'look at src' } }],
    ],
    ['words alone', { text: 'look at src' }, [{ type: 'answered', note: { feature: 1, gate: 'project.stuck', text: 'look at src' } }]],
    ['Skip', { option: 'Skip', text: 'later' }, [{ type: 'answered' }, { type: 'skipped', feature: 1, reason: 'later' }]],
  ])('goes on after %s, and its page is gone', async (_, answer, changes) => {
    await ask();
    bench.answers['project.stuck:1'] = answer;
    expect(await ask()).toEqual({ type: 'done', changes, next: { kind: 'again' } });
    expect(page()).toBeNull();
  });

  test('is left to a person who takes over, from the commit that stands there', async () => {
    bench.answers['project.stuck:1'] = { option: 'Manual implement' };
    const { changes, next } = await ask();
    expect(changes).toEqual([{ type: 'answered' }, { type: 'handed.off', head: bench.head().commit }]);
    expect(next).toMatchObject({ kind: 'end', report: { reasons: ['user_pause'], feature: 1 } });
  });

  test('stands until an abort is confirmed', async () => {
    bench.answers['project.stuck:1'] = { option: 'Abort' };
    expect(await ask()).toMatchObject({ changes: [], next: { kind: 'end', report: { outcome: 'needs_human' } } });
    expect(page()).not.toBeNull();
    bench.answers['project.abort'] = { option: 'No' };
    expect(await ask()).toMatchObject({ changes: [], next: { kind: 'end', report: { message: 'Nothing was aborted.' } } });
    bench.answers['project.abort'] = { option: 'Yes' };
    expect(await askAboutEscalation(bench.project, bench.running({ escalation: STUCK }))).toMatchObject({ rest: { outcome: 'escalated' } });
    expect(bench.read('.harness/escalation.md')).toBeNull();
  });

  test('whose answer names no option stands, and says how to answer', async () => {
    bench.answers['project.stuck:1'] = { option: 'Dance' };
    expect(await ask()).toMatchObject({
      next: { kind: 'end', report: { message: 'To go on, choose an option: harness answer project.stuck:1 OPTION' } },
    });
  });

  test.each<[string, object, string]>([
    ['a question that there is not', { gate: 'project.nothing' }, 'is not a question that the harness asks'],
    ['facts of another question', { gate: 'project.verification-failed', facts: {} }, 'does not fit project.verification-failed'],
  ])('with %s in its document is an error that names the field', async (_, change, words) => {
    const escalation = { ...STUCK, ...change };
    await expect(askAboutEscalation(bench.project, bench.running({ escalation }))).rejects.toThrow(words);
  });
});

describe('nothing left to work on', () => {
  const exhausted = { kind: 'exhausted' as const, skipped: [1], blocked: [{ feature: 2, waits_for: [1] }] };
  const ask = async (): Promise<Done> => {
    const plan = { is: { kind: 'exhausted' as const, detail: exhausted }, head: bench.head() };
    return doneOf(await askAboutExhaustion(bench.project, bench.running({}, { plan: plan as never })));
  };

  test('names what is set aside and what waits for it', async () => {
    const { next } = await ask();
    expect(next).toMatchObject({ kind: 'end', report: { outcome: 'escalated', reasons: ['features.exhausted'] } });
    expect((next as { report: { message: string } }).report.message).toBe(
      'nothing is left that can be worked on. Set aside: #1. Blocked: #2 waits for #1.',
    );
    expect(bench.asked).toMatchObject([{ id: 'project.exhausted', question: expect.stringContaining('#2 waits for #1') as string }]);
    expect(page()).toContain('#2 waits for #1');
  });

  test('goes on with what waits, without what is set aside, where a person says so', async () => {
    bench.answers['project.exhausted'] = { option: 'Unblock dependents' };
    const plan = { is: { kind: 'exhausted' as const, detail: exhausted }, head: bench.head() };
    const skipped = [{ feature: 1, reason: 'later', at: 'then' }];
    expect(doneOf(await askAboutExhaustion(bench.project, bench.running({ skipped }, { plan: plan as never })))).toEqual({
      type: 'done',
      changes: [{ type: 'skipped', feature: 1, reason: 'later', unblocks: true }],
      next: { kind: 'again' },
    });
    expect(page()).toBeNull();
  });

  test('ends where nothing waits for what is set aside', async () => {
    bench.answers['project.exhausted'] = { option: 'Unblock dependents' };
    const plan = { is: { kind: 'exhausted' as const, detail: { ...exhausted, blocked: [] } }, head: bench.head() };
    const { changes, next } = doneOf(await askAboutExhaustion(bench.project, bench.running({}, { plan: plan as never })));
    expect({ changes, next }).toMatchObject({
      changes: [],
      next: { kind: 'end', report: { message: expect.stringContaining('Nothing waits') } },
    });
  });
});

describe('a finished project', () => {
  const complete = ended('complete', [], 'all done');
  const offer = async (): Promise<Done> => doneOf(await offerMore(bench.project, bench.running({}, { complete })));

  test('asks nobody who is not there', async () => {
    expect(await offer()).toEqual({ type: 'done', changes: [], next: { kind: 'end', report: complete } });
    expect(bench.asked).toEqual([]);
  });

  test.each([
    ['Maintenance mode', { ...complete, maintains: true }],
    ['Add features', complete],
    ['Something else', complete],
  ])('ends as it is after %s', async (option, report) => {
    bench.answers['project.complete'] = { option };
    expect((await offer()).next).toEqual({ kind: 'end', report });
    expect(bench.told('progress').length).toBe(option === 'Add features' ? 1 : 0);
  });
});
