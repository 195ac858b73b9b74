/** What the judge knows about one candidate: a check takes this, and nothing else, from the judgement around it. */
import type { Platform } from '../platform/platform.ts';
import type { TreeChange, TreeEdit } from '../domain/tree.ts';
import type { TestRun } from '../domain/verdict.ts';
import type { JudgeInput } from './contract.ts';
import type { Stopwatch } from './time.ts';

/** Before it is known what is run in the candidate's place. */
export interface OpenCase extends JudgeInput {
  platform: Platform;
}

export interface Case extends OpenCase {
  judged: JudgedTree;
  /** Called with the run of the new tests, while the rest of the suite still runs. */
  whenNew?: (run: TestRun) => void;
  /** Of an optional check. */
  time?: Stopwatch;
}

/** What is run in the candidate's place. */
export interface JudgedTree {
  tree: string;
  changes: TreeChange[];
  /** Trusted versions that were put over the candidate's. */
  edits: TreeEdit[];
  /** Test files whose trusted version must hold as well. */
  contract: string[];
  /** Tests that counted and that the feature was meant to change: what they said before counts no longer. */
  released: string[];
  /** Code that tests rely on and that runs in the candidate's version. */
  helpers: string[];
  /** Changed tests, in the candidate's version, that a person is asked about because they do not say any more what they said. */
  rewritten: string[];
}
