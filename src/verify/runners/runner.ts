/**
 * A test runner as the judge sees it: recognised in a command, planned as an argument list, and read from its report.
 *
 * 1. `detect` and `parse` are pure; `plan` only names files, and `support` says which to write beforehand.
 * 2. The report is made by a reporter of the harness's own, in a directory outside the room, and sealed.
 * 3. `parse` never throws: a report is hostile input.
 */
import type { RunnerName, TestResult } from '../../domain/verdict.ts';
import type { RunVariant } from '../contract.ts';

export interface RunnerFacts {
  /** Every file of the tree, relative. */
  paths: readonly string[];
  /** node_modules of the harness's own install, or null. */
  dependencies: string | null;
  /** Interpreter that can import pytest, or null. */
  python: string | null;
  /** The node program. */
  node: string;
}

export interface PlanRequest {
  /** Relative test files; null: the whole suite. */
  files: readonly string[] | null;
  room: string;
  reportPath: string;
  /** Holds the key of the report's seal until the reporter has read it. */
  keyPath: string;
  supportDirectory: string;
  temporary: string;
  /** Where Python finds the packages of the room. */
  pythonPath: readonly string[];
  variant: RunVariant;
}

export interface RunPlan {
  file: string;
  args: string[];
  env: Record<string, string>;
  support: { path: string; content: string }[];
  /** `file`: sealed, by a reporter of our own. */
  report: 'file' | 'stdout' | 'junit-files' | 'none';
}

/** The runner cannot be started here; the text says what is missing. */
export interface NoPlan {
  missing: string;
}

export interface RunnerMatch {
  /** Options for the interpreter in front of the runner. */
  interpreterArgs: string[];
  /** Options and paths for the runner. */
  args: string[];
  /** How the command was spelled, where it matters. */
  form?: 'module';
}

export interface RunnerOutput {
  report: string | null;
  stdout: string;
  stderr: string;
  code: number | null;
  room: string;
  files: readonly string[] | null;
}

export interface ParsedRun {
  tests: TestResult[];
  problems: string[];
}

export interface Runner {
  name: RunnerName;
  detect(words: readonly string[]): RunnerMatch | null;
  plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan;
  parse(output: RunnerOutput): ParsedRun;
  /** Without a runner's marks each file needs a process of its own. */
  neutralOneByOne?: boolean;
}
