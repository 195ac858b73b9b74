/** What was found about the tests of a project that is set up, for people. */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { FirstLook } from '../kernel/founding/first-look.ts';
import { describeGround, type TestGround } from '../kernel/ground/test-ground.ts';
import { duration } from './figures.ts';

const MOST_NAMES = 5;

export function describeAdoption({ suiteMs, red, unsteady, sandboxed, ground }: FirstLook): string[] {
  const [tests, ...rest] = describeGround(ground).map(({ says }) => says);
  return [
    `${tests!}; one run of the suite takes ${duration(suiteMs)}`,
    red.length === 0 ? 'Failing today: none' : `Failing today (not held against anyone): ${few(red)}`,
    unsteady.length === 0
      ? 'Flaky today: none, two runs agree'
      : `Flaky today (passed in only one of two runs; not held against anyone): ${few(unsteady)}`,
    ...(sandboxed ? [] : ['Without a sandbox: test runs can reach what you can reach (harness doctor says what is missing)']),
    ...rest,
  ];
}

/** For `harness doctor --verify`: each line with what it means. */
export function explainGround(ground: TestGround): string[] {
  return describeGround(ground).flatMap(({ says, because }) => [says, `    ${because}`]);
}

export function nothingRuns(cause: string, list: string): HarnessError {
  return new HarnessError('There are test files here, but the test command tells of no test that ran, so no claim could be accepted.', {
    exitCode: EXIT.preflight,
    reasons: ['env.baseline_broken'],
    details: [
      `Its output: ${cause}`,
      'Run the test command yourself, in a fresh clone. If another one runs the tests, set it as testing.full in .harness.yaml and commit.',
      `Then: harness init --features ${list}. Until then harness run starts no agent.`,
    ],
  });
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}
