/**
 * A check of the feature's own tests, asked while the rest of the suite still runs.
 *
 * 1. Only where no accepted test reaches what was changed, or runs in a changed version: then the question needs nothing of the other tests.
 * 2. With few processors it waits for what is asked ahead of it, or until the suite is done: the suite is what all wait for.
 * 3. The answer counts only for the tests that it was asked with; work that is refused meanwhile does not wait for it.
 */
import { availableParallelism } from 'node:os';
import { testFilesOf } from '../domain/test-files.ts';
import type { CheckName, TestRun } from '../domain/verdict.ts';
import { wantedFrom } from './checks/again.ts';
import type { Case } from './case.ts';
import { changedTests, reachedFiles } from './checks/check-reach.ts';
import { isOff } from './instruments.ts';
import { singleTests } from './runners/registry.ts';

export interface AskedAlone<Answer> {
  /** The new tests have run; `busy` ends with what is asked about them before this. What comes back ends with the answer. */
  begin(run: TestRun, busy: Promise<unknown>): Promise<unknown>;
  /** The answer for what passed in this run; null where it was not asked. */
  take(plain: TestRun): Promise<Answer | null>;
  drop(): Promise<void>;
}

type Ask<Answer> = (input: Case, run: TestRun) => Promise<Answer | null>;

const MANY_PROCESSORS = 4;

export function askedAlone<Answer>(input: Case, check: CheckName, ask: Ask<Answer>): AskedAlone<Answer> {
  const ending = new AbortController();
  const signal = input.signal === undefined ? ending.signal : AbortSignal.any([input.signal, ending.signal]);
  const own = testFilesOf(input.feature);
  const isAsked = input.mode === 'feature' && own.length > 0 && !isOff(input, check);
  let isWanted = (): void => {};
  const wanted = new Promise<void>((resolve) => (isWanted = resolve));
  let begun: { ids: readonly string[]; answer: Promise<Answer | null> } | null = null;
  const answerFor = async (run: TestRun, busy: Promise<unknown>): Promise<Answer | null> => {
    if (changedTests(input, own).length > 0 || (await reachedFiles(input, own)).length > 0) return null;
    if (availableParallelism() < MANY_PROCESSORS) await Promise.race([busy, wanted]);
    return signal.aborted ? null : await ask({ ...input, signal }, run);
  };
  const drop = async (): Promise<void> => {
    ending.abort();
    isWanted();
    await begun?.answer;
    begun = null;
  };
  return {
    begin: async (run, busy) => {
      const isRead = run.consistent && singleTests(run.runner) !== null;
      const isWhole = own.every((file) => run.tests.some((test) => test.file === file));
      if (!isAsked || !isRead || !isWhole) return;
      begun = { ids: wantedFrom(run, input, own), answer: answerFor(run, busy).catch(() => null) };
      await begun.answer;
    },
    take: async (plain) => {
      isWanted();
      const ids = new Set(wantedFrom(plain, input, own));
      if (begun !== null && begun.ids.length === ids.size && begun.ids.every((id) => ids.has(id))) return await begun.answer;
      await drop();
      return null;
    },
    drop,
  };
}
