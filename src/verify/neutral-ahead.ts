/**
 * The feature's tests without the marks of a test run, asked while the rest of the suite still runs.
 *
 * 1. Only where no accepted test reaches what was changed: then the question needs nothing of the other tests.
 * 2. With few processors it waits for what is asked ahead of it, or until the suite is done: the suite is what all wait for.
 * 3. The answer counts only for the tests that it was asked with; work that is refused meanwhile does not wait for it.
 */
import { availableParallelism } from 'node:os';
import { testFilesOf } from '../domain/test-files.ts';
import type { TestRun } from '../domain/verdict.ts';
import { wantedFrom } from './checks/again.ts';
import { checkNeutral } from './checks/check-neutral.ts';
import type { JudgedTree } from './checks/check-protected.ts';
import { reachedFiles } from './checks/check-reach.ts';
import type { CheckResult, Docket } from './docket.ts';
import { singleTests } from './runners/registry.ts';

export interface NeutralAhead {
  /** The new tests have run; `busy` ends with what is asked about them beside. */
  begin(run: TestRun, busy: Promise<unknown>): void;
  /** The answer for what passed in this run; null where it was not asked. */
  take(plain: TestRun): Promise<CheckResult | null>;
  drop(): Promise<void>;
}

const MANY_PROCESSORS = 4;

export function neutralAhead({ platform, input }: Docket, judged: JudgedTree): NeutralAhead {
  const ending = new AbortController();
  const signal = input.signal === undefined ? ending.signal : AbortSignal.any([input.signal, ending.signal]);
  const own = testFilesOf(input.feature);
  const isAsked = input.mode === 'feature' && own.length > 0 && input.disabledChecks?.has('neutral') !== true;
  let isWanted = (): void => {};
  const wanted = new Promise<void>((resolve) => (isWanted = resolve));
  let begun: { ids: readonly string[]; answer: Promise<CheckResult | null> } | null = null;
  const answerFor = async (run: TestRun, busy: Promise<unknown>): Promise<CheckResult | null> => {
    if ((await reachedFiles(input, judged, own)).length > 0) return null;
    if (availableParallelism() < MANY_PROCESSORS) await Promise.race([busy, wanted]);
    return signal.aborted ? null : await checkNeutral(platform, { ...input, signal }, judged, run);
  };
  const drop = async (): Promise<void> => {
    ending.abort();
    isWanted();
    await begun?.answer;
    begun = null;
  };
  return {
    begin: (run, busy) => {
      const isRead = run.consistent && singleTests(run.runner) !== null;
      if (isAsked && isRead) begun = { ids: wantedFrom(run, input, own), answer: answerFor(run, busy).catch(() => null) };
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
