/**
 * Whether a failing test has to come first. Pure.
 *
 * 1. Mandatory where the settings enforce it and the contract asks for it; without both it is not.
 * 2. Skipped only with a reason: in the task's own document or contract, never in a file that the task merely names.
 * 3. That there is no test framework is the harness's finding; whoever says so where there is one is not believed.
 */
import type { TaskInput } from '../contract.ts';
import type { ContractFacts } from './sprint-contract.ts';
import type { Ground } from './state.ts';

export const NO_FRAMEWORK = 'no-test-framework-detected';

export function tddFor(
  input: TaskInput,
  contract: Pick<ContractFacts, 'tddRequired' | 'skipTddReason'>,
  facts: { enforced: boolean; hasTests: boolean },
): Ground['tdd'] {
  const { enforced, hasTests } = facts;
  if (!enforced) return { enforced, required: false, skipped: null, note: 'tdd.enforce.enabled is off' };
  if (!contract.tddRequired) return { enforced, required: false, skipped: null, note: 'the contract does not say tdd_required' };
  if (!hasTests) return { enforced, required: false, skipped: NO_FRAMEWORK, note: 'the harness found no way to run tests in this project' };
  const said = reasonIn(input, contract);
  if (said !== null && said !== NO_FRAMEWORK) return { enforced, required: false, skipped: said, note: null };
  if (said === NO_FRAMEWORK)
    return { enforced, required: true, skipped: null, note: `"${NO_FRAMEWORK}" was said, but the harness found a test framework` };
  const isOldMark = /\[skip:tdd\]/i.test(`${input.task}\n${input.context ?? ''}`);
  return { enforced, required: true, skipped: null, note: isOldMark ? '[skip:tdd] without skip_tdd_reason skips nothing' : null };
}

function reasonIn(input: TaskInput, contract: Pick<ContractFacts, 'skipTddReason'>): string | null {
  const given = input.skip_tdd_reason?.trim() ?? '';
  if (given !== '') return given;
  if (contract.skipTddReason !== null) return contract.skipTddReason;
  const marked = /\[tdd:skip:([^\]\n]+)\]/i.exec(`${input.task}\n${input.context ?? ''}`)?.[1]?.trim() ?? '';
  return marked === '' ? null : marked;
}
