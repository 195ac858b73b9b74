/**
 * The examiner and the second call, as roles: each a session in an empty copy that is shown descriptions and nothing of the project.
 *
 * 1. What the examiner wrote is kept for every session of the feature until its text changes, and as long as its tests can be run on the work:
 *    a claim that is judged again meets the same tests, and the role is not paid twice, even after a crash.
 * 2. Whatever goes wrong with a role is a reason why the work was not examined, never an error.
 * 3. Both share one limit of cost, and are booked to the feature.
 */
import { createHash } from 'node:crypto';
import type { Feature } from '../../domain/feature.ts';
import { z } from '../../domain/zod.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type {
  EntailmentAnswer,
  EntailmentRequest,
  Examiner,
  ExaminerAnswer,
  ExaminerRequest,
  ExaminerTest,
} from '../../verify/examine/contract.ts';
import { readEntailment } from '../../verify/examine/read-entailment.ts';
import { readReply, MOST_TESTS } from '../../verify/examine/read-reply.ts';
import { readFrom, writeTo } from '../../store/document.ts';
import type { Brief } from '../flight/contract.ts';
import { inTurn } from '../flight/in-turn.ts';
import type { Place } from '../place.ts';
import { callRole } from './call-role.ts';
import { hasHiddenTests } from './examiner-consent.ts';
import { costLimit } from './examiner-cost.ts';
import { fence } from '../../domain/fence.ts';

/** How often it is begun for one text: once more than once, in case the harness was cut off. */
const MOST_ATTEMPTS = 2;
/** How often it is asked anew because the work no longer has what the tests ask for. */
const MOST_RENEWALS = 2;

const VERSION = { schema_version: 1, harness_version: HARNESS_VERSION } as const;

const TestSchema = z.object({ behaviour: z.string(), code: z.string() });
const KeptSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  /** Hash of the feature's text. */
  asked: z.string(),
  /** How often the role was begun without an answer that is kept. */
  attempts: z.number().int(),
  renewals: z.number().int().default(0),
  answer: z.union([z.object({ tests: z.array(TestSchema), leftOut: z.array(z.string()) }), z.object({ why: z.string() })]).nullable(),
});
type Kept = Omit<z.infer<typeof KeptSchema>, 'schema_version' | 'harness_version'>;

const RulingSchema = z.object({ ruling: z.enum(['entailed', 'plausible', 'no']), reason: z.string() });
const AccountSchema = z.object({ account: z.enum(['yes', 'no', 'unclear']), reason: z.string() });
const EntailedSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  asked: z.string(),
  answer: z.object({ tests: z.array(RulingSchema), changes: z.array(AccountSchema) }),
});

/** For the judge; nothing if hidden tests are off. `flow`: whose roles are called. */
export async function examinerFor(place: Place, feature: Brief['feature'], flow = 'project'): Promise<{ examiner?: Examiner }> {
  if (feature === null || !(await hasHiddenTests(place))) return {};
  const calls: Calls = { place, feature, flow };
  return { examiner: { ask: (request, usable) => askOnce(calls, request, usable), entail: (request) => entailOnce(calls, request) } };
}

interface Calls {
  place: Place;
  feature: Feature;
  flow: string;
}

type Usable = (tests: readonly ExaminerTest[]) => Promise<boolean>;

async function askOnce(calls: Calls, request: ExaminerRequest, usable: Usable): Promise<ExaminerAnswer> {
  const shelf = calls.place.documents.folder('hidden');
  const name = `examination-${calls.flow}-${calls.feature.id}.json`;
  const asked = hashOf(textOf(request));
  const found = await readFrom(shelf, name, KeptSchema, { setAside: false }).catch(() => null);
  const kept: Kept = found?.asked === asked ? found : { asked, attempts: 0, renewals: 0, answer: null };
  if (kept.answer !== null && !('tests' in kept.answer)) return kept.answer;
  if (kept.answer !== null && (kept.renewals >= MOST_RENEWALS || (await usable(kept.answer.tests)))) return kept.answer;
  const renewals = kept.renewals + (kept.answer === null ? 0 : 1);
  const attempts = (kept.answer === null ? kept.attempts : 0) + 1;
  if (attempts > MOST_ATTEMPTS) return { why: 'the examiner did not finish' };
  const write = async (written: Kept['answer']): Promise<void> => {
    const document: z.infer<typeof KeptSchema> = { ...VERSION, asked, attempts, renewals, answer: written };
    await writeTo(shelf, name, document);
  };
  await write(null);
  const reply = await callOnce(calls, { role: 'examiner', output: EXAMINER_OUTPUT, variables: examinerVariables(request) });
  if ('why' in reply) return reply;
  const answer = await readReply(calls.place.platform, reply.text, request.path);
  await write(answer);
  return answer;
}

