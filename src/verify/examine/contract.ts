/**
 * What the examiner knows, what it gives, and what the second call decides.
 *
 * 1. The examiner sees no body, no expected value and no word of the agent: only the description, how the program starts on the base, and the
 *    candidate's skeleton.
 * 2. The second call sees descriptions and hidden tests, never code of the project.
 * 3. Paths and names of hidden tests are chosen by the harness, never by a reply.
 */
import type { Feature } from '../../domain/feature.ts';

/** One test file, and what it shows, in words. */
export interface ExaminerTest {
  behaviour: string;
  code: string;
}

export interface ExaminerRequest {
  feature: Feature;
  /** What the feature list says that callers will see; null: nothing. */
  interface: string | null;
  /** Names, signatures and layout of the candidate, without any value. */
  skeleton: string;
  /** How the program is started and reached, in lines. */
  program: string[];
  /** Interfaces of the features that it depends on. */
  stands_on: { id: number; description: string; interface: string }[];
  /** Runner, language and kind of modules, in words. */
  style: string;
  /** Where each test will be, relative to the project. */
  path: string;
}

/** Tests, with what was left out of the reply; or why there are none. */
export type ExaminerAnswer = { tests: ExaminerTest[]; leftOut: string[] } | { why: string };

/** A hidden test that fails on the candidate. `accepted`: the feature that it was accepted with, if it is not the feature judged. */
export interface DisputedTest extends ExaminerTest {
  accepted?: { id: number; description: string };
}

export interface EntailmentRequest {
  feature: Feature;
  interface: string | null;
  tests: DisputedTest[];
  /** Results that differ from base, one a line. */
  changes: string[];
}

export interface Ruling {
  ruling: 'entailed' | 'plausible' | 'no';
  reason: string;
}

export interface Account {
  account: 'yes' | 'no' | 'unclear';
  reason: string;
}

/** One answer for each test and each change, in order. */
export type EntailmentAnswer = { tests: Ruling[]; changes: Account[] } | { why: string };

export interface Examiner {
  /** Never throws for what the role did. The same request is paid for once. `usable`: whether a kept answer can still be run. */
  ask(request: ExaminerRequest, usable: (tests: readonly ExaminerTest[]) => Promise<boolean>): Promise<ExaminerAnswer>;
  /** Never throws for what the role did. The same request is paid for once. */
  entail(request: EntailmentRequest): Promise<EntailmentAnswer>;
}
