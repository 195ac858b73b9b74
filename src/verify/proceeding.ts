/**
 * One judgement while it is made: the case, the facts, and the record of the checks.
 *
 * 1. A check is timed, reported and recorded, whether it passed or not; one that is switched off is recorded as skipped.
 * 2. The same thing found by two checks is recorded once.
 */
import type { CheckLine, Finding } from '../domain/verdict.ts';
import { fileOf } from '../domain/verdict.ts';
import type { Platform } from '../platform/platform.ts';
import type { Case, JudgedTree } from './case.ts';
import { hasRejection, isListed, NO_FACTS, type Check, type CheckResult, type Facts } from './check.ts';
import { soften } from './checks/second-opinion.ts';
import type { JudgeInput } from './contract.ts';
import type { EarlyStarts } from './early.ts';
import { warnAboutOwnTests } from './examine/proof.ts';
import { isOff } from './instruments.ts';
import { endedAfter, startStopwatch, timeLeft } from './time.ts';
import { recordRun, type RunRecord } from './memory/run-record.ts';

export interface Performed {
  check: Check;
  result: CheckResult;
  isSwitchedOff: boolean;
  duration_ms: number;
}

export class Proceeding {
  facts: Facts = NO_FACTS;
  readonly checks: CheckLine[] = [];
  readonly caveats = new Set<string>();
  /** Titles of the checks that run now. */
  readonly running = new Set<string>();
  readonly runs: RunRecord[] = [];
  readonly #findings: Finding[] = [];
  #suiteEnd: number | null = null;
  readonly #given: JudgeInput & { platform: Platform };
  #stores: { trees: JudgeInput['trees']; early: EarlyStarts | null };

  constructor(platform: Platform, input: JudgeInput) {
    const observe: JudgeInput['observe'] = (purpose, run) => {
      this.runs.push(recordRun(purpose, run));
      input.observe?.(purpose, run);
    };
    this.#given = { ...input, platform, observe };
    this.#stores = { trees: input.trees, early: null };
  }

  /** Where trials compose their trees, and what may begin while the suite runs. */
  begin(stores: { trees: JudgeInput['trees']; early: EarlyStarts | null }): void {
    this.#stores = stores;
  }

