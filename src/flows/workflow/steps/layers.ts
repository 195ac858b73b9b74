/** The three layers that check a candidate: the harness's own checks, then an evaluator. */
import { fence } from '../../../domain/fence.ts';
import { relativePaths } from '../../../kernel/ground/relative-paths.ts';
import type { Bench } from '../bench.ts';
import { currentTree, baseOf, withDocuments } from '../candidate.ts';
import type { Asks, QaVerdict } from '../contract.ts';
import { isPass } from '../machine/check.ts';
import { hasDocument, writeDocumentText, documentPath, readDocumentText } from '../documents.ts';
import { runLayer1 } from './layer1.ts';
import { askRole, isStopped, type Stopped } from '../role-call.ts';
import { renderReport, summaryOf } from '../words/verify-report.ts';
import { patchBetween } from '../../../kernel/ground/difference.ts';
import { evaluatorVariables } from '../words/evaluator-input.ts';
import { readVerdict } from '../machine/qa-verdict.ts';

interface Checked {
  result: 'PASS' | 'FAIL';
  summary: string;
  tree: string;
  /** Absent: the tree was looked at before, and what was asked about it is answered. */
  asks?: Asks | null;
}

/** Layer 1: run, reported, and summed up in one line. A tree that was checked already is not run again. */
export async function verifyCandidate(bench: Bench): Promise<Checked | Stopped> {
  const { place, session, words } = bench;
  const tree = currentTree(session);
  const { checked } = session.harness;
  if (checked?.tree === tree && (await hasDocument(place, session, 'verify_report.md'))) return checked;
  const layer1 = await runLayer1(place, session);
  const report = relativePaths(place, renderReport(layer1, words));
  await writeDocumentText(place, session, 'verify_report.md', report);
  const result = isPass(layer1.checks) ? 'PASS' : 'FAIL';
  const summary = relativePaths(place, summaryOf(layer1.checks, words));
  const told = result === 'FAIL' ? await explained(bench, summary, report) : summary;
  return typeof told === 'string' ? { tree, result, summary: told, asks: result === 'FAIL' ? layer1.asks : null } : told;
}

/** A model explains a failure only where a person asked for one; the result stands whatever it says. */
async function explained(bench: Bench, summary: string, report: string): Promise<string | Stopped> {
  const { session } = bench;
  if (session.cli_flags.verifier_model === null) return summary;
  const answer = await askRole(bench, {
    role: 'verifier',
    variables: { verify_report: fence('report', report), user_lang: session.user_lang },
    model: session.model_config.verifier,
    output: null,
    tree: currentTree(session),
  });
  return isStopped(answer) ? answer : (answer.line ?? summary);
}

/** Layers 2 and 3: an evaluator that sees the spec, the code and nothing of those who wrote it. */
const REPORT = 'qa_report.md';

export async function evaluate(bench: Bench): Promise<{ verdict: QaVerdict; summary: string } | Stopped> {
  const { place, session, words } = bench;
  bench.tell(words.evaluate.dispatching);
  const tree = currentTree(session);
  const changes = await place.trees.diff(baseOf(session).tree, tree);
  const answer = await askRole(bench, {
    role: 'evaluator',
    variables: evaluatorVariables({
      spec: (await readDocumentText(place, session, 'spec.md')) ?? '',
      changedFiles: changes.map((change) => change.path),
      base: baseOf(session).commit.slice(0, 12),
      difference: (await patchBetween(place, baseOf(session).tree, tree)) ?? '',
      buildCommand: session.build_cmd,
      testCommand: session.test_cmd,
      lintCommand: session.lint_cmd,
      typeCheckCommand: session.type_check_cmd,
      round: session.round,
      scope: session.scope,
      language: session.user_lang,
      layer1: session.verify.layer1_result,
      reportPath: documentPath(session, 'verify_report.md'),
    }),
    model: session.model_config.evaluator,
    output: REPORT,
    tree: await withDocuments(place, session, tree, ['verify_report.md']),
  });
  if (isStopped(answer)) return answer;
  await writeDocumentText(place, session, REPORT, answer.text);
  const { verdict, doubt } = readVerdict(answer.line, answer.text);
  if (doubt === 'no-verdict') bench.warn(words.evaluate.noVerdict);
  if (doubt === 'contradiction') bench.warn(words.evaluate.contradiction);
  const summary = answer.line ?? verdict;
  place.emit({ type: 'progress', message: `  ${verdict === 'PASS' ? '✓' : '✗'} ${summary}` });
  return { verdict, summary };
}
