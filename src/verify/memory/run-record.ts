/** One run of a judgement, as it is kept. */
import type { TestRun } from '../../domain/verdict.ts';

export interface RunRecord {
  name: string;
  runner: TestRun['runner'];
  command: string[];
  files: string[];
  exit_code: number | null;
  timed_out: boolean;
  sandboxed: boolean;
  duration_ms: number;
  tests: TestRun['tests'];
  problems: string[];
  output_tail: string;
}

const MOST_TESTS = 20_000;

export function recordRun(name: string, run: TestRun): RunRecord {
  const { runner, command, files, exit_code, timed_out, sandboxed, duration_ms, problems, output_tail } = run;
  return {
    name,
    runner,
    command,
    files,
    exit_code,
    timed_out,
    sandboxed,
    duration_ms: Math.round(duration_ms),
    tests: mostOf(run.tests),
    problems,
    output_tail,
  };
}

/** Where there are too many, those that ran come before those that were left out. */
function mostOf(tests: TestRun['tests']): TestRun['tests'] {
  if (tests.length <= MOST_TESTS) return tests;
  const [ran, left] = [tests.filter((test) => test.status !== 'skipped'), tests.filter((test) => test.status === 'skipped')];
  return [...ran, ...left].slice(0, MOST_TESTS);
}
