/**
 * Checks that begin while the rest of the suite still runs.
 *
 * 1. A check may begin early if the facts of the new tests alone are enough for it. All of the feature's tests ran there and were read one by one.
 * 2. Its answer counts only if everything it depends on turns out to be as it was; else the check runs again with all facts.
 * 3. With few processors one waits for the one before it, or until it is wanted: the suite is what everything waits for.
 * 4. Work that is rejected meanwhile does not wait for any of them: what runs is ended.
 */
import { availableParallelism } from 'node:os';
import { testFilesOf } from '../domain/test-files.ts';
import type { TestRun } from '../domain/verdict.ts';
import type { Case } from './case.ts';
import { NO_FACTS, type Check, type CheckId, type CheckResult, type EarlyStart, type Facts } from './check.ts';
import { withoutLoadedAgain } from './checks/loaded-again.ts';
import { isOff } from './instruments.ts';
import { singleTests } from './runners/registry.ts';

export interface EarlyStarts {
  /** The new tests have run. */
  begin(this: void, run: TestRun): void;
  /** The answer of a check that began early; null: it did not, or its facts have changed. */
  take(check: Check, judged: Case, facts: Facts): Promise<CheckResult | null>;
  /** Ends what nobody took. */
  drop(): Promise<void>;
}

interface Begun {
  ending: AbortController;
  want(): void;
  key: Promise<string | null>;
  answer: Promise<CheckResult | null>;
}

const MANY_PROCESSORS = 4;

export function createEarlyStarts(caseNow: () => Case, checks: readonly Check[]): EarlyStarts {
  const begun = new Map<CheckId, Begun>();
  const end = async ({ ending, want, answer }: Begun): Promise<void> => {
    ending.abort();
    want();
    await answer;
  };
  return {
    begin: (run) => {
      const judged = caseNow();
      if (!isEnough(judged, run)) return;
      const facts = factsOf(judged, run);
      void facts.catch(() => {});
      let busy: Promise<unknown> = Promise.resolve();
      for (const check of checks) {
        if (check.early === undefined || isOff(judged, check.id)) continue;
        const one = start(judged, check, { early: check.early, facts, busy });
        begun.set(check.id, one);
        busy = one.answer;
      }
    },
    take: async (check, judged, facts) => {
      const one = begun.get(check.id);
      if (one === undefined || check.early === undefined) return null;
      one.want();
      judged.signal?.addEventListener('abort', () => one.ending.abort(), { once: true });
      if ((await one.key) === (await check.early.key(judged, facts))) return await one.answer;
      await end(one);
      return null;
    },
    drop: async () => {
      await Promise.all([...begun.values()].map(end));
    },
  };
}

interface Start {
  early: EarlyStart;
  facts: Promise<Facts>;
  /** What is answered before this, where processors are few. */
  busy: Promise<unknown>;
}

function start(judged: Case, check: Check, { early, facts, busy }: Start): Begun {
  const ending = new AbortController();
  const signal = judged.signal === undefined ? ending.signal : AbortSignal.any([judged.signal, ending.signal]);
  let want = (): void => {};
  const wanted = new Promise<void>((resolve) => (want = resolve));
  const key = facts.then(async (known) => ((await early.applies(judged, known)) ? await early.key(judged, known) : null)).catch(() => null);
  const answer = async (): Promise<CheckResult | null> => {
    if ((await key) === null) return null;
    if (availableParallelism() < MANY_PROCESSORS) await Promise.race([busy, wanted]);
    return signal.aborted ? null : await check.run({ ...judged, signal }, await facts);
  };
  return { ending, want, key, answer: answer().catch(() => null) };
}

function isEnough({ mode, feature }: Case, run: TestRun): boolean {
  const files = testFilesOf(feature);
  const isWhole = files.length > 0 && files.every((file) => run.tests.some((test) => test.file === file));
  return mode === 'feature' && isWhole && run.consistent && singleTests(run.runner) !== null;
}

async function factsOf({ platform, trees, judged, feature }: Case, run: TestRun): Promise<Facts> {
  const files = testFilesOf(feature);
  const passed = run.tests.filter((test) => files.includes(test.file) && test.status === 'passed').map((test) => test.id);
  const green = await withoutLoadedAgain(platform, trees, judged.tree, [...new Set(passed)]);
  return { ...NO_FACTS, isEarly: true, judged, feature: { run, green } };
}
