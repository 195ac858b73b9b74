/** Files with planted tests that pass: there the tests themselves have to pass, whatever chance and the date give. */
import type { Finding, TestResult, TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import type { RunVariant } from '../runners/runner.ts';
import { anotherDate, datedFinding, tellsNothing, unreachedWords } from './again.ts';
import type { Subject } from './control-subject.ts';

type Elsewhere = Pick<RunVariant, 'chance' | 'clockShiftMs'>;

/** A run of these texts; `onBase`: on the code from before. */
type Rerun = (texts: ReadonlyMap<string, string>, more: Elsewhere & { onBase?: boolean }) => Promise<TestRun>;

interface Passing {
  subjects: readonly Subject[];
  plain: TestRun;
  begun?: BegunPassing | null;
  /** Takes what could not be asked. */
  caveats?: string[];
}

/** The first run of tests that are the feature's alone, made before it is known whether it is needed. */
export interface BegunPassing {
  subjects: readonly Subject[];
  elsewhere: Elsewhere;
  once: Promise<TestRun>;
}

export function beginPassing(platform: Platform, subjects: readonly Subject[], run: Rerun): BegunPassing {
  const elsewhere: Elsewhere = { clockShiftMs: anotherDate(platform, 'far') };
  const once = run(textsOf(subjects), elsewhere);
  once.catch(() => {});
  return { subjects, elsewhere, once };
}

/**
 * The tests themselves, in a run that code cannot tell from the one in which they had to fail; accepted ones then without the
 * feature's beside them, so that its code cannot mend for a moment what it broke. Twice, because of flakes. Random numbers come from the
 * upper end of their range and from the lower, and the date is one within a year and one beyond it: accepted tests that pass by chance or by the
 * date now, and did not before, are asked about, and so are tests of the feature that pass at one date only. Files that do not stand each other
 * (one loads the other) did not before either.
 */
export async function judgePassing(
  input: OpenCase,
  { subjects, plain, begun = null, caveats = [] }: Passing,
  run: Rerun,
): Promise<Finding[]> {
  const { platform } = input;
  if (begun !== null && begun.subjects.length === subjects.length)
    return await judgeRound(input, { subjects, plain, caveats }, run, {
      elsewhere: begun.elsewhere,
      message: BESIDE_OTHERS,
      once: begun.once,
    });
  const accepted = subjects.filter((one) => !one.isFeature);
  const isAlone = accepted.length === 0;
  const rounds: [readonly Subject[], Elsewhere, string][] = [
    [subjects, { ...(isAlone ? {} : { chance: 'high' }), clockShiftMs: anotherDate(platform, isAlone ? 'far' : 'near') }, BESIDE_OTHERS],
    [accepted, { chance: 'low', clockShiftMs: anotherDate(platform, 'far') }, "accepted tests pass only together with the feature's tests"],
  ];
  for (const [some, elsewhere, message] of rounds) {
    const findings = some.length === 0 ? [] : await judgeRound(input, { subjects: some, plain, caveats }, run, { elsewhere, message });
    if (findings.length > 0) return findings;
  }
  return [];
}

const BESIDE_OTHERS = 'tests that passed fail when control tests that pass are planted next to them';

function textsOf(subjects: readonly Subject[]): Map<string, string> {
  return new Map(subjects.map((one) => [one.file, one.passing.text]));
}

async function judgeRound(
  input: OpenCase,
  { subjects: some, plain, caveats = [] }: Passing,
  run: Rerun,
  { elsewhere, message, once: begun }: { elsewhere: Elsewhere; message: string; once?: Promise<TestRun> },
): Promise<Finding[]> {
  const baseline = new Set(input.baseline?.passing_tests ?? []);
  const lostIn = ({ tests }: TestRun): string[] => {
    const passed = new Set(tests.filter((test) => test.status === 'passed').map((test) => test.id));
    const isWanted = (test: TestResult): boolean =>
      some.some((one) => one.file === test.file && (one.isFeature || baseline.has(test.id))) && test.status === 'passed';
    return plain.tests.filter((test) => isWanted(test) && !passed.has(test.id)).map((test) => test.id);
  };
  const ask = (words: string, ids: readonly string[], reason: Finding['reason'] = 'tamper.toolchain'): Finding[] =>
    ids.length === 0 ? [] : [{ check: 'controls', reason, weight: 'ask', message: words, subjects: ids.slice(0, 50) }];
  const once = await (begun ?? run(textsOf(some), elsewhere));
  const first = lostIn(once);
  if (first.length === 0) return [];
  const again = lostIn(await run(textsOf(some), {})).filter((id) => first.includes(id));
  if (again.length > 0) {
    const known = again.some((id) => baseline.has(id)) ? lostIn(await run(await textsBefore(input, some), { onBase: true })) : [];
    return ask(
      message,
      again.filter((id) => !baseline.has(id) || !known.includes(id)),
    );
  }
  if ((once.unreached ?? []).length > 0) {
    caveats.push(unreachedWords(once));
    return [];
  }
  if (!first.some((id) => baseline.has(id))) {
    const { clockShiftMs } = elsewhere;
    const dated = (clockShiftMs === undefined ? [] : lostIn(await run(textsOf(some), { clockShiftMs }))).filter((id) => first.includes(id));
    return dated.length === 0 ? [] : [datedFinding(input, 'controls', { ids: dated, subjects: dated, shiftMs: clockShiftMs ?? 0 })];
  }
  // Where not one test came to an end, the feature's file may have been the cause before the session too.
  const asked = tellsNothing(once) ? await textsBefore(input, some) : textsOf(some.filter((one) => !one.isFeature));
  const before = lostIn(await run(asked, { ...elsewhere, onBase: true }));
  const unsteady = first.filter((id) => baseline.has(id) && !before.includes(id));
  return ask('tests that were steady on base now depend on chance or on the date', unsteady);
}

/** The same files before the session: the feature's in the version that it had, where it had one. */
async function textsBefore({ trees, base }: JudgeInput, some: readonly Subject[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { file, isFeature, passing } of some) {
    const text = isFeature ? (await trees.read(base.tree, file))?.toString('utf8') : passing.text;
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}
