/** What only a person can decide: features that ask for it, and work that the harness was not allowed to verify. */
import { featureLabel } from '../../domain/feature-name.ts';
import type { Finding } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { Check, CheckResult } from '../check.ts';

export const PEOPLE: Check = {
  id: 'people',
  title: 'people',
  weight: 'ask',
  cost: 'text',
  always: true,
  run: askPeople,
  doc: 'Features that are `hybrid` or `manual` need review, and so does everything while verification is switched off.',
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
      message: `feature ${featureLabel(feature.id)} is ${kind}: a person has to look at it`,
      subjects: feature.manual_checks ?? [],
    });
  return findings.length === 0
    ? { findings, detail: 'no person needed', skipped: true }
    : { findings, detail: findings.map(({ message }) => message).join('; ') };
}
