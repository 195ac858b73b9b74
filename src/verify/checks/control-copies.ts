/**
 * Copies of tests in which one value is another: where one passes although its assertion was reached, that value is not looked at. Where a
 * throw in the place of the assertion changes nothing either, nobody looks: it is never reached, or what it says is swallowed.
 */
import type { Finding, TestRun } from '../../domain/verdict.ts';
import { isFailure } from '../../domain/test-results.ts';
import { isNamed } from '../source/test-names.ts';
import type { Asked, HeldBefore } from './control-base.ts';
import type { Subject } from './control-subject.ts';
import { isHeld, throwInCopies, type Copy } from './mutate.ts';

interface Runs {
  run(texts: ReadonlyMap<string, string>): Promise<TestRun>;
  /** The changed texts of accepted files on the code from before. */
  changedBefore(): Promise<TestRun>;
  before(file: string, asked: Asked): Promise<HeldBefore>;
}

export async function judgeCopies(subjects: readonly Subject[], first: TestRun, runs: Runs): Promise<Finding[]> {
  const findings: Finding[] = [];
  const holding = subjects
    .map((subject) => ({ subject, held: heldCopies(subject, first) }))
    .filter(({ subject, held }) => held.length > 0 && subject.reading !== null);
  if (holding.length === 0) return [];
  const texts = holding.map(
    ({ subject: { file, text, reading }, held }) => [file, throwInCopies(text, reading!, held, 'stopped')] as const,
  );
  const thrown = (await runs.run(new Map(texts))).tests.filter(isFailure);
  for (const { subject, held } of holding) {
    const reached = new Set(thrown.filter((test) => test.file === subject.file).map((test) => test.name));
    const isReached = (copy: Copy): boolean => [...reached].some((name) => isNamed(name, copy.name));
    const lost = subject.isFeature
      ? newlyBlind(subject, held, await runs.before(subject.file, { copies: held, text: subject.text }))
      : lostSince(subject, held, await runs.changedBefore());
    const [blind, unreached] = [lost.filter(isReached), lost.filter((copy) => !isReached(copy))];
    if (blind.length > 0)
      findings.push(ask(subject, blind, `tests in ${subject.file} still pass when some of their expected values are changed`));
    if (unreached.length > 0)
      findings.push(
        ask(
          subject,
          unreached,
          `assertions in ${subject.file} are ${subject.isFeature ? 'never' : 'no longer'} reached, or their failures are swallowed`,
        ),
      );
  }
  return findings;
}

function ask({ file, text }: Subject, copies: readonly Copy[], message: string): Finding {
  const subjects = copies.map(({ title, assertion }) => `${file}::${title}: ${text.slice(assertion.start, assertion.end).slice(0, 120)}`);
  return { check: 'controls', reason: 'test.not_red', weight: 'ask', message, subjects: [...new Set(subjects)] };
}

function newlyBlind({ text }: Subject, blind: readonly Copy[], before: HeldBefore): Copy[] {
  return blind.filter((copy) => !before.copy(copy, text) && !isSaid(copy, text));
}

/** The test says of the same thing that it equals the list in two orders: that there is none is what it is about. */
function isSaid({ test, assertion, list }: Copy, text: string): boolean {
  if (list === undefined || list.through !== undefined) return false;
  const whole = text.slice(assertion.start, assertion.end);
  const [before, after] = [text.slice(assertion.start, list.start), text.slice(list.end, assertion.end)];
  const letters = (one: string): string => [...one].toSorted().join('');
  return test.assertions
    .map((one) => text.slice(one.start, one.end))
    .some((one) => one !== whole && one.startsWith(before) && one.endsWith(after) && letters(one) === letters(whole));
}

function lostSince(subject: Subject, blind: readonly Copy[], run: TestRun): Copy[] {
  const before = heldCopies(subject, run);
  return blind.filter((copy) => !before.includes(copy));
}

export function heldCopies({ file, changed }: Subject, run: TestRun): Copy[] {
  const tests = run.tests.filter((test) => test.file === file);
  return (changed?.copies ?? []).filter((copy) => isHeld(copy, tests));
}
