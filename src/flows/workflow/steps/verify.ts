/** Layer 1 as a step: run, write the report, and say in one line what came of it. A tree that was looked at already is not run again. */
import { fence } from '../../../domain/fence.ts';
import { relativePaths } from '../../../kernel/ground/relative-paths.ts';
import type { Bench } from '../bench.ts';
import { currentTree } from '../candidate.ts';
import type { Asks } from '../contract.ts';
import { isPass } from '../machine/check.ts';
import { hasDocument, writeDocumentText } from '../documents.ts';
import { runLayer1 } from './layer1.ts';
import { askRole, isStopped, type Stopped } from '../role-call.ts';
import { renderReport, summaryOf } from '../words/verify-report.ts';

interface Checked {
  result: 'PASS' | 'FAIL';
  summary: string;
  tree: string;
  /** Absent: the tree was looked at before, and what was asked about it is answered. */
  asks?: Asks | null;
}

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
