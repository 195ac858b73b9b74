/** Whether the session showed a passing run of the feature's tests. */
import { namesOfFiles, testFilesOf } from '../../domain/test-files.ts';
import { pathSetOf } from '../../domain/tree-index.ts';
import type { Finding } from '../../domain/verdict.ts';
import type { Check, CheckResult } from '../check.ts';
import type { JudgeInput } from '../contract.ts';
import { showsFeatureRun } from './evidence.ts';

export const EVIDENCE: Check = {
  id: 'evidence',
  title: 'evidence',
  weight: 'reject',
  cost: 'text',
  run: checkEvidence,
  doc: "The agent's output shows a passing run of the feature's tests. This alone never leads to acceptance.",
};

async function checkEvidence(input: JudgeInput): Promise<CheckResult> {
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
    message: 'no action prefixes such as [CMD:RUN] in the session output; logging.require_prefixes requires them',
    subjects: ['logging.require_prefixes'],
  };
}

async function checkShownRun(input: JudgeInput): Promise<CheckResult> {
  if (input.mode === 'cleanup' || !input.settings.verification.require_evidence)
    return { findings: [], detail: 'not required', skipped: true };
  if (input.feature?.verification_type === 'manual' && testFilesOf(input.feature).length === 0)
    return { findings: [], detail: 'checked by a person', skipped: true };
  const { passingSummary = null, shown = false } = input.evidence ?? {};
  const unshown = shown ? [] : await filesWithoutRun(input);
  if (shown || (unshown.length === 0 && passingSummary !== null))
    return { findings: [], detail: `a passing run is shown (${passingSummary ?? 'unknown runner'})` };
  const finding: Finding = {
    check: 'evidence',
    reason: 'claim.no_evidence',
    weight: 'reject',
    message: await whatIsMissing(input, unshown),
    subjects: unshown.length === 0 ? ['its test'] : unshown,
  };
  return { findings: [finding], detail: finding.message };
}

async function whatIsMissing({ feature, evidence, trees, candidate }: JudgeInput, unshown: readonly string[]): Promise<string> {
  const there = pathSetOf(await trees.list(candidate.tree));
  const absent = testFilesOf(feature).filter((file) => !there.has(file));
  if (absent.length > 0) return `${namesOfFiles(absent)} ${absent.length === 1 ? 'does' : 'do'} not exist, so no run can be shown`;
  const missing = evidence?.mentionsTestFile === true ? 'passing test summary' : `run of ${namesOfFiles(unshown) || 'its test'}`;
  return `the session output shows no ${missing}`;
}

/** Test files of the feature of which neither the path nor a test was shown. */
async function filesWithoutRun({ feature, evidence, trees, candidate }: JudgeInput): Promise<string[]> {
  const files = evidence?.unseenFiles ?? testFilesOf(feature);
  if (evidence === null) return files;
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await trees.read(candidate.tree, file) })));
  return texts.filter(({ text }) => text === null || !showsFeatureRun(evidence, text.toString('utf8'))).map(({ file }) => file);
}
