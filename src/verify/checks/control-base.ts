/**
 * What already held whatever it expected before the session: the test file of the feature in the version of the base, with its expectations
 * changed, on the code of the base. That is a property of the project and is held against nobody.
 */
import type { TestRun } from '../../domain/verdict.ts';
import type { OpenCase } from '../case.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf } from '../source/source.ts';
import { isNamed } from '../source/test-names.ts';
import { mergeRuns } from '../run/suite.ts';
import type { Subject } from './control-subject.ts';
import type { Copy, Difference } from './mutate.ts';
import { isHeld, mutateTests } from './mutate.ts';
import { nameMaker, type Dice } from './plant.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface HeldBefore {
  test(title: string): boolean;
  copy(copy: Copy, text: string): boolean;
}

const NOTHING: HeldBefore = { test: () => false, copy: () => false };

/** What is asked about: of many values of a file only some have copies, chosen by chance, and on the base it has to be the same ones. */
export interface Asked {
  copies: readonly Copy[];
  /** The file as it is now. */
  text: string;
}

export type OnBase = (texts: ReadonlyMap<string, string>) => Promise<TestRun>;

/** Accepted files with changed expectations on the code from before, in one run. Where one does not come to an end, each is asked by itself. */
export async function changedOnBase(subjects: readonly Subject[], onBase: OnBase): Promise<TestRun> {
  const texts = subjects.map((one) => [one.file, mustHave(one.changed, 'these files have changed expectations').planted.text] as const);
  const whole = await onBase(new Map(texts));
  if (!whole.timed_out || texts.length === 1) return whole;
  const runs: TestRun[] = [];
  for (const one of texts) runs.push(await onBase(new Map([one])));
  return mergeRuns(runs, whole.files);
}

export async function heldBefore(
  { platform, trees, base }: OpenCase,
  file: string,
  { difference, dice, onBase, asked }: { difference: Difference; dice: Dice; onBase: OnBase; asked: Asked },
): Promise<HeldBefore> {
  const text = (await trees.read(base.tree, file))?.toString('utf8');
  const reading = text === undefined ? null : await readSource(platform, file, text);
  if (text === undefined || reading === null) return NOTHING;
  const words = new Set(asked.copies.map((copy) => assertionWords(copy, asked.text)));
  const mutated = mutateTests(text, reading, difference, {
    calls: false,
    names: nameMaker(text, mustHave(languageOf(file), 'a file with control tests is of a known language'), dice),
    dice,
    isWanted: (test, assertion) => words.has(assertionWords({ title: test.title?.join('…') ?? '', assertion }, text)),
  });
  if (mutated.count === 0) return NOTHING;
  const run = await onBase(new Map([[file, mutated.text]]));
  const tests = run.tests.filter((test) => test.file === file);
  const holds = (name: string): boolean => tests.some((test) => test.status === 'passed' && isNamed(test.name, name));
  const copies = new Set(mutated.copies.filter((copy) => isHeld(copy, tests)).map((copy) => wordsOf(copy, text)));
  return { test: (title) => mutated.titles.includes(title) && holds(title), copy: (copy, now) => copies.has(wordsOf(copy, now)) };
}

function wordsOf(copy: Copy, text: string): string {
  return `${copy.list === undefined ? 'value' : 'order'} ${assertionWords(copy, text)}`;
}

function assertionWords({ title, assertion }: Pick<Copy, 'title' | 'assertion'>, text: string): string {
  return `${title} ${text.slice(assertion.start, assertion.end).replace(/\s+/g, ' ')}`;
}
