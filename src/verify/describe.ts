/**
 * Verdicts in words.
 *
 * 1. A refusal for lack of proof is worded as that, never as an accusation.
 * 2. What goes back to the agent is the least that helps an honest one: what is missing, not how it was found.
 * 3. Names and messages come from the code that was judged: each is shown as one plain line of bounded length.
 */
import { cleanText } from '../domain/clean-text.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Finding, Verdict } from '../domain/verdict.ts';

const SUBJECTS_SHOWN = 5;
const SUBJECT_CHARACTERS = 300;

/** For a person: one line for each thing that decided, and what the verdict rests on. */
export function describeVerdict(verdict: Verdict): string[] {
  const lines = [headline(verdict)];
  for (const weight of ['reject', 'ask', 'warn'] as const) {
    for (const finding of verdict.findings.filter((one) => one.weight === weight)) lines.push(...describeFinding(finding));
  }
  if (verdict.caveats.length > 0) lines.push(`Note: ${verdict.caveats.join('; ')}.`);
  return lines;
}

function headline(verdict: Verdict): string {
  const what = verdict.feature === null ? 'The cleanup' : `Feature #${verdict.feature}`;
  if (verdict.decision === 'accepted') {
    const red = verdict.red_to_green.length > 0 ? `, ${verdict.red_to_green.length} of them red before` : '';
    const own = verdict.feature === null ? '' : `${passing(verdict.feature_tests.length, 'test', 'of its own')}${red}; `;
    return `${what} is verified: ${own}${passing(verdict.kept_green, 'earlier test', 'still')}.`;
  }
  if (verdict.decision === 'needs_human') return `${what} waits for a person: the harness cannot decide this alone.`;
  return `${what} is not proved, so the work was not accepted.`;
}

/** `1 test of its own passes`, `2 tests of its own pass`. */
function passing(count: number, noun: string, words: string): string {
  return count === 1 ? `1 ${noun} ${words} passes` : `${count} ${noun}s ${words} pass`;
}

function describeFinding(finding: Finding): string[] {
  const word = finding.weight === 'reject' ? 'Refused' : finding.weight === 'ask' ? 'Question' : 'Noted';
  const rest = finding.subjects.length - SUBJECTS_SHOWN;
  const subjects = finding.subjects.slice(0, SUBJECTS_SHOWN).map((subject) => `    ${plainLine(subject)}`);
  return [`${word} (${finding.reason}): ${finding.message}.`, ...subjects, ...(rest > 0 ? [`    … and ${rest} more`] : [])];
}

const ADVICE: Partial<Record<Reason, string>> = {
  'claim.none': 'If the feature is complete, set its `passes` to true in the feature list and change nothing else there.',
  'claim.multiple': 'Claim only the feature that was assigned to you; set the others back.',
  'claim.wrong_feature': 'Claim only the feature that was assigned to you; set the others back.',
  'claim.no_evidence': "Run the feature's test file and show the command with its whole output.",
  'features.edited': 'Restore the feature list; only `passes` of the assigned feature may change.',
  'features.removed': 'Restore the feature list; only `passes` of the assigned feature may change.',
  'features.added': 'Restore the feature list; only `passes` of the assigned feature may change.',
  'test.failed':
    "The feature's test does not pass in a clean checkout. It may rely on files, packages or settings that are not part of the work.",
  'test.none_ran': "No test of the feature's test file was run in a clean checkout. Check its path and that it defines tests.",
  'test.skipped': 'Tests that are skipped, put off or expected to fail prove nothing; they have to run and pass.',
  'test.not_red': "The feature's test passes without the feature. It has to test what the feature adds.",
  'test.timeout': 'The tests did not end in time. Look for something that keeps running.',
  regression: 'Tests that passed before this session do not pass any more. Make them pass again without changing them.',
  'tamper.tests': 'Leave the tests of accepted features as they were.',
  'tamper.test_config': 'Leave the configuration of the test run as it was.',
  'tamper.toolchain': 'Leave lockfiles, compiler, lint and package settings as they were.',
  'tamper.harness_state': "Leave the harness's own files as they were.",
  'tamper.symlink': 'Remove symbolic links that lead out of the project or stand in for tests.',
  'tamper.history': 'Remove repositories and repository links inside the project.',
};

/** For the agent's next try. */
export function feedbackFor(verdict: Verdict): string {
  const refused = verdict.findings.filter((finding) => finding.weight === 'reject');
  if (refused.length === 0) return doubted(verdict) ?? 'Your work waits for a person to look at it.';
  const advice = [...new Set(refused.map((finding) => ADVICE[finding.reason] ?? `${finding.message}.`))];
  const tests = refused
    .filter((finding) => finding.reason === 'test.failed' || finding.reason === 'regression')
    .flatMap((finding) => finding.subjects.slice(0, SUBJECTS_SHOWN));
  const what = verdict.feature === null ? 'The cleanup' : `Feature #${verdict.feature}`;
  return [
    `${what} could not be verified.`,
    ...advice.map((line) => `- ${line}`),
    ...(tests.length > 0 ? ['Results:', ...tests.map((line) => `  ${plainLine(line)}`)] : []),
  ].join('\n');
}

/** What the examiner expects, in words; what it wrote stays with the harness. */
function doubted(verdict: Verdict): string | null {
  const expected = verdict.findings.filter((finding) => finding.check === 'examiner').flatMap((finding) => finding.subjects);
  if (expected.length === 0) return null;
  return [
    `The work on feature #${verdict.feature} passed every check so far. Somebody who knows only its description, its steps and its interface expects this as well, and it is not so:`,
    ...expected.map((line) => `- ${plainLine(line)}`),
    'Look whether the description asks for it. Where it does, mend the work and its tests, run them, and leave your claim as it is.',
    'Where it does not, or where your work does it already, change nothing and say why in your answer: a person will read both sides.',
  ].join('\n');
}

function plainLine(text: string): string {
  const line = cleanText(text.slice(0, SUBJECT_CHARACTERS * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > SUBJECT_CHARACTERS ? `${line.slice(0, SUBJECT_CHARACTERS)}…` : line;
}
