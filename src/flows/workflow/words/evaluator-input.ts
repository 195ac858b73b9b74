/**
 * Everything that reaches the evaluator's prompt.
 *
 * 1. The type is the allowlist: what it does not name cannot get in. No text of the implementer, of plans or of reviews is among it.
 * 2. The changed files and the difference come from the captured trees, not from what anybody wrote about them.
 */
import type { MachineState } from '../contract.ts';
import { fence } from '../../../domain/fence.ts';

export interface EvaluatorInput {
  spec: string;
  changedFiles: readonly string[];
  /** The commit that the work started from, and what differs from it. */
  base: string;
  difference: string;
  buildCommand: string | null;
  testCommand: string | null;
  lintCommand: string | null;
  typeCheckCommand: string | null;
  round: number;
  scope: string;
  language: string;
  layer1: MachineState['verify']['layer1_result'];
  reportPath: string;
}

export function evaluatorVariables(input: EvaluatorInput): Record<string, string> {
  return {
    spec_content: fence('spec', input.spec),
    changed_files_list: fence('paths', input.changedFiles.length === 0 ? '(none)' : input.changedFiles.map(oneLine).join('\n')),
    base: input.base,
    difference: fence('difference', shortened(input.difference)),
    build_cmd: input.buildCommand ?? 'none',
    test_cmd: input.testCommand ?? 'none',
    test_available: input.testCommand === null ? 'no' : 'yes',
    round_num: String(input.round),
    scope: input.scope,
    user_lang: input.language,
    verify_context: verifyContext(input),
  };
}

/** The files are in the evaluator's copy: what does not fit here is read there. */
const LONGEST_DIFFERENCE = 40_000;

function shortened(difference: string): string {
  if (difference.trim() === '') return '(none)';
  if (difference.length <= LONGEST_DIFFERENCE) return difference;
  return `${difference.slice(0, LONGEST_DIFFERENCE)}\n[the rest, ${difference.length - LONGEST_DIFFERENCE} characters, is left out: read the files]`;
}

function verifyContext(input: EvaluatorInput): string {
  const { layer1, reportPath } = input;
  if (layer1 === 'PASS') return `Layer 1 passed: ${whatRan(input)} The report is in \`${reportPath}\`.`;
  if (layer1 === 'FAIL')
    return `Layer 1 failed, and a person decided to go on. The report is in \`${reportPath}\`: look closely at build and tests.`;
  return 'Layer 1 was not run in this session.';
}

/** Only what has a command was run. */
function whatRan(input: EvaluatorInput): string {
  const checks: [string, string | null][] = [
    ['build', input.buildCommand],
    ['tests', input.testCommand],
    ['lint', input.lintCommand],
    ['type check', input.typeCheckCommand],
  ];
  const named = (wanted: boolean): string =>
    checks
      .filter(([, command]) => (command !== null) === wanted)
      .map(([name]) => name)
      .join(', ');
  if (named(true) === '') return 'this project has no command for build, tests, lint or type check, so none of them was run.';
  return `run: ${named(true)}.${named(false) === '' ? '' : ` Not run, because there is no command: ${named(false)}.`}`;
}

/** A file's name is chosen by whoever made the file. */
function oneLine(path: string): string {
  return path.replace(/[\p{Cc}\u2028\u2029]/gu, '?').slice(0, 500);
}
