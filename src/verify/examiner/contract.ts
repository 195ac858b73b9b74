/**
 * What the examiner is told, and what it gives.
 *
 * 1. It learns nothing of the work: only what the trusted list says about the feature and those it stands on, how the program starts on the base, and
 *    how a test has to be written here.
 * 2. Where its tests lie and how they are called is the harness's business: a reply has no say in it.
 */
import type { Feature } from '../../domain/feature.ts';

/** One test file of its own, and what it shows, in words. */
export interface ExaminerTest {
  behaviour: string;
  code: string;
}

export interface ExaminerRequest {
  feature: Feature;
  interface: string;
  /** How the program is started and reached, in lines. */
  program: string[];
  /** Interfaces of the features that it depends on. */
  stands_on: { id: number; description: string; interface: string }[];
  /** Runner, language and kind of modules, in words. */
  style: string;
  /** Where each test will lie, relative to the project. */
  path: string;
}

/** What became of a request: tests, with what was left out of the reply; or why there are none. */
export type ExaminerAnswer = { tests: ExaminerTest[]; leftOut: string[] } | { why: string };

export interface Examiner {
  /** Never throws for what the role did. The same request is paid for once. */
  ask(request: ExaminerRequest): Promise<ExaminerAnswer>;
}
