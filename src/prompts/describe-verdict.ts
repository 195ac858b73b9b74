/**
 * Verdicts in words.
 *
 * 1. A refusal for lack of proof is worded as that, never as an accusation.
 * 2. What goes back to the agent is what a person is shown: sentences, test names, assertions with their values, first error lines; and what
 *    to do about it. Never what the harness itself had planted.
 * 3. Names and messages come from the code that was judged: plain lines of bounded length and number, and for an agent inside a fence.
 */
import { featureLabel } from '../domain/feature-name.ts';
import { describeChange, openChanges } from '../domain/changed-results.ts';
import { cleanText } from '../domain/clean-text.ts';
import { counted } from '../domain/counted.ts';
import { fence } from '../domain/fence.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Finding, TestFailure, Verdict } from '../domain/verdict.ts';
import { lastItem } from '../domain/items.ts';

const SUBJECTS_SHOWN = 5;
const NAMES_SHOWN = 20;
const ERROR_LINES_SHOWN = 10;
const MESSAGE_LINES = 16;
const SUBJECT_CHARACTERS = 300;

/** For a person: one line for each thing that decided, and what the verdict rests on. */
export function describeVerdict(verdict: Verdict): string[] {
  const lines = [headline(verdict)];
  for (const weight of ['reject', 'ask', 'warn'] as const) {
    for (const finding of verdict.findings.filter((one) => one.weight === weight)) lines.push(...describeFinding(finding));
  }
  lines.push(...changedLines(verdict));
  if (verdict.caveats.length > 0) lines.push(`Note: ${verdict.caveats.join('; ')}.`);
  return lines;
}

function changedLines(verdict: Verdict): string[] {
  const open = openChanges(verdict);
  if (open.length === 0) return [];
  const rest = open.length - SUBJECTS_SHOWN;
  return [
    'Changed results:',
    ...open.slice(0, SUBJECTS_SHOWN).map((one) => `    ${plainLine(describeChange(one))}`),
    ...(rest > 0 ? [`    … and ${rest} more`] : []),
  ];
}

function headline(verdict: Verdict): string {
  const what = subjectOf(verdict);
  if (verdict.decision === 'accepted') {
    const own = verdict.feature === null ? '' : `${ownTests(verdict.feature_tests.length, verdict.red_to_green.length)}; `;
    const kept = verdict.kept_green;
    return `${what} verified: ${own}${counted(kept, 'existing test')} still ${kept === 1 ? 'passes' : 'pass'}.`;
  }
  if (verdict.decision === 'needs_human') return `${what} needs your review: the harness cannot decide this alone.`;
  return `${what} could not be verified; nothing was committed.`;
}

function subjectOf({ feature }: Verdict): string {
  return feature === null ? 'Cleanup' : `Feature ${featureLabel(feature)}`;
}

/** `its 3 tests failed before and pass now`, `its 3 tests pass, 2 of them failed before`. */
function ownTests(own: number, red: number): string {
  const tests = `its ${counted(own, 'test')}`;
  if (red > 0 && red === own) return `${tests} failed before and ${own === 1 ? 'passes' : 'pass'} now`;
  return `${tests} ${own === 1 ? 'passes' : 'pass'}${red === 0 ? '' : `, ${red} of them failed before`}`;
}

const WEIGHTS: Readonly<Record<Finding['weight'], string>> = { reject: 'Rejected', ask: 'Needs review', warn: 'Warning' };

function describeFinding(finding: Finding): string[] {
  const [first, ...evidence] = describeForAgent(finding);
  return [`${first} [${finding.reason}]`, ...evidence];
}

/** Without the code: that is for scripts. */
function describeForAgent(finding: Finding): string[] {
  return [`${WEIGHTS[finding.weight]}: ${finding.message}.`, ...evidenceOf(finding)];
}

/** The tests with what they said, or what else the finding is about. */
function evidenceOf({ failures, subjects, check }: Finding): string[] {
  if (failures !== undefined && failures.length > 0) return describeFailures(failures, subjects.length);
  const most = check === 'quality' ? ERROR_LINES_SHOWN : SUBJECTS_SHOWN;
  const rest = subjects.length - most;
  return [...subjects.slice(0, most).map((subject) => `    ${plainLine(subject)}`), ...(rest > 0 ? [`    … and ${rest} more`] : [])];
}

function describeFailures(failures: readonly TestFailure[], all: number): string[] {
  const named = (failure: TestFailure): string => `    ${plainLine(failure.test)} (${failure.status})`;
  const whole = failures.slice(0, SUBJECTS_SHOWN).flatMap((failure) => [named(failure), ...wordsOf(failure)]);
  const others = failures.slice(SUBJECTS_SHOWN, NAMES_SHOWN).map(named);
  const rest = Math.max(all, failures.length) - Math.min(failures.length, NAMES_SHOWN);
  return [...whole, ...others, ...(rest > 0 ? [`    … and ${rest} more`] : [])];
}

