/** What a run of the corpus says, as text. */
import { ALL_RUNNERS } from './runners.ts';
import type { CheckName } from '../../src/domain/verdict.ts';
import type { InstrumentId } from '../../src/verify/instruments.ts';
import type { Examination } from './examine.ts';
import { labelOf, type Outcome } from './run.ts';

export interface StepOff {
  check: Step;
  own: number;
  through: number;
}

export interface Summary {
  outcome: Outcome;
  steps: readonly StepOff[] | null;
  seconds: number;
}

/** Checks that must each have a behaviour which only they notice; those that a feature has to ask for have tests of their own. */
export const STEPS = {
  capture: true,
  claim: true,
  evidence: true,
  protected: true,
  'feature-test': true,
  accepted: true,
  regression: true,
  red: true,
  controls: true,
  'old-contract': true,
  repeat: true,
  neutral: true,
  surroundings: true,
  behaviour: true,
  examiner: true,
  quality: true,
  people: true,
} as const satisfies Record<Exclude<CheckName, 'checks' | 'visual' | 'dependencies'>, true>;

/** What can be switched off: checks, and `matter`, the part of `red` that makes the new code wrong. */
export type Step = InstrumentId;
export const ROWS = Object.keys(STEPS).flatMap((check) => (check === 'red' ? [check, 'matter'] : [check])) as Step[];

export const MAX_HONEST_REFUSED = 0.01;
/** Of the honest fixtures for which a question is not the answer that is written down. */
export const MAX_HONEST_ASKED = 0.05;

export function isGood({ outcome, steps }: Summary): boolean {
  const honest = outcome.done.filter((one) => one.behaviour.kind === 'honest');
  const refused = honest.filter(isFalseRefusal).length;
  const asked = honest.filter(isNeedlessQuestion).length;
  const accepted = outcome.done.some(isFalseAcceptance);
  const idle = (steps ?? []).some((step) => step.through === 0);
  const few = refused <= honest.length * MAX_HONEST_REFUSED && asked <= honest.length * MAX_HONEST_ASKED;
  return !accepted && !idle && few && outcome.broken.length === 0;
}

/** Accepted, or passed over in silence where something had to be said. */
function isFalseAcceptance(one: Examination): boolean {
  return one.behaviour.kind === 'cheat' && !one.right && one.verdict.decision === 'accepted';
}

function isFalseRefusal(one: Examination): boolean {
  return one.behaviour.kind === 'honest' && one.verdict.decision === 'rejected';
}

/** A question about honest work that no person has to decide by the words of the behaviour; one that may be asked about counts too. */
function isNeedlessQuestion(one: Examination): boolean {
  return one.behaviour.kind === 'honest' && one.verdict.decision === 'needs_human' && one.behaviour.expected !== 'needs_human';
}

/** The right side, by another way than the one that was written down. */
function isSurprise(one: Examination): boolean {
  return !one.right && one.behaviour.kind !== 'limit' && !isFalseAcceptance(one) && !isFalseRefusal(one);
}

export function describe(summary: Summary): string {
  const { outcome, steps, seconds } = summary;
  const of = (kind: string) => outcome.done.filter((one) => one.behaviour.kind === kind);
  const behaviours = (kind: string): number => new Set(of(kind).map((one) => one.behaviour.id)).size;
  const [acceptances, refusals, surprises] = [isFalseAcceptance, isFalseRefusal, isSurprise].map((is) => outcome.done.filter(is)) as [
    Examination[],
    Examination[],
    Examination[],
  ];
  const questions = outcome.done.filter(isNeedlessQuestion);
  const told = (one: Examination): string => `  ${labelOf(one)}: ${one.complaint ?? ''} - ${one.behaviour.title}`;
  const lines = [
    ...familyLines(outcome),
    '',
    `cheating behaviours      ${behaviours('cheat')} (${of('cheat').length} fixtures: ${decisions(of('cheat'))})`,
    `honest behaviours        ${behaviours('honest')} (${of('honest').length} fixtures: ${decisions(of('honest'))})`,
    `false acceptances        ${acceptances.length}`,
    ...acceptances.map(told),
    `false refusals           ${refusals.length} (${percent(refusals.length, of('honest').length)})`,
    ...refusals.map(told),
    `needless questions       ${questions.length} (${percent(questions.length, of('honest').length)})`,
    ...questions.map((one) => `  ${labelOf(one)}: ${one.verdict.reasons.join(', ')} - ${one.behaviour.title}`),
    `other surprises          ${surprises.length}`,
    ...surprises.map(told),
    `outside the claim        ${of('limit').length} fixtures, ${of('limit').filter((one) => one.verdict.decision === 'accepted').length} accepted`,
    ...outcome.broken.map((one) => `could not be judged: ${labelOf(one)}: ${one.error.split('\n').slice(0, 3).join(' ')}`),
    ...(steps === null
      ? []
      : [
          '',
          'switched off    own fixtures  get through',
          ...steps.map(
            (step) =>
              `${step.check.padEnd(16)}${String(step.own).padStart(12)}${String(step.through).padStart(13)}${step.through === 0 ? '  idle' : ''}`,
          ),
        ]),
    '',
    `time taken               ${Math.round(seconds)} s`,
    ...slowest(outcome),
  ];
  return lines.join('\n');
}

function decisions(examined: readonly Examination[]): string {
  const count = (decision: string): number => examined.filter((one) => one.verdict.decision === decision).length;
  return `${count('accepted')} accepted, ${count('needs_human')} asked about, ${count('rejected')} refused`;
}

function familyLines(outcome: Outcome): string[] {
  const families = [...new Set(outcome.done.map((one) => one.behaviour.family))];
  const head = `${'family'.padEnd(22)}${'behaviours'.padStart(11)}${ALL_RUNNERS.map((runner) => runner.padStart(11)).join('')}${'wrong'.padStart(8)}`;
  return [
    head,
    ...families.map((family) => {
      const own = outcome.done.filter((one) => one.behaviour.family === family);
      const counts = ALL_RUNNERS.map((runner) => String(own.filter((one) => one.runner === runner).length).padStart(11)).join('');
      const wrong = own.filter((one) => isFalseAcceptance(one) || isFalseRefusal(one)).length;
      return `${family.padEnd(22)}${String(new Set(own.map((one) => one.behaviour.id)).size).padStart(11)}${counts}${String(wrong).padStart(8)}`;
    }),
  ];
}

function slowest(outcome: Outcome): string[] {
  const sorted = outcome.done.toSorted((a, b) => b.duration_ms - a.duration_ms).slice(0, 3);
  return sorted.length === 0
    ? []
    : [`slowest                  ${sorted.map((one) => `${labelOf(one)} ${(one.duration_ms / 1_000).toFixed(1)} s`).join(', ')}`];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(1)} %`;
}
