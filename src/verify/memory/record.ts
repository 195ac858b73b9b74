/** What a judgement leaves behind beside its verdict, so that it can be looked at and done again. */
import { asTestFile, testFilesOf } from '../../domain/test-files.ts';
import type { CheckName, Verdict } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import type { RunRecord } from './run-record.ts';

interface Difference {
  path: string;
  status: 'added' | 'modified' | 'deleted';
  from: string | null;
  to: string | null;
  /** The trusted version was run in its place. */
  replaced: boolean;
}

export interface JudgementRecord {
  plan: {
    session: number;
    mode: JudgeInput['mode'];
    feature: number | null;
    test_file: string | string[] | null;
    base: JudgeInput['base'];
    candidate_tree: string;
    /** The candidate with trusted versions of what is protected. */
    judged_tree: string;
    /** Test files that also had to hold in their earlier version. */
    contract: string[];
    baseline_tests: number;
    checks: CheckName[];
    settings: Pick<JudgeInput['settings'], 'testing' | 'verification' | 'sandbox'>;
  };
  runs: RunRecord[];
  differences: Difference[];
}

export function recordJudgement(input: Case, runs: readonly RunRecord[], verdict: Verdict): JudgementRecord {
  const { judged } = input;
  const replaced = new Set(judged.edits.map((edit) => edit.path));
  const { testing, verification, sandbox } = input.settings;
  return {
    plan: {
      session: input.session,
      mode: input.mode,
      feature: verdict.feature,
      test_file: asTestFile(testFilesOf(input.feature)),
      base: input.base,
      candidate_tree: input.candidate.tree,
      judged_tree: judged.tree,
      contract: judged.contract,
      baseline_tests: input.baseline?.passing_tests.length ?? 0,
      checks: verdict.checks.map((check) => check.name),
      settings: { testing, verification, sandbox },
    },
    runs: [...runs],
    differences: judged.changes.map((change) => ({
      path: change.path,
      status: change.status,
      from: change.from?.oid ?? null,
      to: change.to?.oid ?? null,
      replaced: replaced.has(change.path),
    })),
  };
}
