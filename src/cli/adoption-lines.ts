/** What was found about the tests of a project that is set up, for people. */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { counted } from '../domain/counted.ts';
import type { TestLook } from '../kernel/founding/first-look.ts';
import type { Trials } from '../kernel/founding/trials.ts';
import { inWords, settingsLines } from '../kernel/founding/variations.ts';
import { describeGround, type GroundLine } from '../kernel/ground/test-ground.ts';
import { duration } from './figures.ts';

const MOST_NAMES = 5;

export function describeAdoption(look: TestLook): string[] {
  return adoptionLines(look).map(({ says }) => says);
}

/** For `harness doctor --verify`: each line with what it means. */
export function explainAdoption(look: TestLook): string[] {
  // Where no test ran, nothing can be said about tests.
  if (look.lacked.length > 0 && look.nothing !== null) return look.lacked.map((one) => `✗ ${one}`);
  if (look.nothing !== null) return [`✗ ${NOTHING}`, `    its output: ${look.nothing}`, `    ${TRY}`];
  return adoptionLines(look).flatMap(({ says, because }) => [says, `    ${because}`]);
}

/** What was tried when the project was adopted, beside its tests. */
export function describeTrials({ kept, leftOut, needs }: Trials): string[] {
  const lines = leftOut.map((line) => `Not held against work: ${line}`);
  if (kept.length > 0) lines.unshift(`Checks: ${kept.map(({ name, command }) => `${name} (${command})`).join(', ')}`);
  if (needs === null) return lines;
  const { surroundings, gained, isSet } = needs;
  const where = isSet ? '.harness.yaml sets it' : 'set it in .harness.yaml and commit';
  const set = settingsLines(surroundings).map((line) => `    ${line}`);
  return [
    ...lines,
    `${counted(gained, 'test')} ${gained === 1 ? 'passes' : 'pass'} in the sandbox only ${inWords(surroundings)}: ${where}:`,
    '  testing:',
    ...set,
  ];
}

function adoptionLines({ suiteMs, red, unsteady, sandboxed, ground }: TestLook): GroundLine[] {
  const [tests, ...rest] = describeGround(ground);
  return [
    {
      says: `${tests!.says}; one run of the suite takes ${duration(suiteMs)}`,
      because: `${tests!.because}; the time is the longer of two runs, and a verdict takes a few times as long`,
    },
    {
      says:
        red.length === 0
          ? 'Failing today: none'
          : `Failing ${sandboxed ? 'in the sandbox (not tried outside)' : 'today'}, so not guarded against breakage: ${few(red)}`,
      because: 'what fails before a session is not its fault; from the first time that it passes, it has to go on passing',
    },
    {
      says:
        unsteady.length === 0
          ? 'Flaky today: none, two runs agree'
          : `Flaky today (passed in only one of two runs; not held against anyone): ${few(unsteady)}`,
      because: 'the suite ran twice on the same commit; tests whose titles differ are told from each other by their bodies',
    },
    ...(sandboxed
      ? []
      : [
          {
            says: 'Without a sandbox: test runs can reach what you can reach (harness doctor says what is missing)',
            because: 'work of an agent that is tested here can read your files and use your network',
          },
        ]),
    ...rest,
  ];
}

const NOTHING = 'There are test files here, but the test command tells of no test that ran, so no claim could be accepted.';
const TRY =
  'Run the test command yourself, in a fresh clone. If another one runs the tests, set it as testing.full in .harness.yaml and commit.';

export function nothingRuns({ nothing: cause, lacked }: Pick<TestLook, 'nothing' | 'lacked'>, list: string): HarnessError {
  if (lacked.length > 0)
    return new HarnessError('The tests cannot run yet, because packages are not installed.', {
      exitCode: EXIT.preflight,
      reasons: ['env.baseline_broken'],
      details: [...lacked, `Then: harness init --features ${list}. Until then harness run starts no agent.`],
    });
  return new HarnessError(NOTHING, {
    exitCode: EXIT.preflight,
    reasons: ['env.baseline_broken'],
    details: [`Its output: ${cause ?? ''}`, TRY, `Then: harness init --features ${list}. Until then harness run starts no agent.`],
  });
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}
