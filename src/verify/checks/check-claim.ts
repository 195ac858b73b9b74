/** Whether the session claims exactly the feature that it was given. */
import { featureLabel } from '../../domain/feature-name.ts';
import type { Check, CheckResult } from '../check.ts';
import type { JudgeInput } from '../contract.ts';
import { readClaim } from './claim.ts';

export const CLAIM: Check = {
  id: 'claim',
  title: 'claim',
  weight: 'reject',
  cost: 'text',
  run: checkClaim,
  doc: 'The feature list differs from yours in one entry only: the assigned feature is marked as done.',
};

function checkClaim(input: JudgeInput): CheckResult {
  const assigned = input.mode === 'cleanup' ? null : (input.feature?.id ?? null);
  const { claimed, findings } = readClaim({
    ...input.features,
    assigned,
    maxFeatures: input.settings.verification.max_features_per_session,
    path: input.settings.paths.features,
  });
  return { findings, detail: claimed.length === 0 ? 'nothing claimed' : `claimed: ${claimed.map(featureLabel).join(', ')}` };
}
