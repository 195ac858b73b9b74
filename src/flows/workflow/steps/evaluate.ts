/** Layers 2 and 3: an evaluator that sees the spec, the code and nothing of those who wrote it. */
import { patchBetween } from '../../../kernel/ground/difference.ts';
import type { Bench } from '../bench.ts';
import { baseOf, currentTree, withDocuments } from '../candidate.ts';
import type { QaVerdict } from '../contract.ts';
import { documentPath, readDocumentText, writeDocumentText } from '../documents.ts';
import { evaluatorVariables } from '../words/evaluator-input.ts';
import { readVerdict } from '../machine/qa-verdict.ts';
import { askRole, isStopped, type Stopped } from '../role-call.ts';

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