function wordsOf({ message }: TestFailure): string[] {
  const lines = cleanText(message).split('\n');
  // The last line says where: it stays whatever is cut.
  const shown = lines.length <= MESSAGE_LINES ? lines : [...lines.slice(0, MESSAGE_LINES - 2), '…', lastItem(lines)];
  return shown.map((line) => `      ${line.replaceAll('\t', '  ').slice(0, SUBJECT_CHARACTERS).trimEnd()}`);
}

const ADVICE: Partial<Record<Reason, string>> = {
  'claim.none': 'If the feature is complete, set its `passes` to true in the feature list and change nothing else there.',
  'claim.multiple': 'Claim only the feature that was assigned to you; set the others back.',
  'claim.wrong_feature': 'Claim only the feature that was assigned to you; set the others back.',
  'claim.no_evidence': "Write the feature's test file if it does not exist, run it, and show the command with its whole output.",
  'features.edited': 'Restore the feature list; only `passes` of the assigned feature may change.',
  'features.removed': 'Restore the feature list; only `passes` of the assigned feature may change.',
  'features.added': 'Restore the feature list; only `passes` of the assigned feature may change.',
  'test.failed':
    'Make the named tests pass. If they pass in your copy, they rely on something that is not part of your work: a file, a package or a setting.',
  'test.none_ran': "No test in the feature's test file ran in a clean checkout. Check its path and that it defines tests.",
  'test.skipped': 'Tests that are skipped, marked as todo or expected to fail prove nothing; they have to run and pass.',
  'test.not_red':
    'The named tests also pass without your work. Each has to call what the feature adds and compare the result, so that it fails when the feature is missing or wrong.',
  'test.timeout': 'The tests timed out. Look for something that keeps running.',
  'test.flaky':
    'A test has to pass every time: in a fresh directory, in any order, on any date. Where a date is named, the test or the code relies on the day it was written: derive the expected value from the current date, or pass the date in.',
  'sanity.failed': 'Run the command named above and fix what it reports.',
  'quality.lint': 'Run the linter and fix what it reports about your lines.',
  regression: 'Tests that passed before this session now fail. Make them pass again without changing them.',
  'tamper.tests': 'Leave the tests of accepted features as they were.',
  'tamper.test_config': 'Leave the configuration of the test run as it was.',
  'tamper.toolchain': 'Leave lockfiles, compiler, lint and package settings as they were.',
  'tamper.harness_state': "Leave the harness's own files as they were.",
  'tamper.symlink': 'Remove symbolic links that point outside the project or replace tests.',
  'tamper.history': 'Remove repositories and repository links inside the project.',
};

const LONGEST_FEEDBACK = 8_000;

/** For the agent's next try. */
export function feedbackFor(verdict: Verdict): string {
  const decisive = verdict.findings.filter((finding) => finding.weight === 'reject');
  const shown = decisive.length > 0 ? decisive : verdict.findings.filter((finding) => finding.weight === 'ask');
  if (shown.length === 0) return 'Your work is waiting for review by a person.';
  const what = verdict.feature === null ? 'the cleanup' : `feature ${featureLabel(verdict.feature)}`;
  const advice = [...new Set(shown.map((finding) => ADVICE[finding.reason]).filter((line) => line !== undefined))];
  return [
    decisive.length > 0
      ? `The harness could not verify ${what}. It judged the work in a clean checkout and found:`
      : `A person reviewed ${what} and did not accept it. The harness had found:`,
    fence('what the harness found', shown.flatMap(describeForAgent).join('\n').slice(0, LONGEST_FEEDBACK)),
    ...advice.map((line) => `- ${line}`),
  ].join('\n');
}

/** For the agent, before a person is asked: what hidden tests check, in words. Their code stays with the harness. */
export function doubtsFor(verdict: Verdict): string {
  const expected = verdict.findings.filter((finding) => finding.reason === 'hidden.failed').flatMap((finding) => finding.subjects);
  return [
    `The work on feature ${verdict.feature === null ? '' : featureLabel(verdict.feature)} passed every other check. Its description requires this as well, and it is not the case:`,
    fence('what the description requires', expected.map((line) => `- ${plainLine(line)}`).join('\n')),
    'If the description requires it, repair the work and its tests, run them, and leave your claim as it is.',
    'If it does not, or if your work does it already, change nothing and say why in your answer: a person will read both sides.',
  ].join('\n');
}

function plainLine(text: string): string {
  const line = cleanText(text.slice(0, SUBJECT_CHARACTERS * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > SUBJECT_CHARACTERS ? `${line.slice(0, SUBJECT_CHARACTERS)}…` : line;
}
