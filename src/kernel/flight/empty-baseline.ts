/**
 * A baseline of nothing: files of tests are there, and the test command tells of none of them. No claim can be accepted then, so that nobody
 * is paid for one.
 */
import { firstErrorLine } from '../../domain/first-error.ts';
import { isFailure } from '../../domain/test-results.ts';
import type { TestResult, TestRun } from '../../domain/verdict.ts';
import { isTestFile, isTestPath } from '../../verify/checks/protected-paths.ts';
import type { FlightPlace } from './contract.ts';

/** Why nothing could be told about any test; null: something was, or no tests are there yet. `unwritten`: test files of features still open. */
export async function causeOfNothing(
  place: Pick<FlightPlace, 'trees'>,
  tree: string,
  unwritten: ReadonlySet<string>,
  run: TestRun,
): Promise<string | null> {
  const cause = nothingTold(run);
  return cause !== null && (await holdsTests(place, tree, unwritten, run)) ? cause : null;
}

/** Files that could not be run tell of no test, and neither does a command that is known by its exit status alone and fails. */
function nothingTold({ runner, tests, problems, output_tail }: TestRun): string | null {
  const isWhole = (test: TestResult): boolean => (test.name === '(file)' || runner === 'exit-code') && isFailure(test);
  if (tests.some((test) => !isWhole(test))) return null;
  const said = problems[0] ?? tests.find((test) => test.name === '(file)')?.message?.split('\n')[0];
  return said ?? (firstErrorLine(output_tail) || 'the test command reported no tests');
}

/** By its name, or because the command could not run what it found: a folder of tests has files of other names too. */
async function holdsTests(
  { trees }: Pick<FlightPlace, 'trees'>,
  tree: string,
  unwritten: ReadonlySet<string>,
  run: TestRun,
): Promise<boolean> {
  const present = (await trees.list(tree)).map(({ path }) => path).filter((path) => !unwritten.has(path));
  const told = new Set(run.tests.map((test) => test.file));
  const isLike = run.problems.length > 0 || run.runner === 'exit-code' ? isTestPath : isTestFile;
  return present.some((path) => told.has(path) || isLike(path) || /^tests?\.[cm]?[jt]sx?$/.test(path));
}
