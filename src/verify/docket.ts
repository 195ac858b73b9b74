/**
 * The record of one judgement while it is made.
 *
 * 1. A check is timed, told and recorded, whether it passed or not; one that is switched off is recorded as skipped.
 * 2. Findings decide the verdict; the first of the heaviest weight comes first.
 */
import type { Reason } from '../domain/reasons.ts';
import type { CheckName, ExaminedTest, Finding, NamedCheck, SeenPage, TestRun, Verdict } from '../domain/verdict.ts';
import { isoNow } from '../platform/platform.ts';
import type { Case } from './case.ts';
import type { JudgeInput } from './contract.ts';
import { isOff } from './instruments.ts';
import type { PictureFile } from './visual/see-page.ts';
import { recordRun, type RunRecord } from './memory/run-record.ts';

export interface CheckResult {
  findings: Finding[];
  detail: string;
  /** The check had nothing to look at. */
  skipped?: boolean;
  /** Weaknesses of the verdict that the check found out. */
  caveats?: string[];
}

export interface Docket {
  /** Renewed as more becomes known: what is judged is known after `protected`. */
  input: Case;
  findings: Finding[];
  checks: Verdict['checks'];
  caveats: Set<string>;
  /** The run in which the feature's tests passed. */
  featureRun: TestRun | null;
  /** What the ledger learns from the run of the whole suite. */
  history: { suite: TestRun | null; flaky: string[]; moves: ReadonlyMap<string, string> };
  /** Tests of the feature that no wrong code moved. */
  unmoved: string[];
  /** Tests of the feature whose expectations could not be shown to matter. */
  uncontrolled: string[];
  /** Tests of the examiner that say something about the feature. */
  examined: ExaminedTest[];
  /** Pages that were visited, their pictures, and the checks that the feature names. */
  seen: SeenPage[];
  pictures: PictureFile[];
  named: NamedCheck[];
  runs: RunRecord[];
  /** Facts that the verdict carries, filled in by the checks. */
  facts: Pick<Verdict, 'feature_tests' | 'red_to_green' | 'kept_green' | 'passing_tests' | 'total_tests' | 'sandboxed' | 'runner'>;
}

export function openDocket(input: Case): Docket {
  const facts = {
    feature_tests: [],
    red_to_green: [],
    kept_green: 0,
    passing_tests: [],
    total_tests: 0,
    sandboxed: true,
    runner: 'exit-code' as const,
  };
  const runs: RunRecord[] = [];
  const observe: JudgeInput['observe'] = (purpose, run) => {
    runs.push(recordRun(purpose, run));
    input.observe?.(purpose, run);
  };
  return {
    input: { ...input, observe },
    history: { suite: null, flaky: [], moves: new Map() },
    unmoved: [],
    uncontrolled: [],
    examined: [],
    seen: [],
    pictures: [],
    named: [],
    runs,
    findings: [],
    checks: [],
    caveats: new Set(),
    featureRun: null,
    facts,
  };
}

type Look = () => Promise<CheckResult> | CheckResult;

export async function runCheck(docket: Docket, name: CheckName, look: Look): Promise<void> {
  enter(docket, await perform(docket, name, look));
}

/** Lanes run side by side, each in order; what they found is entered lane by lane, so that the record does not depend on their speed. */
export async function runLanes(docket: Docket, lanes: readonly (readonly (readonly [CheckName, Look])[])[]): Promise<void> {
  const done = await Promise.all(
    lanes.map(async (lane) => {
      const performed: Performed[] = [];
      for (const [name, look] of lane) performed.push(await perform(docket, name, look));
      return performed;
    }),
  );
  for (const performed of done.flat()) enter(docket, performed);
}

interface Performed {
  check: Verdict['checks'][number];
  result: CheckResult;
  off: boolean;
}

async function perform(docket: Docket, name: CheckName, look: Look): Promise<Performed> {
  const { input } = docket;
  const { platform } = input;
  const begin = platform.clock.monotonic();
  const off = isOff(input, name);
  const result = off ? { findings: [], detail: 'switched off', skipped: true } : await look();
  return {
    check: { name, state: stateOf(result), detail: result.detail, duration_ms: Math.round(platform.clock.monotonic() - begin) },
    result,
    off,
  };
}

function enter(docket: Docket, { check, result, off }: Performed): void {
  if (off) docket.caveats.add(`check switched off: ${check.name}`);
  for (const caveat of result.caveats ?? []) docket.caveats.add(caveat);
  const isThorough = docket.input.thorough === true;
  docket.findings.push(...result.findings.filter((finding) => isThorough || !isKnown(docket.findings, finding)));
  docket.checks.push(check);
  docket.input.emit?.({ type: 'verify.check', ...check });
}

/** Two checks can come upon the same thing: a person reads it once. */
function isKnown(findings: readonly Finding[], { reason, weight, message }: Finding): boolean {
  return findings.some((one) => one.reason === reason && one.weight === weight && one.message === message);
}

export function hasRejection(docket: Docket): boolean {
  return docket.findings.some((finding) => finding.weight === 'reject');
}

/** Nothing that comes later can matter any more. */
export function isDecided(docket: Docket): boolean {
  if (docket.input.thorough === true) return false;
  return hasRejection(docket) || (docket.input.untilObjection === true && docket.findings.some((finding) => finding.weight === 'ask'));
}

export function closeDocket(docket: Docket, begin: number): Verdict {
  const { input, findings, facts } = docket;
  const { platform } = input;
  const decision = hasRejection(docket) ? 'rejected' : findings.some((finding) => finding.weight === 'ask') ? 'needs_human' : 'accepted';
  return {
    schema_version: 1,
    id: platform.random.id(8),
    decision,
    reasons: reasonsOf(findings),
    findings,
    feature: input.feature?.id ?? null,
    session: input.session,
    base_commit: input.base.commit,
    candidate_tree: input.candidate.tree,
    ...facts,
    ...(docket.examined.length === 0 ? {} : { examined: docket.examined }),
    ...(docket.seen.length === 0 ? {} : { seen: docket.seen }),
    ...(docket.named.length === 0 ? {} : { named_checks: docket.named }),
    caveats: [...docket.caveats],
    checks: docket.checks,
    judged_at: isoNow(platform.clock),
    duration_ms: Math.round(platform.clock.monotonic() - begin),
  };
}

function reasonsOf(findings: readonly Finding[]): Reason[] {
  const ordered = (['reject', 'ask'] as const).flatMap((weight) => findings.filter((finding) => finding.weight === weight));
  return [...new Set(ordered.map((finding) => finding.reason))];
}

function stateOf(result: CheckResult): Verdict['checks'][number]['state'] {
  if (result.skipped === true) return 'skipped';
  if (result.findings.some((finding) => finding.weight === 'reject')) return 'failed';
  return result.findings.length > 0 ? 'warned' : 'passed';
}
