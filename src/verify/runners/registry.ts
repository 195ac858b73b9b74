/**
 * Every test runner that the harness knows, in the order in which a command is tried on them. The only list of their names: what
 * any room asks of runners in general is asked here.
 */
import type { RunnerName } from '../../domain/verdict.ts';
import { avaRunner } from './ava.ts';
import { bunRunner } from './bun-test.ts';
import { cargoRunner } from './cargo-test.ts';
import { goRunner } from './go-test.ts';
import { jasmineRunner } from './jasmine.ts';
import { jestRunner } from './jest.ts';
import { mochaRunner } from './mocha.ts';
import { nodeTapRunner } from './node-tap.ts';
import { nodeTestRunner } from './node-test.ts';
import { pytestRunner } from './pytest.ts';
import type { DeepRunner, Runner, RunnerFiles, RunnerMarks, SingleTests } from './runner.ts';
import { exitCodeRunner, junitRunner, tapRunner } from './shell.ts';
import { tapeRunner } from './tape.ts';
import { unittestRunner } from './unittest.ts';
import { uvuRunner } from './uvu.ts';
import { vitestRunner } from './vitest.ts';

const ROWS = {
  'node:test': nodeTestRunner,
  junit: junitRunner,
  tap: tapRunner,
  vitest: vitestRunner,
  jest: jestRunner,
  mocha: mochaRunner,
  tape: tapeRunner,
  'node-tap': nodeTapRunner,
  ava: avaRunner,
  uvu: uvuRunner,
  jasmine: jasmineRunner,
  bun: bunRunner,
  pytest: pytestRunner,
  unittest: unittestRunner,
  go: goRunner,
  cargo: cargoRunner,
  'exit-code': exitCodeRunner,
} as const satisfies Readonly<Record<RunnerName, Runner>>;

export const RUNNERS: Readonly<Record<RunnerName, Runner>> = ROWS;

/** Those of which the harness starts and reads single tests. */
export type DeepName = { [Name in RunnerName]: (typeof ROWS)[Name] extends DeepRunner ? Name : never }[RunnerName];

const ALL: readonly Runner[] = Object.values(RUNNERS);

export const RUNNER_NAMES = Object.keys(RUNNERS) as [RunnerName, ...RunnerName[]];
export const DEEP_RUNNERS: readonly DeepRunner[] = ALL.filter((runner) => runner.single !== null);
/** Those that are recognised by their command and tell which tests ran. */
export const TOLD_RUNNERS: readonly Runner[] = ALL.filter((runner) => runner.single !== null || runner.isTold === true);
/** What stands for a command that none of them recognises. */
export const UNKNOWN_RUNNER = exitCodeRunner;

/** What `testing.report` may say. */
export const REPORTS: readonly ['auto', ...RunnerName[]] = ['auto', ...ALL.filter((one) => one.isReport).map((one) => one.name)];

/**
 * One of which the harness reads single tests.
 * @internal for the corpus, which knows them by name
 */
export function deepRunner(name: DeepName): DeepRunner {
  return ROWS[name];
}

/** null where the harness does not read its single tests. */
export function singleTests(name: RunnerName): SingleTests | null {
  return RUNNERS[name].single;
}

/** What all runners have of one kind. */
export function ofAllRunners<Value>(part: (runner: Runner) => Value | readonly Value[]): Value[] {
  return ALL.flatMap(part);
}

export function filesOfRunners(kind: keyof RunnerFiles): string[] {
  return ofAllRunners((runner) => runner.files[kind]);
}

/** The inside of a pattern: any of them. */
export function marksOfRunners(kind: keyof RunnerMarks): string {
  return ofAllRunners((runner) => runner.marks[kind]).join('|');
}

/** The command that a language's tests are usually run with, by the packages of the project. */
export function usualCommand(language: SingleTests['language'], hasPackage: (name: string) => boolean): string | null {
  const fitting = DEEP_RUNNERS.map((runner) => runner.single).filter((single) => single.language === language);
  const installed = fitting.find((single) => single.installedAs !== null && hasPackage(single.installedAs));
  return (installed ?? fitting.find((single) => single.installedAs === null))?.command ?? null;
}

/** Folders that runs leave beside the code: no part of the work. */
export const LEFT_BY_RUNNERS: readonly string[] = ofAllRunners((runner) => runner.leavings);
