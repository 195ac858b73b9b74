/**
 * Once more in a fresh directory, another order and at another date. Failing in a fresh directory: refused as flaky. Failing only in
 * another order or at another date: asked. An old test that does not stand the same on the base is nobody's fault.
 * Where tests start programs that keep the machine's date, only the order is another one, and the detail records it.
 * Tests that passed there while the code was touched without being made wrong have passed: only others are run again.
 */
import { testFilesOf } from '../../domain/test-files.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { isFailure } from '../../domain/test-results.ts';
import { fileOf, type TestResult, type TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Case, JudgedTree } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import type { Check, CheckResult } from '../check.ts';
import { runSuite } from '../run/suite.ts';
import { singleTests } from '../runners/registry.ts';
import type { RunVariant } from '../runners/runner.ts';
import { anotherDate, bounded, datedFinding, lostIn, make, orderOf, tellsNothing, testsOf, unreachedWords } from './again.ts';
import { hasProof, plainRunOf } from './plain-run.ts';
import { beforeWords, lostAnew } from './lost-anew.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

export const REPEAT: Check = {
  id: 'repeat',
  title: 'reruns',
  weight: 'reject',
  after: ['red'],
  cost: 'trial',
  ends: true,
  applies: hasProof,
  run: async (judged, facts) => {
    const green = facts.feature?.green ?? [];
    const isRepeated = green.every((id) => facts.red.repeated.includes(id));
    const plain = isRepeated ? null : await plainRunOf(judged, facts);
    return plain === null
      ? { findings: [], detail: `${green.length} of ${green.length} pass again` }
      : await checkRepeat(judged, green, plain);
  },
  doc: "The feature's tests pass again in a fresh directory, in another order and on another date.",
};

/** Ids of tests that pass elsewhere with these edits, at another date and in another order. */
export async function passingElsewhere(input: Case, plain: TestRun, edits: readonly TreeEdit[]): Promise<ReadonlySet<string>> {
  const { platform, judged } = input;
  const { variant, tree } = orderOf(platform, plain);
  const run = await runSuite(platform, {
    ...input,
    ...bounded(input, plain),
    cache: undefined,
    tree: await input.trees.compose(await tree(input, judged), [...edits]),
    files: testFilesOf(input.feature),
    room: 'repeat',
    fresh: true,
    variant: datedLike(platform, variant),
    purpose: 'repeat',
    mixed: true,
  });
  return new Set(run.tests.filter((test) => test.status === 'passed').map((test) => test.id));
}

const MOST_ORDERS = 4;

/** What a failure says first, without the place. */
function failureOf({ message = '' }: TestResult): string {
  return beforeFirst(message, '\n').trim();
}

function datedLike(platform: Platform, variant: RunVariant): RunVariant {
  return { ...variant, clockShiftMs: anotherDate(platform, 'near'), alone: true };
}

