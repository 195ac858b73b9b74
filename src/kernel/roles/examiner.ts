/**
 * The examiner as a role: a session of its own in an empty copy, which is told what the feature list says and nothing of the work.
 *
 * 1. What it wrote is kept for the session whose work is examined: a claim that is judged again is judged by the same tests, and the role is
 *    not paid twice, also after a crash.
 * 2. Whatever goes wrong with it is a reason why the work was not examined, never an error.
 */
import { createHash } from 'node:crypto';
import { z } from '../../domain/zod.ts';
import type { Flight } from '../../domain/session.ts';
import { fence } from '../../domain/fence.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { Examiner, ExaminerAnswer, ExaminerRequest } from '../../verify/examiner/contract.ts';
import { MOST_TESTS, readReply } from '../../verify/examiner/read-reply.ts';
import { readFrom, writeTo } from '../../store/document.ts';
import type { Shelf } from '../../store/shelf.ts';
import type { Brief } from '../flight/contract.ts';
import type { Place } from '../place.ts';
import { callRole } from './call-role.ts';
import { OUTPUT_FOLDER } from './take-output.ts';

const ROLE = 'project/examiner';
/** How often it is begun for one session: once more than once, for the case that the harness was cut off meanwhile. */
const MOST_ATTEMPTS = 2;

const TestSchema = z.object({ behaviour: z.string(), code: z.string() });
const KeptSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  /** Hash of what was asked. */
  asked: z.string(),
  /** How often the role was begun without an answer that is kept. */
  attempts: z.number().int(),
  answer: z.union([z.object({ tests: z.array(TestSchema), leftOut: z.array(z.string()) }), z.object({ why: z.string() })]).nullable(),
});
type Kept = z.infer<typeof KeptSchema>;

/** For the judge; nothing where nobody is to be asked. */
export function examinerFor(place: Place, flight: Pick<Flight, 'session'>, brief: Pick<Brief, 'feature'>): { examiner?: Examiner } {
  if (place.config.verification.examiner === 'off' || brief.feature === null) return {};
  return { examiner: { ask: (request) => askOnce(place, flight, request) } };
}

async function askOnce(place: Place, { session }: Pick<Flight, 'session'>, request: ExaminerRequest): Promise<ExaminerAnswer> {
  const shelf = place.documents.folder('examinations');
  const name = `${session}.json`;
  const asked = hashOf(request);
  const found = await readFrom(shelf, name, KeptSchema, { setAside: false }).catch(() => null);
  const kept = found?.asked === asked ? found : null;
  if (kept !== null && kept.answer !== null) return kept.answer;
  const attempts = (kept?.attempts ?? 0) + 1;
  if (attempts > MOST_ATTEMPTS) return { why: 'the examiner did not finish' };
  await write(shelf, name, { asked, attempts, answer: null });
  const { answer, isFinal } = await askRole(place, request);
  if (isFinal) await write(shelf, name, { asked, attempts, answer });
  return answer;
}

async function write(shelf: Shelf, name: string, { asked, attempts, answer }: Pick<Kept, 'asked' | 'attempts' | 'answer'>): Promise<void> {
  const document: Kept = { schema_version: 1, harness_version: HARNESS_VERSION, asked, attempts, answer };
  await writeTo(shelf, name, document);
}

/** `isFinal`: another call would be asked the same and paid again. */
async function askRole(place: Place, request: ExaminerRequest): Promise<{ answer: ExaminerAnswer; isFinal: boolean }> {
  try {
    const { stop, output, reply } = await callRole(place, {
      role: ROLE,
      variables: {
        feature: fence(`feature ${request.feature.id}`, wordsOf(request)),
        interface: fence('interface', request.interface),
        surroundings: surroundingsOf(request),
        style: request.style,
        path: request.path,
        most: String(MOST_TESTS),
        output_path: `${OUTPUT_FOLDER}/${OUTPUT}`,
      },
      model: null,
      output: OUTPUT,
      lane: 'examiner',
      tree: await place.trees.emptyTree(),
      keeps: 'output',
      language: 'en',
      feature: request.feature.id,
      isBlind: true,
    });
    place.signal.throwIfAborted();
    if (stop !== null) return { answer: { why: `the examiner was stopped: ${stop.message}` }, isFinal: false };
    return { answer: await readReply(place.platform, output ?? reply, request.path), isFinal: true };
  } catch (error) {
    place.signal.throwIfAborted();
    const message = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    return { answer: { why: `the examiner could not be asked: ${message}` }, isFinal: false };
  }
}

/** How the program starts, and the interfaces below the feature; empty: nothing is known of either. */
function surroundingsOf({ program, stands_on }: ExaminerRequest): string {
  const below = stands_on.map((one) => `#${one.id} ${one.description}\n${one.interface}`).join('\n\n');
  return [
    ...(program.length === 0 ? [] : ['How the program is started and reached:', '', fence('program', program.join('\n')), '']),
    ...(below === ''
      ? []
      : ['It stands on these features, which are built already. Their interfaces:', '', fence('interfaces', below), '']),
  ].join('\n');
}

const OUTPUT = 'examination.md';

function wordsOf({ feature }: ExaminerRequest): string {
  const steps = (feature.verification_steps ?? []).map((step, index) => `${index + 1}. ${step}`);
  return [feature.description, ...(steps.length === 0 ? [] : ['', 'Verification steps:', ...steps])].join('\n');
}

function hashOf({ feature, ...asked }: ExaminerRequest): string {
  const { id, description, verification_steps } = feature;
  return createHash('sha256')
    .update(JSON.stringify({ id, description, verification_steps, ...asked }))
    .digest('hex');
}
