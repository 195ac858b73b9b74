/** Every function that tests come to made wrong at once: what notices it, and what does not. */
import type { TreeEdit } from '../../domain/tree.ts';
import type { OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import { readSources } from '../source/read-source.ts';
import { languageOf } from '../source/source.ts';
import { allUnits, wrongText } from './make-wrong.ts';
import { filesReachedFrom } from './reach.ts';
import { collectedFiles, testSideOf } from './test-side.ts';
import type { Wrongness } from './wrongness.ts';

/** A program without functions and values is hollow where nothing is left of it. `spared`: files of the tests' side that only this session knows as such. */
export async function wrongEverywhere(
  input: OpenCase,
  tree: string,
  { files, wrongness, spared = [] }: { files: readonly string[]; wrongness: Wrongness; spared?: readonly string[] },
): Promise<TreeEdit[]> {
  const { platform } = input;
  const isOfTests = testSideOf(collectedFiles(input));
  const reached = (await filesReachedFrom(input.trees, tree, files)).filter(
    (path) => languageOf(path) !== null && !isOfTests(path) && !files.includes(path) && !spared.includes(path),
  );
  const texts = await Promise.all(
    reached.map(async (path) => ({ path, text: (await input.trees.read(tree, path))?.toString('utf8') ?? '' })),
  );
  const readings = await readSources(platform, texts);
  return texts.flatMap(({ path, text }, index): TreeEdit[] => {
    const reading = readings[index] ?? null;
    if (reading === null) return [];
    const isProgram = reading.functions.length + reading.values.length === 0;
    if (isProgram && wrongness.kind === 'hollow') return [{ path, kind: 'write', content: '' }];
    return reading.functions.length === 0
      ? []
      : [{ path, kind: 'write', content: wrongText({ text, path, reading }, allUnits(reading), wrongness) }];
  });
}

const MOST_MS = 60_000;

/** Code that is wrong may wait for itself for ever: what has not ended by then tells nothing. */
export function notForEver({ timeoutMs }: Pick<JudgeInput, 'timeoutMs'>): { timeoutMs: number } {
  return { timeoutMs: Math.min(timeoutMs ?? MOST_MS, MOST_MS) };
}
