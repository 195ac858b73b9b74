/** Accepted test files that meet what the session changed: they are looked at as closely as the feature's own. */
import { fileOf } from '../../domain/verdict.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { JudgedTree } from './check-protected.ts';
import type { JudgeInput } from '../contract.ts';
import { filesReaching } from './reach.ts';
import { languageOf } from '../source/source.ts';
import type { Dice } from './plant.ts';
import { isTestFile } from './protected-paths.ts';

const MOST_FILES = 10;

/** A handful, chosen so that nobody can tell which. */
export async function chooseReached(input: JudgeInput, judged: JudgedTree, own: readonly string[], dice: Dice): Promise<string[]> {
  const reached = await reachedFiles(input, judged, own);
  const chosen: string[] = [];
  while (reached.length > 0 && chosen.length < MOST_FILES) chosen.push(...reached.splice(dice(reached.length), 1));
  return chosen;
}

/** All of them. */
export async function reachedFiles(input: JudgeInput, judged: JudgedTree, own: readonly string[]): Promise<string[]> {
  const changed = [...changedSources(input, judged), ...changedHelpers(input, judged)];
  const accepted = [...new Set((input.baseline?.passing_tests ?? []).map(fileOf))].filter(
    (file) => !own.includes(file) && languageOf(file) !== null,
  );
  return await filesReaching(input.trees, judged.tree, accepted, new Set(changed));
}

/** Files with code that the candidate brought and that are run as they are; test files aside, by their name or because tests ran in them. */
export function changedSources(input: Pick<JudgeInput, 'feature' | 'baseline'>, judged: JudgedTree): string[] {
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
export function changedTests(input: Pick<JudgeInput, 'baseline'>, judged: JudgedTree, own: readonly string[]): string[] {
  const accepted = new Set((input.baseline?.passing_tests ?? []).map(fileOf));
  return judged.contract.filter((file) => !own.includes(file) && accepted.has(file) && languageOf(file) !== null);
}

/** What tests rely on and is no test itself. */
function changedHelpers(input: Pick<JudgeInput, 'feature' | 'baseline'>, judged: JudgedTree): string[] {
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
