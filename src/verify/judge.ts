/**
 * From a claim to a verdict.
 *
 * 1. The order is fixed: capture, claim, evidence, protected, tests, regression, old contract, red, repeat,
 *    controls, neutral, quality, the feature's own checks, visual, examiner, people.
 * 2. A refusal that needs no run ends it before one; tests run once for the feature and the regression together.
 * 3. Switched-off verification never accepts: a person decides.
 * 4. A run that is aborted rejects with the signal's reason: there is no verdict then.
 */
import { pathSetOf } from '../domain/tree-index.ts';
import { featureLabel } from '../domain/feature-name.ts';
import { fileOf, type Finding, type TestRun, type Verdict } from '../domain/verdict.ts';
import type { Platform } from '../platform/platform.ts';
import { countTests } from '../domain/test-results.ts';
import { passingIds } from './memory/baseline.ts';
import { checkCapture } from './checks/check-capture.ts';
import { changesInstall, checkDependencies } from './checks/check-dependencies.ts';
import { checkExaminer } from './checks/check-examiner.ts';
import { checkProtected } from './checks/check-protected.ts';
import type { Case, JudgedTree } from './case.ts';
import { checkOldContract } from './checks/check-old-contract.ts';
import { checkQuality } from './checks/check-quality.ts';
import { checkFeatureTest, checkRegression } from './checks/check-tests.ts';
import { withoutLoadedAgain } from './checks/loaded-again.ts';
import type { JudgeInput } from './contract.ts';
import { closeDocket, hasRejection, isDecided, openDocket, runCheck, type CheckResult, type Docket } from './docket.ts';
import { consult, isOff } from './instruments.ts';
import { judgeDeeply, type AskedAhead } from './judge-deeply.ts';
import { askedAlone } from './asked-alone.ts';
import { controlsBeside } from './checks/check-controls.ts';
import { checkNeutral } from './checks/check-neutral.ts';
import { redAhead } from './red-ahead.ts';
import { emptyLedger, foldLedger, type Ledger } from './memory/ledger.ts';
import { bodiesOf } from './checks/moves.ts';
import { recordJudgement, type JudgementRecord } from './memory/record.ts';
import { createSpares } from './run/furnished.ts';
import { runSuiteInParts, type SuiteParts } from './run/suite-in-parts.ts';
import { newTestFiles } from './checks/new-tests.ts';
import { caveatsOf } from './run/test-command.ts';
import { findTestsElsewhere } from './checks/tests-elsewhere.ts';
import { judgeByLooking } from './judge-by-looking.ts';
import { checkClaim, checkEvidence } from './judge-by-words.ts';
import type { PictureFile } from './visual/see-page.ts';

/** The verdict, what it rests on, and what is known about the tests if it is accepted. */
export interface Judgement {
  verdict: Verdict;
  record: JudgementRecord;
  ledger: Ledger;
  /** Of the pages that were visited. */
  pictures: PictureFile[];
}

export async function judge(platform: Platform, input: JudgeInput): Promise<Verdict> {
  return (await judgeOnRecord(platform, input)).verdict;
}

export async function judgeOnRecord(platform: Platform, input: JudgeInput): Promise<Judgement> {
  const spares = createSpares(platform, input.scratch);
  return await judgeWith(platform, { spares, ...input }).finally(() => spares.dispose());
}

async function judgeWith(platform: Platform, input: JudgeInput): Promise<Judgement> {
  const judged: JudgedTree = { tree: input.candidate.tree, changes: [], edits: [], contract: [], released: [], helpers: [], rewritten: [] };
  const docket = openDocket({ ...input, platform, judged });
  const begin = platform.clock.monotonic();
  await judgeText(docket);
  docket.input = withoutReleased(docket.input);
  if (!isDecided(docket)) {
    if (input.settings.verification.harness_verify) await judgeByRunning(docket);
    if (!input.settings.verification.harness_verify || !input.settings.verification.regression_check)
      docket.findings.push(switchedOff(input));
    await runCheck(docket, 'people', () => askPeople(input));
    if (!hasRejection(docket)) docket.findings.push(...[(await input.objection?.()) ?? []].flat());
  }
  const verdict = closeDocket(docket, begin);
  const record = recordJudgement({ ...docket.input, baseline: input.baseline }, docket.runs, verdict);
  return { verdict, record, ledger: await nextLedger(docket), pictures: docket.pictures };
}

