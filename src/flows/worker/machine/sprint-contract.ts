import type { TaskInput } from '../contract.ts';
import type { Ground } from './state.ts';

/** What a sprint contract says about its task. Pure; a contract is somebody's JSON, and only what is understood counts. */

export interface DodItem {
  item: string;
  command: string | null;
}

export interface ContractFacts {
  tddRequired: boolean;
  skipTddReason: string | null;
  dod: DodItem[];
}

type Entry = Record<string, unknown>;

export function contractFacts(contract: unknown): ContractFacts {
  const parts = partsOf(contract);
  const first = (name: string): unknown => parts.map((part) => part[name]).find((value) => value !== undefined && value !== null);
  const reason = first('skip_tdd_reason');
  return {
    tddRequired: parts.some((part) => part['tdd_required'] === true),
    skipTddReason: typeof reason === 'string' && reason.trim() !== '' ? reason.trim() : null,
    dod: parts.flatMap((part) => ['dod', 'definition_of_done', 'checks', 'runtime_validation'].flatMap((name) => itemsIn(part[name]))),
  };
}

/** The contract itself, and the parts that such documents keep their facts in. */
function partsOf(contract: unknown): Entry[] {
  if (!isEntry(contract)) return [];
  return [contract, ...['task', 'contract', 'tdd'].flatMap((name) => (isEntry(contract[name]) ? [contract[name]] : []))];
}

/** A list of words or of objects; one text is one item. */
export function itemsIn(value: unknown): DodItem[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ item: value.trim(), command: null }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((one): DodItem[] => {
    if (typeof one === 'string') return itemsIn(one);
    if (!isEntry(one)) return [];
    const name = ['item', 'description', 'label', 'title', 'id', 'command'].map((key) => one[key]).find((text) => typeof text === 'string');
    const command = one['command'];
    return typeof name === 'string' ? [{ item: name, command: typeof command === 'string' && command.trim() !== '' ? command : null }] : [];
  });
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether a failing test has to come first. Pure.
 *
 * 1. Mandatory where the settings enforce it and the contract asks for it; without both it is not.
 * 2. Skipped only with a reason: in the task's own document or contract, never in a file that the task merely names.
 * 3. That there is no test framework is the harness's finding; whoever says so where there is one is not believed.
 */
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
