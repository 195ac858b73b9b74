/**
 * Questions and answers as documents on the shelf `gates`.
 *
 * 1. `<id>.json` is a question that waits; `<id>.answer.json` beside it is what a person answered and nobody has used yet.
 * 2. An answer is bound to the question it was given to (its text and options) and is used once.
 * 3. Both are sealed. A question whose seal does not fit does not exist; such an answer is set aside, and its question stays open.
 * 4. A file that cannot be read is reported and left alone.
 * 5. Versions before several of a kind could wait wrote such questions without their subject: those are found under that name.
 */
import { inOrder } from '../domain/in-order.ts';
import { z } from '../domain/zod.ts';
import { HarnessError, usageError } from '../domain/errors.ts';
import { GateSchema, type Gate, type GateAnswer } from '../domain/gate.ts';
import { HARNESS_VERSION } from '../domain/version.ts';
import type { Shelf } from '../store/shelf.ts';
import { chooseOption } from './choice.ts';
import { GATE_ID, kindOf } from '../domain/gate-id.ts';
import { onlyOne } from '../domain/items.ts';

const SCHEMA_VERSION = 1;
const ANSWER_SUFFIX = '.answer.json';

const StoredGateSchema = GateSchema.extend({
  schema_version: z.literal(SCHEMA_VERSION),
  harness_version: z.string(),
  seal: z.string().optional(),
});
const StoredAnswerSchema = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  harness_version: z.string(),
  id: z.string(),
  question: z.string(),
  option: z.string().nullable(),
  text: z.string().nullable(),
  answered_at: z.string(),
  /** Absent: written by a version without seals, or by hand. */
  seal: z.string().optional(),
});
type StoredAnswer = z.infer<typeof StoredAnswerSchema>;

/** The questions that wait, oldest first. */
export async function waitingGates(gates: Shelf): Promise<Gate[]> {
  const names = await gates.list();
  const waiting = names
    .filter((name) => name.endsWith('.json') && !name.endsWith(ANSWER_SUFFIX))
    .map((name) => name.slice(0, -'.json'.length));
  const found: Gate[] = [];
  for (const id of waiting.filter((name) => GATE_ID.test(name))) {
    const gate = await readGate(gates, id);
    if (gate !== null && !(await hasAnswer(gates, id))) found.push(gate);
  }
  return found.sort((a, b) => inOrder(a.asked_at, b.asked_at) || inOrder(a.id, b.id));
}

/** Answers that are recorded and not carried out yet, by the full ids of their questions; null: in the person's own words. */
export async function recordedAnswers(gates: Shelf): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const name of await gates.list()) {
    const id = name.endsWith(ANSWER_SUFFIX) ? name.slice(0, -ANSWER_SUFFIX.length) : '';
    const answer = GATE_ID.test(id) ? await readAnswer(gates, id) : null;
    if (answer !== null && answer !== 'foreign') found.set(id, answer.option);
  }
  return found;
}

/** What a screen says of one. */
export function recordedWords(option: string | null): string {
  return `${option === null ? 'your answer' : `"${option}"`} is recorded; harness run carries it out`;
}

/** Records a person's answer for the process that asked, or for the next one that asks the same. */
export async function answerGate(
  gates: Shelf,
  named: string,
  given: { option: string | null; text: string | null; at: string },
): Promise<GateAnswer & { id: string }> {
  const gate = await gateNamed(gates, named);
  const { id } = gate;
  const { option, text, at } = given;
  const label = chooseOption(gate, option, text, 'The answer');
  const answer = {
    schema_version: SCHEMA_VERSION,
    harness_version: HARNESS_VERSION,
    id,
    question: fingerprint(gate),
    option: label,
    text,
    answered_at: at,
  };
  const seal = await gates.seal.of(...answerParts(gate, answer));
  await gates.write(answerName(id), `${JSON.stringify({ ...answer, seal }, null, 2)}\n`);
  return { id, option: label, text, by: 'command' };
}

/** By its id, or by its kind while it is the only one. */
export async function gateNamed(gates: Shelf, named: string): Promise<Gate> {
  const exact = GATE_ID.test(named) ? await readGate(gates, named) : null;
  if (exact !== null) return exact;
  const waiting = await waitingGates(gates);
  const ofKind = waiting.filter(({ id }) => kindOf(id) === named);
  const one = onlyOne(ofKind);
  if (one !== null) return one;
  const lines = (some: readonly Gate[]): string[] => some.map((other) => `  ${other.id}: ${other.question}`);
  if (ofKind.length > 1) throw usageError(`${ofKind.length} questions ${named} wait. Name one of them:`, ...lines(ofKind));
  throw usageError(
    `No question ${named} waits in ${gates.where()}.`,
    ...(waiting.length === 0 ? ['No question is waiting.'] : ['These wait:', ...lines(waiting)]),
  );
}

