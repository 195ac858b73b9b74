/** What `harness judge` came to, kept for the last fifty judgements of a project below `$HARNESS_HOME/judged`. */
import { join } from 'node:path';
import { EXIT, type ExitCode, type Reason } from '../../domain/reasons.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { isoNow, type Platform } from '../../platform/platform.ts';
import type { JudgedChange } from './judge-change.ts';

export type ChangeDecision = 'accepted' | 'regression_only' | 'nothing' | 'rejected' | 'needs_review' | 'not_judged';

export interface ChangeReport extends Partial<Omit<Verdict, 'reasons' | 'findings' | 'checks' | 'caveats'>> {
  verdict: ChangeDecision;
  exit_code: ExitCode;
  reasons: Reason[];
  /** In one sentence. */
  message: string;
  base: { revision: string; commit: string } | null;
  /** `revision` null: the working tree. */
  head: { revision: string | null; commit: string } | null;
  changed_files: number;
  /** How long one run of the suite on the base takes; null: it was not run. */
  suite_ms: number | null;
  /** New and changed test files of the change. */
  test_files: string[];
  findings: Verdict['findings'];
  checks: Verdict['checks'];
  caveats: string[];
}

const EXIT_CODES: Readonly<Record<ChangeDecision, ExitCode>> = {
  accepted: EXIT.done,
  regression_only: EXIT.done,
  nothing: EXIT.done,
  rejected: EXIT.rejected,
  needs_review: EXIT.waiting,
  not_judged: EXIT.preflight,
};

export function reportOf(judged: JudgedChange): ChangeReport {
  const { change, verdict, paths, tests, skipped } = judged;
  const decision = decisionOf(verdict, tests);
  // Lines of a list that the change never had are of no use to a reader.
  const { feature: _feature, session: _session, ...rest } = verdict ?? { feature: null, session: 0 };
  const left = skipped.length === 0 ? [] : [`git could not read part of the working tree: ${skipped.slice(0, 3).join('; ')}`];
  const unproved: Reason[] = decision === 'regression_only' ? ['test.none_new'] : [];
  return {
    ...rest,
    verdict: decision,
    exit_code: EXIT_CODES[decision],
    reasons: [...(verdict?.reasons ?? []), ...unproved],
    message: MESSAGES[decision](judged),
    base: change.base,
    head: change.head,
    changed_files: paths.length,
    suite_ms: judged.suiteMs,
    test_files: tests,
    findings: verdict?.findings ?? [],
    checks: (verdict?.checks ?? []).filter(({ name }) => !OF_SESSIONS.has(name)),
    caveats: [...(verdict?.caveats ?? []), ...left],
  };
}

/** A change claims nothing and shows nothing of its own runs. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['claim', 'evidence']);

export function notJudged(message: string, reasons: readonly Reason[]): ChangeReport {
  return {
    verdict: 'not_judged',
    exit_code: EXIT_CODES.not_judged,
    reasons: [...reasons],
    message,
    base: null,
    head: null,
    changed_files: 0,
    suite_ms: null,
    test_files: [],
    findings: [],
    checks: [],
    caveats: [],
  };
}

function decisionOf(verdict: Verdict | null, tests: readonly string[]): ChangeDecision {
  if (verdict === null) return 'nothing';
  if (verdict.decision === 'rejected') return 'rejected';
  if (verdict.decision === 'needs_human') return 'needs_review';
  return tests.length === 0 ? 'regression_only' : 'accepted';
}

const MESSAGES: Readonly<Record<ChangeDecision, (judged: JudgedChange) => string>> = {
  accepted: ({ verdict }) =>
    `accepted: ${count(verdict?.red_to_green.length ?? 0, 'test')} failed on base and ${verdict?.red_to_green.length === 1 ? 'passes' : 'pass'} now; ${kept(verdict)}`,
  regression_only: ({ verdict }) =>
    `regression only: the change has no new or changed test, so nothing proves what it adds; ${kept(verdict)}`,
  nothing: ({ change }) => `nothing to judge: no difference to ${change.base.revision}`,
  rejected: ({ verdict }) => `rejected: ${verdict?.findings.find(({ weight }) => weight === 'reject')?.message ?? 'see the findings'}`,
  needs_review: ({ verdict }) => `needs review: ${verdict?.findings.find(({ weight }) => weight === 'ask')?.message ?? 'see the findings'}`,
  not_judged: () => 'could not judge the change',
};

function kept(verdict: Verdict | null): string {
  return `${count(verdict?.kept_green ?? 0, 'existing test')} still ${verdict?.kept_green === 1 ? 'passes' : 'pass'}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const KEPT = 50;

export async function keepReport(platform: Platform, folder: string, report: ChangeReport): Promise<void> {
  const at = isoNow(platform.clock);
  const name = `${at.replace(/[:.]/g, '-')}-${report.id ?? platform.random.id(8)}.json`;
  const document = { schema_version: 1, harness_version: HARNESS_VERSION, judged_at: at, ...report };
  await platform.files.writeAtomic(join(folder, name), `${JSON.stringify(document, null, 2)}\n`);
  const names = (await platform.files.list(folder)).map((entry) => entry.name).filter((one) => one.endsWith('.json'));
  for (const old of names.toSorted().slice(0, -KEPT)) await platform.files.remove(join(folder, old));
}
