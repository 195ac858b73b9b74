/**
 * Tests that fail with the trusted files but pass with the candidate's own: the failure belongs to the question about those files, and a person
 * answers both. What the other tests of the feature show is a part of that question too.
 */
import type { Finding } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import { hasRejection, type Check, type CheckResult, type Facts } from '../check.ts';
import { isOff } from '../instruments.ts';
import { runSuiteInParts } from '../run/suite-in-parts.ts';
import { FEATURE_TEST } from './check-feature-test.ts';
import { REGRESSION } from './check-regression.ts';

export const SECOND_OPINION: Check = {
  id: 'second-opinion',
  title: null,
  weight: 'ask',
  after: ['feature-test/elsewhere'],
  cost: 'trial',
  applies: ({ judged, mode }, { findings }) => mode === 'feature' && judged.edits.length > 0 && findings.some(isOfTests),
  run: async (judged, facts) => ({ findings: [], detail: '', facts: { isHeldTogether: await passesTogether(judged, facts) } }),
  doc: 'Runs rejected tests with the changed protected files: if they pass, a person decides about both.',
};

/** Rejections by tests become questions, because the tests pass together with the changed protected files. */
export function soften(findings: readonly Finding[]): void {
  for (const finding of findings) {
    if (isOfTests(finding)) finding.message = `${finding.message} (passes only with the changed protected files)`;
    if (isOfTests(finding) || (finding.check === 'red' && finding.weight === 'reject')) finding.weight = 'ask';
  }
}

function isOfTests({ check, weight }: Finding): boolean {
  return weight === 'reject' && (check === 'feature-test' || check === 'regression');
}

async function passesTogether(judged: Case, facts: Facts): Promise<boolean> {
  const { platform, settings, candidate } = judged;
  const { whenNew: _whenNew, emit: _emit, ...quiet } = judged;
  const other: Case = { ...quiet, judged: { ...judged.judged, tree: candidate.tree } };
  const suite = settings.verification.regression_check
    ? await runSuiteInParts(platform, { ...other, room: 'candidate' }, candidate.tree, [])
    : null;
  const tests = await results(FEATURE_TEST, other, { ...facts, suite });
  const kept = await results(REGRESSION, other, { ...facts, suite });
  const isRejected = [tests, kept].some((one) => hasRejection(one?.findings ?? []));
  return !isRejected && (tests?.facts?.feature?.green ?? []).length > 0;
}

async function results(check: Check, judged: Case, facts: Facts): Promise<CheckResult | null> {
  const applies = (await check.applies?.(judged, facts)) ?? true;
  return applies !== true || isOff(judged, check.id) ? null : await check.run(judged, facts);
}