/** Bodies are read for tests that the ledger does not know yet. */
async function nextLedger(docket: Docket): Promise<Ledger> {
  const { input, history } = docket;
  const ledger = input.ledger ?? emptyLedger();
  if (history.suite === null) return ledger;
  const paths = pathSetOf(await input.trees.list(input.candidate.tree));
  const tests = history.suite.tests.filter((test) => paths.has(test.file) || !paths.has(fileOf(test.id)));
  const unknown = tests
    .map((test) => test.id)
    .filter((id) => ledger.tests[id]?.body === undefined)
    .slice(0, MOST_BODIES);
  return foldLedger(ledger, {
    session: input.session,
    tests,
    flaky: history.flaky,
    moves: history.moves,
    bodies: await bodiesOf(input.platform, input.trees, input.judged.tree, unknown),
  });
}

const MOST_BODIES = 5_000;

/** What can be said without running anything. */
async function judgeText(docket: Docket): Promise<void> {
  const { input } = docket;
  await runCheck(docket, 'capture', () => checkCapture(input));
  await runCheck(docket, 'claim', () => checkClaim(input));
  await runCheck(docket, 'evidence', () => checkEvidence(input));
  if (isOff(input, 'protected'))
    docket.input = { ...input, judged: { ...input.judged, changes: await input.trees.diff(input.base.tree, input.candidate.tree) } };
  await runCheck(docket, 'protected', async () => {
    const checked = await checkProtected(input);
    docket.input = { ...input, judged: checked.judged };
    return checked.result;
  });
}

/** Tests that the feature was meant to change count in their new version: what they said before is not held against it. */
function withoutReleased(input: Case): Case {
  const { released } = input.judged;
  if (released.length === 0 || input.baseline === null) return input;
  const passing_tests = input.baseline.passing_tests.filter((id) => !released.includes(fileOf(id)));
  return { ...input, baseline: { ...input.baseline, passing_tests, total_passing: passing_tests.length } };
}

async function judgeByRunning(docket: Docket): Promise<void> {
  const { judged } = docket.input;
  if (changesInstall(judged.changes)) await runCheck(docket, 'dependencies', () => checkDependencies(docket.input, judged.tree));
  if (isDecided(docket)) return;
  const drafts = docket.input.trees.drafts?.();
  if (drafts === undefined) return await judgeInDrafts(docket);
  docket.input = { ...docket.input, trees: drafts };
  await judgeInDrafts(docket).finally(() => drafts.drop());
}

async function judgeInDrafts(docket: Docket): Promise<void> {
  const { input } = docket;
  const ahead: AskedAhead = {
    red: redAhead(input),
    neutral: askedAlone(input, 'neutral', checkNeutral),
    controls: askedAlone(input, 'controls', controlsBeside),
  };
  await judgeRuns(docket, ahead).finally(() => Promise.all(Object.values(ahead).map((one) => one.drop())));
}

async function judgeRuns(docket: Docket, ahead: AskedAhead): Promise<void> {
  const { input } = docket;
  const { platform, settings, judged } = input;
  const at = docket.findings.length;
  const parts = settings.verification.regression_check
    ? await runSuiteInParts(
        platform,
        { ...input, whenNew: (run) => void ahead.controls.begin(run, ahead.neutral.begin(run, ahead.red.begin(run))) },
        judged.tree,
        await newTestFiles(input),
      )
    : null;
  const suite = parts?.suite ?? null;
  const green = await judgeTests(docket, parts);
  if (suite !== null && input.mode === 'feature' && !hasRejection(docket))
    docket.findings.push(...(await consult(input, 'feature-test/elsewhere', () => findTestsElsewhere(input, suite))));
  const isHeldTogether = await takeSecondOpinion(docket, at);
  const ran = [docket.featureRun, suite].flatMap((run) => run?.tests ?? []);
  await runCheck(docket, 'old-contract', () => checkOldContract(input, ran));
  if (!isDecided(docket)) await judgeDeeply(docket, { green, suite, ahead });
  if (isHeldTogether)
    for (const finding of docket.findings) if (finding.check === 'red' && finding.weight === 'reject') finding.weight = 'ask';
  if (!isDecided(docket)) await runCheck(docket, 'quality', () => checkQuality(input));
  await judgeByLooking(docket);
  if (input.examiner !== undefined && input.mode === 'feature' && !isDecided(docket))
    await runCheck(docket, 'examiner', async () => {
      const checked = await checkExaminer(input);
      docket.examined = checked.examined;
      return checked;
    });
}