export async function writeGate(gates: Shelf, gate: Gate): Promise<void> {
  const seal = await gates.seal.of('question', GateSchema.parse(gate));
  const document = { schema_version: SCHEMA_VERSION, harness_version: HARNESS_VERSION, ...gate, seal };
  await gates.write(gateName(gate.id), `${JSON.stringify(document, null, 2)}\n`);
}

export async function readGate(gates: Shelf, id: string): Promise<Gate | null> {
  const document = await readJson(gates, gateName(id), StoredGateSchema);
  if (document === null) return null;
  const { schema_version: _schema, harness_version: _harness, seal, ...gate } = document;
  return (await gates.seal.fits(seal, 'question', gate)) ? gate : null;
}

/** Whether an answer waits to be used. */
export async function hasAnswer(gates: Shelf, id: string): Promise<boolean> {
  if (!(await gates.has(answerName(id)))) return false;
  const answer = await readAnswer(gates, id);
  return answer !== null && answer !== 'foreign';
}

/** `foreign`: it was not given here, or not to the question that waits. */
async function readAnswer(gates: Shelf, id: string): Promise<StoredAnswer | 'foreign' | null> {
  const stored = await readJson(gates, answerName(id), StoredAnswerSchema);
  if (stored === null) return null;
  const gate = await readGate(gates, id);
  return gate !== null && (await gates.seal.fits(stored.seal, ...answerParts(gate, stored))) ? stored : 'foreign';
}

function answerParts(gate: Gate, { option, text, answered_at }: Pick<StoredAnswer, 'option' | 'text' | 'answered_at'>): unknown[] {
  return ['answer', gate, option, text, answered_at];
}

/** The recorded answer to exactly this question, left where it is; null too when it was given to another one. */
export async function lookAtAnswer(gates: Shelf, gate: Omit<Gate, 'asked_at'>): Promise<GateAnswer | null> {
  const stored = await readAnswer(gates, await storedAs(gates, gate));
  return stored !== null && stored !== 'foreign' && stored.question === fingerprint(gate)
    ? { option: stored.option, text: stored.text, by: 'command' }
    : null;
}

/**
 * The recorded answer to exactly this question, which is then gone together with the question; `stale` when it was given to another one. A
 * foreign one is set aside.
 */
export async function takeAnswer(gates: Shelf, gate: Omit<Gate, 'asked_at'>): Promise<GateAnswer | 'stale' | { foreign: string } | null> {
  const name = await storedAs(gates, gate);
  const stored = await readAnswer(gates, name);
  if (stored === null) return null;
  if (stored === 'foreign') return { foreign: await gates.setAside(answerName(name), 'foreign') };
  await removeGate(gates, name);
  return stored.question === fingerprint(gate) ? { option: stored.option, text: stored.text, by: 'command' } : 'stale';
}

/** The name under which this very question lies. */
export async function storedAs(gates: Shelf, gate: Omit<Gate, 'asked_at'>): Promise<string> {
  const kind = kindOf(gate.id);
  if (kind === gate.id || (await gates.has(gateName(gate.id)))) return gate.id;
  const older = await readGate(gates, kind);
  return older !== null && fingerprint(older) === fingerprint(gate) ? kind : gate.id;
}

/** The answer goes first: a question without one is asked again, an answer without a question could be taken for another's. */
export async function removeGate(gates: Shelf, id: string): Promise<void> {
  await gates.remove(answerName(id));
  await gates.remove(gateName(id));
}

function fingerprint(gate: Pick<Gate, 'question' | 'options'>): string {
  return JSON.stringify([gate.question, gate.options.map((option) => option.label)]);
}

function gateName(id: string): string {
  if (!GATE_ID.test(id)) throw new Error(`not a gate id: ${id}`);
  return `${id}.json`;
}

function answerName(id: string): string {
  return gateName(id).replace(/\.json$/, ANSWER_SUFFIX);
}

async function readJson<T>(gates: Shelf, name: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await gates.read(name);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new HarnessError(`${gates.where(name)} cannot be read: it is not a question or answer this version knows.`, {
      details: ['It is left as it is. Move it away, and the question comes back.'],
      cause: error,
    });
  }
}
