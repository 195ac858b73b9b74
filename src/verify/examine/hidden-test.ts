/** A hidden test, what became of it in each run, and what is kept of it. */
import type { Ruling } from './contract.ts';
import type { ExaminerTest } from './contract.ts';

/** A test in a file of its own, under a name drawn for this verdict. */
export interface HiddenTest extends ExaminerTest {
  file: string;
  /** Of an accepted feature; absent: written for the feature judged. */
  kept?: KeptTest;
}

/** `unloaded`: nothing of the file was run. */
export type HiddenStatus = 'passed' | 'failed' | 'unloaded';

export interface HiddenOutcome {
  test: HiddenTest;
  base: HiddenStatus;
  candidate: HiddenStatus;
  /** It failed on the candidate and passed when it was repeated. */
  unsteady: boolean;
  /** It fails on mutated code; null: it was not asked. */
  noticesMutation: boolean | null;
  /** What the failure said, for a person at a terminal alone. */
  message: string | null;
  /** Of the second call; null: it passes, or the second call could not be made. */
  ruling: Ruling | null;
}

/** A hidden test of an accepted feature, as the project keeps it. */
export interface KeptTest extends ExaminerTest {
  /** `hidden:7` */
  number: number;
  feature: number;
  description: string;
  /** Where it ran; its name there is drawn anew each time. */
  path: string;
}

/** What a verdict hands to the kernel: code, names and output stay below `.harness/hidden/`. */
export interface HiddenRecord extends ExaminerTest {
  path: string;
  passed: boolean;
  /** Red on base and on mutated code. */
  proves: boolean;
  message: string | null;
  ruling: Ruling | null;
  /** Of an earlier feature. */
  number?: number;
}

export interface HiddenTests {
  /** Tests of accepted features, newest first, without those that a person released. */
  kept(): Promise<readonly KeptTest[]>;
}
