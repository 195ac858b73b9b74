/** What `harness init` found out about a project's tests, as lines of text. */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { counted } from '../domain/counted.ts';
import type { FirstLook, TestLook } from '../kernel/founding/first-look.ts';
import type { Trials } from '../kernel/founding/trials.ts';
import { inWords, settingsLines } from '../kernel/founding/variations.ts';
import { describeGround, type GroundLine } from '../kernel/ground/test-ground.ts';
import { duration } from '../reading/figures.ts';
import { mustHave } from '../domain/must-have.ts';

const MOST_NAMES = 5;

export function describeAdoption(look: TestLook): string[] {
  return adoptionLines(look).map(({ says }) => says);
}

/** For `harness doctor --verify`: each line with what it means. */
export function explainAdoption(look: TestLook): string[] {
  // Where no test ran, nothing can be said about tests.
  if (look.lacked.length > 0 && look.nothing !== null) return look.lacked.map((one) => `✗ ${one}`);
  if (look.nothing !== null) return [`✗ ${NOTHING}`, `    output: ${look.nothing}`, `    ${TRY}`];
  return adoptionLines(look).flatMap(({ says, because }) => [says, `    ${because}`]);
}

/** Checks that were tried, and what the tests need in the sandbox. */
export function describeTrials({ kept, leftOut, needs }: Trials): string[] {
  const lines = [...leftOut];
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
  const [first, ...rest] = describeGround(ground);
  const tests = mustHave(first, 'a description begins with the tests');
  return [
    {
      says: `${tests.says}; one run of the suite takes ${duration(suiteMs)}`,
      because: `${tests.because}; the time is the longer of 2 runs; a verdict takes about 3 to 5 times as long`,
    },
    {
      says:
        red.length === 0
          ? 'Already failing: none'
          : `Already failing${sandboxed ? ' in the sandbox (not tried outside)' : ''}, so not guarded against breakage: ${few(red)}`,
      because: 'a test that fails before a session is not held against it; once it passes, it must keep passing',
    },
    {
      says:
        unsteady.length === 0
          ? 'Flaky tests: none found in 2 runs'
          : `Flaky tests (passed in one of 2 runs; ignored when judging): ${few(unsteady)}`,
      because: 'the suite ran twice on the same commit; a test whose title changes between runs is recognized by its code',
    },
    ...(sandboxed
      ? []
      : [
          {
            says: 'No sandbox: test runs can reach everything you can (harness doctor shows what is missing)',
            because: 'code that an agent wrote can read your files and use your network while it is tested',
          },
        ]),
    ...rest,
  ];
}

const NOTHING = 'The test command reported no tests although there are test files, so nothing could be verified.';
const TRY = 'Run the test command in a fresh clone. If another command runs the tests, set it as testing.full in .harness.yaml and commit.';

export function nothingRuns({ nothing: cause, lacked, log }: Pick<FirstLook, 'nothing' | 'lacked' | 'log'>, list: string): HarnessError {
  if (lacked.length > 0)
    return new HarnessError('The tests cannot run: packages are missing.', {
      exitCode: EXIT.preflight,
      reasons: ['env.baseline_broken'],
      details: [...lacked, rerun(list)],
    });
  return new HarnessError(NOTHING, {
    exitCode: EXIT.preflight,
    reasons: ['env.baseline_broken'],
    details: [`Output: ${cause ?? ''}${log === null ? '' : ` (more output: ${log})`}`, TRY, rerun(list)],
  });
}

function rerun(list: string): string {
  return `Then run harness init --features ${list} again. Until then harness run starts no agent.`;
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}
