/** What a judgement ends with: the verdict, and what is known about the tests if it is accepted. */
import { countTests } from '../domain/test-results.ts';
import { pathSetOf } from '../domain/tree-index.ts';
import type { Reason } from '../domain/reasons.ts';
import { fileOf, type ChangedResult, type Finding, type TestRun, type Verdict } from '../domain/verdict.ts';
import { isoNow } from '../platform/platform.ts';
import type { Case } from './case.ts';
import { hasRejection, type Facts } from './check.ts';
import { bodiesOf } from './checks/moves.ts';
import { passingIds } from './memory/baseline.ts';
import { emptyLedger, foldLedger, type Ledger } from './memory/ledger.ts';
import type { Proceeding } from './proceeding.ts';
import { caveatsOf } from './run/test-command.ts';

export async function closeVerdict({ judged, facts, checks, caveats }: Proceeding, duration_ms: number): Promise<Verdict> {
  const { platform } = judged;
  const { findings, red, seen } = facts;
  const named = [...facts.named, ...seen.named];
  return {
    schema_version: 1,
    id: platform.random.id(8),
    decision: hasRejection(findings) ? 'rejected' : findings.some(({ weight }) => weight === 'ask') ? 'needs_human' : 'accepted',
    reasons: reasonsOf(findings),
    findings: [...findings],
    feature: judged.feature?.id ?? null,
    session: judged.session,
    base_commit: judged.base.commit,
    candidate_tree: judged.candidate.tree,
    feature_tests: [...(facts.feature?.green ?? [])],
    red_to_green: [...red.redToGreen],
    kept_green: facts.regression?.kept ?? 0,
    passing_tests: [...(await passingTests(judged, facts)), ...(facts.regression?.recovered ?? [])],
    total_tests: facts.suite === null ? 0 : countTests(facts.suite.suite.tests),
    sandboxed: runsOf(facts).every((run) => run.sandboxed),
    runner: runsOf(facts).at(-1)?.runner ?? 'exit-code',
    ...(facts.examined.length + facts.keptExamined.length === 0 ? {} : { examined: [...facts.examined, ...facts.keptExamined] }),
    ...(facts.changedResults.length === 0 ? {} : { changed_results: changedResults(facts) }),
    ...(facts.earlier === null ? {} : { earlier_versions: facts.earlier }),
    ...(seen.pages.length === 0 ? {} : { seen: [...seen.pages] }),
    ...(named.length === 0 ? {} : { named_checks: named }),
    caveats: [...new Set([...runsOf(facts).flatMap((run) => caveatsOf(run, judged.settings.verification.network)), ...caveats])],
    checks,
    judged_at: isoNow(platform.clock),
    duration_ms,
  };
}

function changedResults({ changedResults: results, accounts }: Facts): ChangedResult[] {
  return results.map((one, at) => ({ ...one, ...(accounts[at] === undefined ? {} : { account: accounts[at].account }) }));
}

/** The runs whose results decide about tests. */
function runsOf({ feature, suite }: Facts): TestRun[] {
  return [feature?.run, suite?.suite].filter((run) => run !== undefined);
}

async function passingTests({ trees, candidate }: Case, { suite }: Facts): Promise<string[]> {
  if (suite === null) return [];
  const { tests } = suite.suite;
  const paths = pathSetOf(await trees.list(candidate.tree));
  return passingIds(tests.filter((test) => paths.has(test.file) || !tests.some((one) => paths.has(one.file))));
}

function reasonsOf(findings: readonly Finding[]): Reason[] {
  const ordered = (['reject', 'ask'] as const).flatMap((weight) => findings.filter((finding) => finding.weight === weight));
  return [...new Set(ordered.map((finding) => finding.reason))];
}

/** Bodies are read for tests that the ledger does not know yet. */
export async function nextLedger({ judged, facts }: Proceeding): Promise<Ledger> {
  const ledger = judged.ledger ?? emptyLedger();
  if (facts.suite === null || facts.regression === null) return ledger;
  const { recovered, moves } = facts.regression;
  const paths = pathSetOf(await judged.trees.list(judged.candidate.tree));
  const tests = facts.suite.suite.tests.filter((test) => paths.has(test.file) || !paths.has(fileOf(test.id)));
  const unknown = tests
    .map((test) => test.id)
    .filter((id) => ledger.tests[id]?.body === undefined)
    .slice(0, MOST_BODIES);
  return foldLedger(ledger, {
    session: judged.session,
    tests,
    flaky: recovered,
    moves,
    bodies: await bodiesOf(judged.platform, judged.trees, judged.judged.tree, unknown),
  });
}

const MOST_BODIES = 5_000;
