/** Every behaviour of the corpus, and the cases they make. */
import { RUNNERS, type Behaviour, type RunnerKey } from './behaviour.ts';
import type { Case } from './examine.ts';
import { REMOVE_TESTS } from './families/remove-tests.ts';
import { HONEST_WORK } from './families/honest-work.ts';

export const CORPUS: readonly Behaviour[] = [...REMOVE_TESTS, ...HONEST_WORK];

export interface Choice {
  /** Ids or families; empty: all. */
  only: readonly string[];
  runners: readonly RunnerKey[];
  /** Variants of each behaviour; 1: the behaviour as it is written. */
  sample: number;
}

export const EVERYTHING: Choice = { only: [], runners: RUNNERS, sample: 1 };

export function casesOf(behaviours: readonly Behaviour[], choice: Choice): Case[] {
  const wanted = behaviours.filter((one) => choice.only.length === 0 || choice.only.some((word) => word === one.id || word === one.family || word === one.kind));
  const seeds = Array.from({ length: choice.sample }, (_unused, seed) => seed);
  return seeds.flatMap((seed) => wanted.flatMap((behaviour) => behaviour.runners.filter((runner) => choice.runners.includes(runner)).map((runner) => ({ behaviour, runner, seed }))));
}
