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
