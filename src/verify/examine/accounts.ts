/** The second call, and what it says about results that changed: what the description does not account for needs review. */
import { countChanges, describeChange } from '../../domain/changed-results.ts';
import { mustHave } from '../../domain/must-have.ts';
import type { ChangedResult, Finding } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { CheckResult } from '../check.ts';
import type { EntailmentAnswer } from './contract.ts';
import type { HiddenOutcome } from './hidden-test.ts';

const NEEDED = 'this check applies only with an examiner';

/** One call for both; none where there is nothing to say. */
export async function secondCall(
  judged: Case,
  disputed: readonly HiddenOutcome[],
  changed: readonly ChangedResult[],
): Promise<EntailmentAnswer> {
  if (disputed.length + changed.length === 0) return { tests: [], changes: [] };
  const feature = mustHave(judged.feature, NEEDED);
  const answer = await mustHave(judged.examiner, NEEDED).entail({
    feature,
    interface: feature.interface?.trim() || null,
    tests: disputed.map(({ test }) => ({ behaviour: test.behaviour, code: test.code })),
    changes: changed.map(describeChange),
  });
  judged.signal?.throwIfAborted();
  return answer;
}

export function withAccounts(result: CheckResult, changed: readonly ChangedResult[], answer: EntailmentAnswer): CheckResult {
  if (changed.length === 0) return result;
  const accounts = 'why' in answer ? [] : answer.changes;
  const of = (account: 'no' | 'unclear'): ChangedResult[] => changed.filter((_one, at) => (accounts[at]?.account ?? 'unclear') === account);
  const [open, unclear] = [of('no'), of('unclear')];
  return {
    ...result,
    ...(open.length === 0 ? {} : { skipped: false, findings: [...result.findings, unaccounted(open)] }),
    ...(unclear.length === 0 ? {} : { caveats: [...(result.caveats ?? []), countChanges(unclear.length)] }),
    facts: { ...result.facts, accounts },
  };
}

function unaccounted(changed: readonly ChangedResult[]): Finding {
  return {
    check: 'behaviour',
    reason: 'behaviour.changed',
    weight: 'ask',
    message: `${countChanges(changed.length)}, and the description does not account for ${changed.length === 1 ? 'it' : 'them'}`,
    subjects: changed.map(describeChange),
  };
}
