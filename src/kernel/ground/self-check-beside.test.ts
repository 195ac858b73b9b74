import { expect, test } from 'vitest';
import type { StoredCheck } from '../documents/self-check-document.ts';
import { selfCheckBeside } from './self-check-beside.ts';

const SOUND: StoredCheck = {
  schema_version: 1,
  harness_version: '0.0.0',
  key: 'k',
  runner: 'node:test',
  state: 'sound',
  passing: [],
  unheld: [],
  detail: '6 planted cheats are noticed',
  checked_at: '2026-01-01T00:00:00.000Z',
  duration_ms: 1,
  accepted: null,
};
const UNSOUND: StoredCheck = { ...SOUND, state: 'unsound', detail: 'planted cheats are accepted: runner' };

/** A check whose honest change passed, and whose cheats are still being judged. */
async function underWay() {
  const beside = selfCheckBeside();
  let finish: (check: StoredCheck) => void = () => {};
  let fail: (error: Error) => void = () => {};
  let aborted: AbortSignal | null = null;
  const first = await beside.begin(async ({ signal, honestPassed }) => {
    aborted = signal;
    honestPassed();
    return await new Promise<StoredCheck>((resolve, reject) => ((finish = resolve), (fail = reject)));
  });
  return { beside, first, finish, fail, isAborted: () => aborted!.aborted };
}

test('what is refused to honest work, or cannot be read, is known before anything begins', async () => {
  const beside = selfCheckBeside();
  expect(await beside.begin(async () => UNSOUND)).toBe(UNSOUND);
  expect(await beside.objection()).toBeNull();
});

test('an acceptance waits for the planted cheats, and stands where they were noticed', async () => {
  const { beside, first, finish } = await underWay();
  expect(first).toBeNull();
  let isDecided = false;
  const objection = beside.objection().finally(() => (isDecided = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDecided).toBe(false);
  finish(SOUND);
  expect(await objection).toBeNull();
  expect(await beside.result()).toBe(SOUND);
  expect(await beside.result()).toBeNull();
});

test('where a cheat passed, every acceptance is a question until a person takes the risk', async () => {
  const { beside, finish } = await underWay();
  finish(UNSOUND);
  expect(await beside.objection()).toMatchObject({ weight: 'ask', reason: 'verification.unsound' });
  expect(await beside.result()).toBe(UNSOUND);
  expect(await beside.objection()).toMatchObject({ weight: 'ask' });
  beside.waive();
  expect(await beside.objection()).toBeNull();
});

test('a check that fails is never taken for one that passed', async () => {
  const { beside, fail } = await underWay();
  fail(new Error('the disk is full'));
  await expect(beside.objection()).rejects.toThrow('the disk is full');
  await expect(beside.result()).rejects.toThrow('the disk is full');
});

test('the end of the run ends it', async () => {
  const { beside, fail, isAborted } = await underWay();
  const ended = beside.end();
  expect(isAborted()).toBe(true);
  fail(new Error('aborted'));
  await ended;
});
