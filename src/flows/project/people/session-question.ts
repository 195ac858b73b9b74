/** Which question, if any, the end of a session raises. Reads the verdict; decides nothing. */
import type { Reason } from '../../../domain/reasons.ts';
import type { ProjectState } from '../../../domain/session.ts';
import type { Verdict } from '../../../domain/verdict.ts';
import type { Escalated } from './followed.ts';
import { conditionFor, escalatedAs } from './escalate.ts';
import { brokenFeatures } from '../machine/broken-features.ts';
import { blockedBy } from '../machine/next-feature.ts';
import { spendingAfter } from '../../../kernel/books/feature-budget.ts';
import { readVerdict } from '../../../kernel/flight/verdict-files.ts';
import type { SessionReport } from '../machine/running.ts';
import type { Pending } from './pending.ts';
import type { LoadedList, Project } from '../project.ts';
import { readTrusted } from '../list/trusted.ts';
import { mustHave } from '../../../domain/must-have.ts';

export interface SessionQuestion {
  escalated: Escalated;
  findings: string[];
  /** A refused session is retried by the next run: only someone who is there is asked. */
  when: 'always' | 'if_expected';
  candidate: Pending | null;
}

export async function questionAfter(project: Project, report: SessionReport, state: ProjectState): Promise<SessionQuestion | null> {
  const budgets = await spendingAfter(project, report.session, report.feature);
  const reason = report.reasons[0];
  if (report.session === null) {
    const broken =
      report.broken.length === 0
        ? []
        : brokenFeatures((await readTrusted(project, state, { anyCircle: true })).loaded.list.features, report.broken);
    const condition = reason === undefined ? null : conditionFor(reason, report.message, { tests: report.broken, broken }, budgets);
    return condition === null
      ? null
      : { escalated: { ...condition, feature: report.feature }, findings: [], when: 'always', candidate: null };
  }
  const { loaded } = await readTrusted(project, state, { anyCircle: true });
  const findings = findingsOf(report, loaded);
  if (state.escalation !== null) return { escalated: state.escalation, findings, when: 'always', candidate: null };
  const budget = report.reasons.find((code) => code.startsWith('budget.'));
  if (budget !== undefined) {
    const condition = mustHave(conditionFor(budget, report.message, { tests: [] }, budgets), 'every budget has its question');
    return { escalated: { ...condition, feature: report.feature }, findings: [], when: 'always', candidate: null };
  }
  if (report.outcome !== 'rejected') return null;
  const verdict = report.verdict === null ? null : await readVerdict(project, report.verdict);
  if (report.reasons.some(isRegression)) {
    const tests = lostTests(verdict);
    const broken = brokenFeatures(loaded.list.features, tests);
    return {
      escalated: escalatedAs('project.regression', { session: report.session, tests, broken }, report.message, report.feature),
      findings,
      when: 'if_expected',
      candidate: null,
    };
  }
  if (report.feature === null) return null;
  const escalated = escalatedAs(
    'project.verification-failed',
    { feature: report.feature, reasons: report.reasons },
    report.message,
    report.feature,
  );
  return {
    escalated,
    findings,
    when: 'if_expected',
    candidate: verdict === null || report.reasons.some(refusesAsSuch) ? null : candidateOf(report, verdict),
  };
}

function findingsOf(report: SessionReport, loaded: LoadedList): string[] {
  const blocked = report.feature === null ? [] : blockedBy(loaded.list.features, report.feature);
  return [
    `reasons of the last session: ${report.reasons.join(', ')}`,
    report.message,
    blocked.length === 0
      ? ''
      : `waiting for it: ${blocked
          .slice(0, 20)
          .map((id) => `#${id}`)
          .join(', ')}`,
  ].filter((line) => line !== '');
}

function isRegression(reason: Reason): boolean {
  return reason === 'regression' || reason === 'accepted.failed';
}

function lostTests(verdict: Verdict | null): string[] {
  return (verdict?.findings ?? []).filter((finding) => isRegression(finding.reason)).flatMap((finding) => finding.subjects);
}

/** What was done to the project, not to the feature: no look at the result makes up for it. */
function refusesAsSuch(reason: Reason): boolean {
  return (
    reason.startsWith('tamper.') ||
    reason.startsWith('features.') ||
    reason === 'write.outside' ||
    reason === 'claim.multiple' ||
    reason === 'claim.wrong_feature'
  );
}

function candidateOf(report: SessionReport, verdict: Verdict): Pending {
  return {
    session: mustHave(report.session, 'a judged report is of a session'),
    feature: report.feature,
    base: report.base,
    branch: report.branch,
    tree: verdict.candidate_tree,
    verdict: verdict.id,
    gate: 'project.manual-verify',
  };
}
