import { describe, expect, test } from 'vitest';
import type { TestRun, TestStatus } from '../domain/verdict.ts';
import { joinRepeated, repeatedWords, repeatFailures, type RunAgain } from './repeats.ts';

type Results = Readonly<Record<string, TestStatus>>;

const runOf = (results: Results, more: Partial<TestRun> = {}): TestRun => ({
  runner: 'node:test',
  command: [],
  files: [],
  exit_code: 0,
  timed_out: false,
  consistent: true,
  problems: [],
  tests: Object.entries(results).map(([id, status]) => ({ id, file: id.split('::')[0]!, name: id, status })),
  duration_ms: 1,
  sandboxed: true,
  output_tail: '',
  ...more,
});

/** Gives these results one after the other, the last one for ever; `beside`: with everything else in the run. */
function side(alone: readonly Results[], beside: readonly Results[] = []): { run: RunAgain; asked: (readonly string[] | null)[] } {
  const asked: (readonly string[] | null)[] = [];
  const left = { alone: [...alone], beside: [...beside] };
  const run: RunAgain = async (files) => {
    asked.push(files);
    const some = left[files === null ? 'beside' : 'alone'];
    return runOf((some.length > 1 ? some.shift() : some[0]) ?? {});
  };
  return { run, asked };
}

const [PASS, FAIL]: Results[] = [{ 'a.js::x': 'passed' }, { 'a.js::x': 'failed' }];
const outcome = async (
  here: readonly Results[],
  there: readonly Results[] | null,
  more: { beside?: [Results[], Results[]]; failed?: string[] } = {},
): Promise<{ outcome: unknown; here: number; there: number }> => {
  const [candidate, base] = [side(here, more.beside?.[0]), side(there ?? [], more.beside?.[1])];
  const found = await repeatFailures({
    failed: more.failed ?? ['a.js::x'],
    onCandidate: candidate.run,
    onBase: there === null ? null : base.run,
    isOnBase: () => there !== null,
    isPartOfMore: more.beside !== undefined,
  });
  const kinds = (['counts', 'flaky', 'unsteady', 'before'] as const).filter((kind) => found[kind].length > 0);
  return { outcome: kinds.join(), here: candidate.asked.length, there: base.asked.length };
};

describe('a failure', () => {
  test('counts if it repeats on the candidate and never occurs on base', async () => {
    expect(await outcome([FAIL!], [PASS!])).toEqual({ outcome: 'counts', here: 2, there: 3 });
    expect(await outcome([{}], [PASS!])).toMatchObject({ outcome: 'counts' });
  });

  test('is flaky if it does not repeat and base is steady', async () => {
    expect(await outcome([FAIL!, PASS!], [PASS!])).toEqual({ outcome: 'flaky', here: 2, there: 3 });
    expect(await outcome([PASS!], [PASS!])).toMatchObject({ outcome: 'flaky' });
  });

  test('is a property of the project if it occurs on base', async () => {
    expect(await outcome([FAIL!], [FAIL!])).toEqual({ outcome: 'before', here: 0, there: 1 });
    expect(await outcome([FAIL!], [PASS!, PASS!, FAIL!])).toEqual({ outcome: 'unsteady', here: 2, there: 3 });
  });

  test('of a new test counts if it repeats', async () => {
    expect(await outcome([FAIL!], null)).toEqual({ outcome: 'counts', here: 2, there: 0 });
    expect(await outcome([PASS!, FAIL!], null)).toMatchObject({ outcome: 'flaky' });
  });

  test('that occurs only beside other tests is decided by a run of all of them on both sides', async () => {
    expect(await outcome([PASS!], [PASS!], { beside: [[FAIL!], [PASS!]] })).toEqual({ outcome: 'counts', here: 3, there: 4 });
    expect(await outcome([PASS!], [PASS!], { beside: [[PASS!], [PASS!]] })).toMatchObject({ outcome: 'flaky' });
    expect(await outcome([PASS!], [PASS!], { beside: [[FAIL!], [FAIL!]] })).toMatchObject({ outcome: 'before', here: 2 });
    expect(await outcome([{}], [{}], { beside: [[FAIL!], [PASS!]] })).toMatchObject({ outcome: 'counts' });
    expect(await outcome([{}], [PASS!], { beside: [[FAIL!], [PASS!]] })).toMatchObject({ outcome: 'counts', here: 2 });
  });
});

test('of many files that fail together only some are repeated while one of them counts', async () => {
  const failed = Array.from({ length: 20 }, (_, at) => `${at}.js::x`);
  const status = (now: TestStatus, ids: readonly string[]): Results => Object.fromEntries(ids.map((id) => [id, now]));
  const candidate = side([status('failed', failed)]);
  const base = side([status('passed', failed)]);
  const ask = { failed, onCandidate: candidate.run, onBase: base.run, isOnBase: () => true };
  expect((await repeatFailures(ask)).counts).toEqual(failed);
  expect(Math.max(...candidate.asked.map((files) => files!.length))).toBeLessThan(10);
  const old = failed.slice(0, 10);
  const mixed = await repeatFailures({ ...ask, onBase: side([{ ...status('passed', failed), ...status('failed', old) }]).run });
  expect([mixed.before, mixed.counts]).toEqual([old, failed.slice(10)]);
});

test('a run that did not reach every process proves nothing', async () => {
  const run = async (): Promise<TestRun> => runOf(FAIL!, { unreached: ['git'] });
  const found = await repeatFailures({ failed: ['a.js::x'], onCandidate: run, onBase: null, isOnBase: () => false });
  expect([found.counts, found.flaky, found.unreached]).toEqual([[], [], ['git']]);
  expect(repeatedWords(found)).toBe('; undecided, because the tests start git');
});

test('what counts in one of several runs counts', async () => {
  const blank = { counts: [], flaky: [], unsteady: [], before: [], unreached: [], runs: [] };
  const found = joinRepeated([
    { ...blank, flaky: ['a', 'b'] },
    { ...blank, counts: ['a'], unsteady: ['b'], before: ['c'] },
  ]);
  expect(found).toEqual({ ...blank, counts: ['a'], flaky: ['b'], before: ['c'] });
});
