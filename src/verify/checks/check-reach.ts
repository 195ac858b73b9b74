/** Accepted test files that meet what the session changed: they are looked at as closely as the feature's own. */
import { fileOf, type TestRun } from '../../domain/verdict.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { Case } from '../case.ts';
import { filesReaching } from './reach.ts';
import { languageOf } from '../source/source.ts';
import type { Dice } from './plant.ts';
import { isTestFile } from './protected-paths.ts';

const MOST_FILES = 10;
/** Of slow ones, fewer: as many as run in this time together, but never fewer than these. */
const FILES_MS = 1_500;
const LEAST_FILES = 3;

/** A handful, chosen at random so that the choice cannot be guessed. `most`: instead of ten. */
export async function chooseReached(input: Case, own: readonly string[], dice: Dice, most = MOST_FILES): Promise<string[]> {
  const reached = await reachedFiles(input, own);
  const chosen: string[] = [];
  while (reached.length > 0 && chosen.length < most) chosen.push(...reached.splice(dice(reached.length), 1));
  return chosen;
}

/** How many files of this run's pace are looked at closely, whatever the length of the suite. */
export function mostAtThisPace({ duration_ms, tests }: TestRun): number {
  const files = new Set(tests.map((test) => test.file)).size;
  const fitting = duration_ms <= 0 ? MOST_FILES : Math.floor((FILES_MS * files) / duration_ms);
  return Math.min(MOST_FILES, Math.max(LEAST_FILES, fitting));
}

/** All of them. */
export async function reachedFiles(input: Case, own: readonly string[]): Promise<string[]> {
  const { judged } = input;
  const changed = [...changedSources(input), ...changedHelpers(input)];
  const accepted = [...new Set((input.baseline?.passing_tests ?? []).map(fileOf))].filter(
    (file) => !own.includes(file) && languageOf(file) !== null,
  );
  return await filesReaching(input.trees, judged.tree, accepted, new Set(changed));
}

/** Files with code that the candidate brought and that are run as they are; test files aside, by their name or because tests ran in them. */
export function changedSources(input: Pick<Case, 'feature' | 'baseline' | 'judged'>): string[] {
  const { judged } = input;
  const replaced = new Set(judged.edits.map((edit) => edit.path));
  const tests = new Set([...testFilesOf(input.feature), ...(input.baseline?.passing_tests ?? []).map(fileOf)]);
  return judged.changes
    .filter(
      (change) =>
        change.to !== null &&
        !replaced.has(change.path) &&
        languageOf(change.path) !== null &&
        !isTestFile(change.path) &&
        !tests.has(change.path),
    )
    .map((change) => change.path);
}

/** Accepted test files that run in a changed version. */
export function changedTests(input: Pick<Case, 'baseline' | 'judged'>, own: readonly string[]): string[] {
  const accepted = new Set((input.baseline?.passing_tests ?? []).map(fileOf));
  return input.judged.contract.filter((file) => !own.includes(file) && accepted.has(file) && languageOf(file) !== null);
}

/** What tests rely on and is no test itself. */
function changedHelpers(input: Pick<Case, 'feature' | 'baseline' | 'judged'>): string[] {
  const { judged } = input;
  const replaced = new Set(judged.edits.map((edit) => edit.path));
  const tests = new Set([...testFilesOf(input.feature), ...(input.baseline?.passing_tests ?? []).map(fileOf)]);
  return judged.changes
    .filter(
      (change) =>
        change.to !== null &&
        !replaced.has(change.path) &&
        languageOf(change.path) !== null &&
        isTestFile(change.path) &&
        !tests.has(change.path),
    )
    .map((change) => change.path);
}