  get judged(): Case {
    const { trees, early } = this.#stores;
    const given = { ...this.#given, trees, ...(early === null ? {} : { whenNew: early.begin }) };
    const { candidate } = given;
    return withoutReleased({ ...given, judged: this.facts.judged ?? { ...UNTOUCHED, tree: candidate.tree } });
  }

  /** Without `harness_verify` only text is read. */
  allows({ cost }: Check): boolean {
    return cost === 'text' || this.#given.settings.verification.harness_verify;
  }

  /** Nothing that comes later can change the decision. */
  isDecided(): boolean {
    const { thorough, untilObjection } = this.#given;
    if (thorough === true) return false;
    return hasRejection(this.#findings) || (untilObjection === true && this.#findings.some(({ weight }) => weight === 'ask'));
  }

  /** null: the check does not apply, and nothing is recorded. */
  async perform(check: Check): Promise<Performed | null> {
    const { facts } = this;
    const { clock } = this.#given.platform;
    const begin = clock.monotonic();
    const time = check.optional === true ? startStopwatch(clock, () => this.facts.suite?.suite.duration_ms ?? null) : null;
    const judged: Case = time === null ? this.judged : { ...this.judged, time };
    const applies = (await check.applies?.(judged, facts)) ?? true;
    const isSwitchedOff = isOff(judged, check.id);
    if (applies === false || (isSwitchedOff && !isListed(check))) return null;
    const result = isSwitchedOff
      ? skipped('switched off')
      : applies !== true
        ? skipped(applies)
        : await this.#inTime(check, judged, (signal) => this.#result(check, { ...judged, signal }, facts));
    return { check, result: withLeftOut(result, time?.leftOut() ?? []), isSwitchedOff, duration_ms: Math.round(clock.monotonic() - begin) };
  }

  /** Much longer than the suite, and a person decides. */
  async #inTime(check: Check, judged: Case, work: (signal: AbortSignal | undefined) => Promise<CheckResult>): Promise<CheckResult> {
    const { suite } = this.facts;
    if (check.ends !== true || suite === null || this.#suiteEnd === null) return await work(judged.signal);
    const { clock } = this.#given.platform;
    const suiteMs = suite.suite.duration_ms;
    const ms = timeLeft(clock, { since: this.#suiteEnd, suiteMs });
    return (await endedAfter(clock, { ms, signal: judged.signal }, work)) ?? unfinished(check, this.#minutes());
  }

  /** Since the suite ended. */
  #minutes(): number {
    return Math.round((this.#given.platform.clock.monotonic() - (this.#suiteEnd ?? 0)) / 60_000);
  }

  async #result(check: Check, judged: Case, facts: Facts): Promise<CheckResult> {
    const early = await this.#stores.early?.take(check, judged, facts);
    return early ?? (await this.#run(check, judged, facts));
  }

  async #run(check: Check, judged: Case, facts: Facts): Promise<CheckResult> {
    const name = check.title ?? check.id;
    this.running.add(name);
    try {
      return await check.run(judged, facts);
    } finally {
      this.running.delete(name);
    }
  }

  enter({ check, result, isSwitchedOff, duration_ms }: Performed): void {
    if (isSwitchedOff) this.caveats.add(`check switched off: ${check.id}`);
    for (const caveat of result.caveats ?? []) this.caveats.add(caveat);
    this.facts = { ...this.facts, ...result.facts };
    if (this.facts.suite !== null) this.#suiteEnd ??= this.#given.platform.clock.monotonic();
    this.add(result.findings);
    if (!isListed(check)) return;
    const line = { name: check.id, title: check.title, state: stateOf(result), detail: result.detail, duration_ms };
    this.checks.push(line);
    this.#given.emit?.({ type: 'verify.check', ...line });
  }

  add(findings: readonly Finding[]): void {
    const isThorough = this.#given.thorough === true;
    this.#findings.push(...findings.filter((finding) => isThorough || !isKnown(this.#findings, finding)));
    if (this.facts.isHeldTogether) soften(this.#findings);
    if (this.facts.isProvedByHidden) warnAboutOwnTests(this.#findings);
    this.facts = { ...this.facts, findings: [...this.#findings] };
  }
}

const UNTOUCHED: Omit<JudgedTree, 'tree'> = { changes: [], edits: [], contract: [], released: [], helpers: [], rewritten: [] };

/** Tests that the feature was meant to change count in their new version: what they said before is not held against it. */
function withoutReleased(judged: Case): Case {
  const { released } = judged.judged;
  if (released.length === 0 || judged.baseline === null) return judged;
  const passing_tests = judged.baseline.passing_tests.filter((id) => !released.includes(fileOf(id)));
  return { ...judged, baseline: { ...judged.baseline, passing_tests, total_passing: passing_tests.length } };
}

function withLeftOut(result: CheckResult, leftOut: readonly string[]): CheckResult {
  if (leftOut.length === 0) return result;
  return { ...result, caveats: [...(result.caveats ?? []), `left out for lack of time: ${leftOut.join(', ')}`] };
}

function unfinished(check: Check, minutes: number): CheckResult {
  const title = check.title ?? check.id;
  const message = `${title} did not finish in ${minutes} minutes, more than eight runs of the suite, so its result is missing`;
  const finding: Finding[] = isListed(check) ? [{ check: check.id, reason: 'test.timeout', weight: 'ask', message, subjects: [] }] : [];
  return { findings: finding, detail: `not finished in ${minutes} minutes` };
}

function skipped(detail: string): CheckResult {
  return { findings: [], detail, skipped: true };
}

/** A person reads it once. */
function isKnown(findings: readonly Finding[], { reason, weight, message }: Finding): boolean {
  return findings.some((one) => one.reason === reason && one.weight === weight && one.message === message);
}

function stateOf(result: CheckResult): CheckLine['state'] {
  if (result.skipped === true) return 'skipped';
  if (hasRejection(result.findings)) return 'failed';
  return result.findings.length > 0 ? 'warned' : 'passed';
}