async function judgeTests(docket: Docket, parts: SuiteParts | null): Promise<string[]> {
  const { input, facts } = docket;
  const { platform, judged } = input;
  const suite = parts?.suite ?? null;
  let green: string[] = [];
  if (input.mode === 'feature') {
    await runCheck(docket, 'feature-test', async () => {
      const checked = await checkFeatureTest(input, judged.tree, suite);
      if ('green' in checked) {
        green = await withoutLoadedAgain(platform, input.trees, judged.tree, checked.green);
        docket.featureRun = checked.run;
        takeFacts(docket, checked.run);
        facts.feature_tests = green;
      }
      return checked.result;
    });
  }
  if (parts === null || suite === null) return green;
  takeFacts(docket, suite);
  const paths = pathSetOf(await input.trees.list(input.candidate.tree));
  facts.total_tests = countTests(suite.tests);
  facts.passing_tests = passingIds(suite.tests.filter((test) => paths.has(test.file) || !suite.tests.some((one) => paths.has(one.file))));
  await runCheck(docket, 'regression', async () => {
    const checked = await checkRegression(input, parts);
    facts.kept_green = checked.kept;
    facts.passing_tests = [...facts.passing_tests, ...checked.recovered];
    docket.history = { suite, flaky: checked.recovered, moves: checked.moves };
    return checked.result;
  });
  return green;
}

function takeFacts(docket: Docket, run: TestRun): void {
  docket.facts.runner = run.runner;
  docket.facts.sandboxed = docket.facts.sandboxed && run.sandboxed;
  for (const caveat of caveatsOf(run, docket.input.settings.verification.network)) docket.caveats.add(caveat);
}

/**
 * Tests that fail with the trusted files but pass with the candidate's own: the failure belongs to the question that is asked
 * about those files, and a person answers both. What the others of the feature's tests show is a part of that question too.
 */
async function takeSecondOpinion(docket: Docket, at: number): Promise<boolean> {
  const { input } = docket;
  const { platform, judged } = input;
  const refused = docket.findings.slice(at).filter((finding) => finding.weight === 'reject');
  if (judged.edits.length === 0 || refused.length === 0 || input.mode === 'cleanup') return false;
  const other = openDocket({ ...input, judged: { ...judged, tree: input.candidate.tree }, emit: undefined });
  const parts = input.settings.verification.regression_check
    ? await runSuiteInParts(platform, { ...input, room: 'candidate' }, input.candidate.tree, [])
    : null;
  const green = await judgeTests(other, parts);
  if (hasRejection(other) || green.length === 0) return false;
  for (const finding of refused) {
    finding.weight = 'ask';
    finding.message = `${finding.message} (it passes only together with the changed protected files)`;
  }
  return true;
}

function switchedOff(input: JudgeInput): Finding {
  const key = input.settings.verification.harness_verify ? 'verification.regression_check' : 'verification.harness_verify';
  return {
    check: 'people',
    reason: 'verification.disabled',
    weight: 'ask',
    message: `${key} is off, so the harness cannot vouch for this work`,
    subjects: [key],
  };
}

function askPeople(input: JudgeInput): CheckResult {
  const kind = input.feature?.verification_type ?? 'automated';
  if (input.mode === 'cleanup' || kind === 'automated') return { findings: [], detail: 'no person needed', skipped: true };
  const checks = input.feature!.manual_checks ?? [];
  const finding: Finding = {
    check: 'people',
    reason: 'manual.confirmation',
    weight: 'ask',
    message: `feature ${featureLabel(input.feature!.id)} is ${kind}: a person has to look at it`,
    subjects: checks,
  };
  return { findings: [finding], detail: finding.message };
}
