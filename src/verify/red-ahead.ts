/**
 * Whether the feature's tests notice other code, asked while the rest of the suite still runs.
 *
 * 1. The question needs nothing of the other tests: it begins when the feature's own have passed beside them.
 * 2. The answer counts only where everything that it was asked with turned out as it was taken to be; else it is asked again.
 * 3. Work that is refused meanwhile does not wait for it: what runs is ended.
 */
import { testFilesOf } from '../domain/test-files.ts';
import type { TreeEdit } from '../domain/tree.ts';
import type { TestRun } from '../domain/verdict.ts';
import { checkRed, type RedCheck } from './checks/check-red.ts';
import { passingElsewhere } from './checks/check-repeat.ts';
import type { Case, JudgedTree } from './case.ts';
import { collectedFiles, testSideOf, type TestSide } from './checks/test-side.ts';
import { withoutLoadedAgain } from './checks/loaded-again.ts';
import type { JudgeInput } from './contract.ts';
import { isOff } from './instruments.ts';
import { singleTests } from './runners/registry.ts';

export interface RedQuestion {
  /** Tests of the feature that passed, without those that only moved. */
  green: readonly string[];
  isOfTests: TestSide;
}

export interface RedAnswer extends RedCheck {
  /** Everything passed again elsewhere, in another order and at another date. */
  isRepeated: boolean;
}

export interface RedAhead {
  /** The new tests have run; what comes back ends with the answer. */
  begin(run: TestRun): Promise<unknown>;
  /** The answer to this question; null where it was not asked. */
  take(question: RedQuestion): Promise<RedAnswer | null>;
  drop(): Promise<void>;
}

export async function askRed(input: Case, { green, isOfTests, plain }: RedQuestion & { plain: TestRun | null }): Promise<RedAnswer> {
  let isRepeated = false;
  const elsewhere = async (edits: readonly TreeEdit[]): Promise<ReadonlySet<string>> => {
    const passed = await passingElsewhere(input, plain!, edits);
    isRepeated = green.every((id) => passed.has(id));
    return passed;
  };
  const checked = await checkRed(input, {
    green,
    isOfTests,
    duration: plain?.duration_ms ?? 0,
    elsewhere: plain === null || singleTests(plain.runner) === null ? undefined : elsewhere,
  });
  return { ...checked, isRepeated };
}

export function redAhead(input: Case): RedAhead {
  const { platform, judged } = input;
  const ending = new AbortController();
  const signal = input.signal === undefined ? ending.signal : AbortSignal.any([input.signal, ending.signal]);
  const isAsked = input.mode === 'feature' && input.settings.verification.red_check && !isOff(input, 'red');
  let begun: { question: Promise<RedQuestion | null>; answer: Promise<RedAnswer | null> } | null = null;
  const questionAfter = async (run: TestRun): Promise<RedQuestion | null> => {
    const passed = ownTests(input, run);
    if (passed === null) return null;
    const green = await withoutLoadedAgain(platform, input.trees, judged.tree, passed);
    return { green, isOfTests: testSideOf(collectedFiles(input, [run])) };
  };
  const drop = async (): Promise<void> => {
    ending.abort();
    await begun?.answer;
    begun = null;
  };
  return {
    begin: async (run) => {
      if (!isAsked) return;
      const question = questionAfter(run).catch(() => null);
      const answer = question.then((asked) => asked && askRed({ ...input, signal }, { ...asked, plain: run }));
      begun = { question, answer: answer.catch(() => null) };
      await begun.answer;
    },
    take: async (question) => {
      const asked = await begun?.question;
      if (begun !== null && asked && isSame(judged, asked, question)) return await begun.answer;
      await drop();
      return null;
    },
    drop,
  };
}

/** The feature's tests, where all of them are read one by one and passed. */
function ownTests({ feature }: JudgeInput, run: TestRun): string[] | null {
  const files = testFilesOf(feature);
  const own = run.tests.filter((test) => files.includes(test.file));
  const isWhole = files.length > 0 && files.every((file) => own.some((test) => test.file === file));
  if (!isWhole || !run.consistent || singleTests(run.runner) === null || own.some((test) => test.status !== 'passed')) return null;
  return [...new Set(own.map((test) => test.id))];
}

/** The same tests, and the same files of the session taken for tests. */
function isSame({ changes }: JudgedTree, one: RedQuestion, other: RedQuestion): boolean {
  const green = new Set(other.green);
  return (
    one.green.length === green.size &&
    one.green.every((id) => green.has(id)) &&
    changes.every(({ path }) => one.isOfTests(path) === other.isOfTests(path))
  );
}
