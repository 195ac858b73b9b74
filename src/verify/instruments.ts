/**
 * The instruments of the judge: every part of a check that can object by itself.
 *
 * 1. Each has an id that switches it off. Only the corpus does so, to show which of them earn their place.
 * 2. A finding is attributed to the instrument that made it, else to its check.
 * 3. Instruments are usually consulted until one objects; a thorough judgement consults all of them.
 */
import type { CheckName, Finding } from '../domain/verdict.ts';
import type { Stopwatch } from './time.ts';

const PARTS = [
  'protected/answers-taken',
  'protected/shadows',
  'protected/redirected-names',
  'protected/counted-elsewhere',
  'feature-test/elsewhere',
  'old-contract/data',
  'old-contract/earlier-version',
  'old-contract/rewritten',
  'old-contract/mutation-parity',
  'old-contract/helpers',
  'old-contract/expected',
  'old-contract/set-up',
  'matter',
  'red/touchy',
  'red/loose',
  'red/idle',
  'red/unreached',
  'red/own-expectations',
  'red/idle-files',
  'red/written-answers',
  'controls/changed',
  'controls/copies',
  'controls/passing',
  'controls/mutation-parity',
  'controls/exit-status',
  'controls/unproved',
  'neutral/runner-marks',
  'neutral/overridden-builtins',
  'neutral/standalone-assertions',
  'neutral/standalone-tests',
  'neutral/fewer-assertions',
  'neutral/language-faults',
  'neutral/vague-answers',
  'surroundings/shown',
  'surroundings/guise',
  'examiner/kept',
  'quality/lint',
  'quality/sanity',
  'quality/own-steps',
  'quality/suppressions',
  'quality/undeclared-packages',
] as const;

export type InstrumentId = CheckName | (typeof PARTS)[number];
/** Steps of the judge that find facts and object to nothing. */
export type StepId = 'suite' | 'second-opinion' | 'hidden-proof';

/** Instruments below the checks. @internal The corpus lists and switches them. */
export const INSTRUMENTS: readonly InstrumentId[] = PARTS;

interface Consulting {
  disabledChecks?: ReadonlySet<string> | undefined;
  thorough?: true | undefined;
  /** Of an optional check: what is not begun in time is left out. */
  time?: Stopwatch | undefined;
}

type Find = () => Promise<readonly Finding[]> | readonly Finding[];

const makers = new WeakMap<Finding, InstrumentId>();

/** @internal The corpus records it. */
export function makerOf(finding: Finding): InstrumentId {
  return makers.get(finding) ?? finding.check;
}

export function isOff({ disabledChecks }: Consulting, id: InstrumentId | StepId): boolean {
  return disabledChecks?.has(id) === true;
}

/** What this instrument finds; nothing if it is switched off. */
export async function consult(judging: Consulting, id: InstrumentId, find: Find): Promise<Finding[]> {
  if (isOff(judging, id) || judging.time?.isUp(id) === true) return [];
  const found = await find();
  for (const finding of found) if (!makers.has(finding)) makers.set(finding, id);
  return [...found];
}

/** One instrument after the other, until one finds something. */
export async function consultInTurn(judging: Consulting, instruments: readonly (readonly [InstrumentId, Find])[]): Promise<Finding[]> {
  const all: Finding[] = [];
  for (const [id, find] of instruments) {
    all.push(...(await consult(judging, id, find)));
    if (all.length > 0 && judging.thorough !== true) break;
  }
  return all;
}

/** Whether another instrument is worth its run: nothing objects yet, or the judgement is thorough. */
export function isOpen({ thorough }: Consulting, findings: readonly Finding[]): boolean {
  return thorough === true || !findings.some((finding) => finding.weight !== 'warn');
}
