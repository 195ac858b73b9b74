/** What the claim and the session's own output say, before anything runs. */
import { featureLabel } from '../domain/feature-name.ts';
import { namesOfFiles, testFilesOf } from '../domain/test-files.ts';
import type { Finding } from '../domain/verdict.ts';
import { readClaim } from './checks/claim.ts';
import { showsFeatureRun } from './checks/evidence.ts';
import type { JudgeInput } from './contract.ts';
import type { CheckResult } from './docket.ts';

export function checkClaim(input: JudgeInput): CheckResult {
  const assigned = input.mode === 'cleanup' ? null : (input.feature?.id ?? null);
  const { claimed, findings } = readClaim({
    ...input.features,
    assigned,
    maxFeatures: input.settings.verification.max_features_per_session,
    path: input.settings.paths.features,
  });
  return { findings, detail: claimed.length === 0 ? 'nothing claimed' : `claimed: ${claimed.map(featureLabel).join(', ')}` };
}

export async function checkEvidence(input: JudgeInput): Promise<CheckResult> {
  const unmarked = withoutPrefixes(input);
  return unmarked === null ? await checkShownRun(input) : { findings: [unmarked], detail: unmarked.message };
}

/** `logging.require_prefixes`: an agent that marks none of its actions is refused. */
function withoutPrefixes({ mode, settings, evidence }: JudgeInput): Finding | null {
  if (mode === 'cleanup' || settings.logging?.require_prefixes !== true || evidence?.prefixed === true) return null;
  return {
    check: 'evidence',
    reason: 'claim.no_evidence',
    weight: 'reject',
    message: 'the session marked none of its actions ([CMD:RUN], [VERIFY:PASS] and the like), which logging.require_prefixes asks for',
    subjects: ['logging.require_prefixes'],
  };
}

async function checkShownRun(input: JudgeInput): Promise<CheckResult> {
  if (input.mode === 'cleanup' || !input.settings.verification.require_evidence)
    return { findings: [], detail: 'not required', skipped: true };
  if (input.feature?.verification_type === 'manual' && testFilesOf(input.feature).length === 0)
    return { findings: [], detail: 'a person checks this feature', skipped: true };
  const { passingSummary = null, shown = false } = input.evidence ?? {};
  const unshown = shown ? [] : await filesWithoutRun(input);
  if (shown || (unshown.length === 0 && passingSummary !== null))
    return { findings: [], detail: `a passing run was shown (${passingSummary ?? 'unknown runner'})` };
  const missing =
    input.evidence?.mentionsTestFile === true ? 'a passing summary of a test runner' : `a run of ${namesOfFiles(unshown) || 'its test'}`;
  const finding: Finding = {
    check: 'evidence',
    reason: 'claim.no_evidence',
    weight: 'reject',
    message: `the session did not show ${missing}`,
    subjects: unshown.length === 0 ? ['its test'] : unshown,
  };
  return { findings: [finding], detail: finding.message };
}

/** Test files of the feature of which neither the path nor a test was shown. */
async function filesWithoutRun({ feature, evidence, trees, candidate }: JudgeInput): Promise<string[]> {
  const files = evidence?.unseenFiles ?? testFilesOf(feature);
  if (evidence === null) return files;
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await trees.read(candidate.tree, file) })));
  return texts.filter(({ text }) => text === null || !showsFeatureRun(evidence, text.toString('utf8'))).map(({ file }) => file);
}
