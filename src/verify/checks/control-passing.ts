/** Files with planted tests that pass: there the tests themselves have to pass, whatever chance gives. */
import type { Finding, TestResult, TestRun } from '../../domain/verdict.ts';
import type { JudgeInput } from '../contract.ts';
import type { RunVariant } from '../runners/runner.ts';
import type { Subject } from './control-subject.ts';

export type Chance = NonNullable<RunVariant['chance']>;

/** A run of these texts; `onBase`: on the code from before. */
type Rerun = (texts: ReadonlyMap<string, string>, more: { chance?: Chance; onBase?: boolean }) => Promise<TestRun>;

/**
 * The tests themselves, in a run that code cannot tell from the one in which they had to fail; accepted ones then without the
 * feature's beside them, so that its code cannot mend for a moment what it broke. Twice, because of flakes. Random numbers come from the
 * upper end of their range in one of the runs and from the lower, at another date, in the other: accepted tests that pass by chance now, and did not
 * before, are asked about.
 */
export async function judgePassing(input: JudgeInput, subjects: readonly Subject[], plain: TestRun, run: Rerun): Promise<Finding[]> {
  const accepted = subjects.filter((one) => !one.isFeature);
  const rounds: [readonly Subject[], Chance, string][] = [
    [subjects, 'high', 'tests that passed do not pass in a run like that of the controls, with other tests beside them'],
    [accepted, 'low', "tests that counted before pass only together with the feature's tests"],
  ];
  for (const [some, chance, message] of rounds) {
    const findings =
      some.length === 0 ? [] : await judgeRound(input, some, plain, run, { chance: accepted.length === 0 ? undefined : chance, message });
    if (findings.length > 0) return findings;
  }
  return [];
}

async function judgeRound(
  input: JudgeInput,
  some: readonly Subject[],
  plain: TestRun,
  run: Rerun,
  { chance, message }: { chance: Chance | undefined; message: string },
): Promise<Finding[]> {
  const baseline = new Set(input.baseline?.passing_tests ?? []);
  const texts = (subjects: readonly Subject[]): Map<string, string> => new Map(subjects.map((one) => [one.file, one.passing.text]));
  const lostIn = ({ tests }: TestRun): string[] => {
    const passed = new Set(tests.filter((test) => test.status === 'passed').map((test) => test.id));
    const isWanted = (test: TestResult): boolean =>
      some.some((one) => one.file === test.file && (one.isFeature || baseline.has(test.id))) && test.status === 'passed';
    return plain.tests.filter((test) => isWanted(test) && !passed.has(test.id)).map((test) => test.id);
  };
  const ask = (words: string, ids: readonly string[]): Finding[] =>
    ids.length === 0 ? [] : [{ check: 'controls', reason: 'tamper.toolchain', weight: 'ask', message: words, subjects: ids.slice(0, 50) }];
  const first = lostIn(await run(texts(some), chance === undefined ? {} : { chance }));
  if (first.length === 0) return [];
  const again = lostIn(await run(texts(some), {})).filter((id) => first.includes(id));
  if (again.length > 0) return ask(message, again);
  const chosen = some.filter((one) => !one.isFeature);
  if (chance === undefined || chosen.length === 0 || !first.some((id) => baseline.has(id))) return [];
  const before = lostIn(await run(texts(chosen), { chance, onBase: true }));
  const [unsteady] = [first.filter((id) => baseline.has(id) && !before.includes(id))];
  return ask('tests that were steady before pass or fail by chance or by the date now', unsteady);
}