async function entailOnce(calls: Calls, request: EntailmentRequest): Promise<EntailmentAnswer> {
  const shelf = calls.place.documents.folder('hidden');
  const name = `entailment-${calls.flow}-${calls.feature.id}.json`;
  const asked = hashOf([textOf(request), request.tests, request.changes]);
  const found = await readFrom(shelf, name, EntailedSchema, { setAside: false }).catch(() => null);
  if (found?.asked === asked) return found.answer;
  const reply = await callOnce(calls, { role: 'entailment', output: ENTAILMENT_OUTPUT, variables: entailmentVariables(request) });
  if ('why' in reply) return reply;
  const answer = readEntailment(reply.text, request);
  if ('why' in answer) return answer;
  const document: z.infer<typeof EntailedSchema> = { ...VERSION, asked, answer };
  await writeTo(shelf, name, document);
  return answer;
}

interface RoleRequest {
  role: 'examiner' | 'entailment';
  output: string;
  variables: Readonly<Record<string, string>>;
}

/** One call at a time: they share one copy. */
async function callOnce(
  { place, feature, flow }: Calls,
  { role, output, variables }: RoleRequest,
): Promise<{ text: string } | { why: string }> {
  const who = role === 'examiner' ? 'the examiner' : 'the second call';
  try {
    const result = await inTurn(`examiner ${place.home.root}`, async () =>
      callRole(place, {
        role: `${flow}/${role}`,
        variables,
        model: null,
        output,
        lane: 'examiner',
        tree: await place.trees.emptyTree(),
        language: 'en',
        feature: feature.id,
        isBlind: true,
        isSecret: true,
        mostUsd: await costLimit(place, feature.id),
      }),
    );
    place.signal.throwIfAborted();
    if (result.stop !== null) return { why: `${who} was stopped: ${result.stop.message}` };
    return { text: result.output ?? result.reply };
  } catch (error) {
    place.signal.throwIfAborted();
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { why: `${who} could not be asked: ${message}` };
  }
}

/** What the answer depends on, so far as the feature list says it. The skeleton is no part of it: tests outlive a change of the work. */
function textOf({ feature, interface: said }: Pick<ExaminerRequest, 'feature' | 'interface'>): unknown {
  const { id, description, verification_steps } = feature;
  return { id, description, verification_steps, interface: said };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** What the examiner and the second call are shown. Everything that comes from a project is fenced as data. */
const EXAMINER_OUTPUT = 'examination.md';
const ENTAILMENT_OUTPUT = 'entailment.md';

function examinerVariables(request: ExaminerRequest): Record<string, string> {
  return {
    feature: fence(`feature ${request.feature.id}`, featureWords(request.feature)),
    interface: request.interface === null ? '' : ['Its interface:', '', fence('interface', request.interface), ''].join('\n'),
    skeleton: fence('skeleton', request.skeleton),
    surroundings: programWords(request),
    style: request.style,
    path: request.path,
    most: String(MOST_TESTS),
  };
}

function entailmentVariables({ feature, interface: said, tests, changes }: EntailmentRequest): Record<string, string> {
  return {
    feature: fence(`feature ${feature.id}`, [featureWords(feature), ...(said === null ? [] : ['', 'Interface:', said])].join('\n')),
    tests: tests.length === 0 ? 'There are none.' : tests.map(testWords).join('\n\n'),
    changes:
      changes.length === 0 ? 'There are none.' : fence('changed results', changes.map((line, at) => `${at + 1}. ${line}`).join('\n')),
  };
}

function testWords({ behaviour, code, accepted }: EntailmentRequest['tests'][number], at: number): string {
  const earlier = accepted === undefined ? [] : [`Written for an earlier feature, accepted since: ${accepted.description}`];
  return [`Test ${at + 1}`, fence(`test ${at + 1}`, [...earlier, behaviour, '', code].join('\n'))].join('\n');
}

/** How the program starts, and the interfaces below the feature; empty: nothing is known of either. */
function programWords({ program, stands_on }: ExaminerRequest): string {
  const below = stands_on.map((one) => `#${one.id} ${one.description}\n${one.interface}`).join('\n\n');
  return [
    ...(program.length === 0 ? [] : ['How the program is started and reached:', '', fence('program', program.join('\n')), '']),
    ...(below === ''
      ? []
      : ['It depends on these features, which are built already. Their interfaces:', '', fence('interfaces', below), '']),
  ].join('\n');
}

function featureWords({ description, verification_steps: steps = [] }: Feature): string {
  return [description, ...(steps.length === 0 ? [] : ['', 'Verification steps:', ...steps.map((step, at) => `${at + 1}. ${step}`)])].join(
    '\n',
  );
}
