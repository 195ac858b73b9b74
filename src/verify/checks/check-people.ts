/** What only a person can decide: features that ask for it, and work that the harness was not allowed to verify. */
import { featureLabel } from '../../domain/feature-name.ts';
import type { Finding } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { Check, CheckResult } from '../check.ts';

export const PEOPLE: Check = {
  id: 'people',
  title: 'review',
  weight: 'ask',
  cost: 'text',
  always: true,
  run: askPeople,
  doc: 'Nothing is left that only a person can decide, such as `hybrid` and `manual` features.',
};

function askPeople({ mode, feature, settings }: Case): CheckResult {
  const findings: Finding[] = [];
  const { harness_verify, regression_check } = settings.verification;
  const key = harness_verify ? 'verification.regression_check' : 'verification.harness_verify';
  if (!harness_verify || !regression_check)
    findings.push({
      check: 'people',
      reason: 'verification.disabled',
      weight: 'ask',
      message: `${key} is off, so the harness cannot vouch for this work`,
      subjects: [key],
    });
  const kind = feature?.verification_type ?? 'automated';
  if (mode === 'feature' && feature !== null && kind !== 'automated')
    findings.push({
      check: 'people',
      reason: 'manual.confirmation',
      weight: 'ask',
      message: `feature ${featureLabel(feature.id)} is ${kind} and needs review by a person`,
      subjects: feature.manual_checks ?? [],
    });
  return findings.length === 0
    ? { findings, detail: 'none needed', skipped: true }
    : { findings, detail: findings.map(({ message }) => message).join('; ') };
}