async function checkRepeat(input: Case, green: readonly string[], plain: TestRun): Promise<CheckResult> {
  const { platform, judged } = input;
  const files = testFilesOf(input.feature);
  const single = singleTests(plain.runner);
  const { variant: shuffle, tree: inOrder } = orderOf(platform, plain);
  const before = new Set<string>();
  const accepted = new Set(input.baseline?.passing_tests ?? []);
  /** Tests fall in another order as accepted ones of their file do on the code from before: they need the same that those need. */
  let isInOneOrder = false;
  /** Why failures of the last run at another date do not count; null: they do. */
  let undated: string | null = null;
  const elsewhere = (
    tree: string,
    files: readonly string[],
    variant: RunVariant | undefined,
    of: { cache?: JudgeInput['cache']; compared?: true } = {},
  ): Promise<TestRun> =>
    runSuite(platform, {
      ...input,
      ...bounded(input, plain),
      cache: undefined,
      ...of,
      tree,
      files,
      room: 'repeat',
      fresh: true,
      ...(variant === undefined ? {} : { variant }),
      purpose: 'repeat',
    });
  const onBase = { compared: true as const, ...(input.cache === undefined ? {} : { cache: input.cache }) };
  const run = async (isReversed: boolean, variant: RunVariant | undefined): Promise<string[]> => {
    const treeOf = async (from: Pick<JudgedTree, 'tree'>): Promise<string> => (isReversed ? await inOrder(input, from) : from.tree);
    const wanted = green.filter((id) => !before.has(id));
    const now = await elsewhere(await treeOf(judged), files, variant);
    undated = (now.unreached ?? []).length > 0 ? unreachedWords(now) : null;
    const seed = variant?.shuffleSeed;
    let then: TestRun | null = null;
    const askBase = async (there: readonly string[]): Promise<TestRun> =>
      (then ??= await elsewhere(await treeOf(input.base), there, variant, onBase));
    const found = await lostAnew(input, lostIn(now, wanted), async (there, ids) => lostIn(await askBase(there), ids));
    // Where not one test comes to an end in this way, before the session neither, new tests of the same files cannot.
    const isNobodys = then !== null && tellsNothing(then) && tellsNothing(now);
    for (const id of isNobodys ? wanted : found.before) before.add(id);
    if (!isReversed || isNobodys || found.anew.length === 0) return isNobodys ? [] : found.anew;
    const known = files.filter((file) => [...accepted].some((id) => fileOf(id) === file));
    let left = found.anew;
    // Of orders by chance, one may be such that no accepted test falls.
    for (let at = 0; at < (seed === undefined ? 1 : MOST_ORDERS) && known.length > 0 && left.length > 0; at += 1) {
      const other =
        at === 0 ? await askBase(known) : await elsewhere(input.base.tree, known, { ...variant, shuffleSeed: seed! + at }, onBase);
      const fallen = other.tests.filter(isFailure);
      const isOfOrder = (line: string): boolean => {
        const test = now.tests.find((one) => line.startsWith(`${one.id} (`));
        return test !== undefined && fallen.some((one) => one.file === test.file && failureOf(one) === failureOf(test));
      };
      left = left.filter((line) => !isOfOrder(line));
    }
    if (left.length < found.anew.length) isInOneOrder = true;
    return left;
  };
  let atDate = single !== null ? datedLike(platform, shuffle) : undefined;
  const inAnyOrder = async (): Promise<string[]> => {
    const inOrderOfTheirs = await run(true, atDate);
    // Their order being what it is, they are asked at another date by itself.
    return !isInOneOrder || inOrderOfTheirs.length > 0 || atDate === undefined
      ? inOrderOfTheirs
      : await run(false, datedLike(platform, {}));
  };
  let first = await inAnyOrder();
  let notAsked = '';
  if (first.length > 0 && undated !== null) {
    notAsked = `; ${String(undated)}`;
    atDate = undefined;
    before.clear();
    isInOneOrder = false;
    first = await run(true, { ...shuffle, alone: true });
  }
  const held = green.length - before.size;
  const detail = `${held - first.length} of ${held} pass again${beforeWords([...before])}${notAsked}`;
  if (first.length === 0) return { findings: [], detail };
  const idsOf = (lines: readonly string[]): string[] => green.filter((id) => lines.some((line) => line.startsWith(`${id} (`)));
  const subject = testsOf(idsOf(first));
  const verb = (one: string, many: string): string => (idsOf(first).length === 1 ? one : many);
  if (input.untilObjection === true)
    return { findings: [make('repeat', 'test.flaky', 'ask', `${subject} ${verb('fails', 'fail')} when rerun elsewhere`, first)], detail };
  const same = await run(false, undefined);
  if (same.length > 0)
    return {
      findings: [
        make('repeat', 'test.flaky', 'reject', `${testsOf(idsOf(same))} passed once, then failed when rerun in a fresh directory`, same),
      ],
      detail,
    };
  const ordered = await run(true, shuffle);
  const dates = isInOneOrder && atDate !== undefined ? datedLike(platform, {}) : atDate;
  const dated = ordered.length > 0 || dates === undefined ? [] : await run(!isInOneOrder, dates);
  if (dated.length > 0) {
    const shiftMs = dates?.clockShiftMs ?? 0;
    return { findings: [datedFinding(input, 'repeat', { ids: idsOf(first), subjects: first, shiftMs })], detail };
  }
  const message =
    ordered.length > 0
      ? `${subject} ${verb('passes', 'pass')} only in one order`
      : `${subject} failed once, then passed when rerun under the same conditions`;
  return { findings: [make('repeat', 'test.flaky', 'ask', message, first)], detail };
}
