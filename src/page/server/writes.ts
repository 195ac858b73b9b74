/**
 * What a person does on the page: the very functions of the commands.
 *
 * 1. A question is answered once. Whoever comes second gets the answer that won, also when it came from here and a run has carried it out.
 * 2. Writes to one project come one after the other.
 */
import { join } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import type { Gate, GateAnswer } from '../../domain/gate.ts';
import { kindOf } from '../../domain/gate-id.ts';
import { z } from '../../domain/zod.ts';
import { pause, resume } from '../../flows/project/people/pause.ts';
import { lookAtAnswer, readGate, recordedAnswers, waitingGates } from '../../gates/gate-files.ts';
import { recordAnswer } from '../../gates/record-answer.ts';
import { sayTo } from '../../kernel/say/say.ts';
import { stopHolder } from '../../kernel/stop.ts';
import type { Platform } from '../../platform/platform.ts';
import { findStateDir } from '../../reading/state-dir.ts';
import { folderStore } from '../../store/folder-store.ts';
import type { DocumentStore } from '../../store/shelf.ts';
import { onlyOne } from '../../domain/items.ts';

export interface Reply {
  status: number;
  body: unknown;
}

export interface Writes {
  answer(root: string, question: string, body: unknown): Promise<Reply>;
  /** A person's words to a session. */
  say(root: string, body: unknown): Promise<Reply>;
  carryOut(root: string, action: string): Promise<Reply | null>;
}

const AnswerSchema = z.object({
  option: z.union([z.string(), z.number().int()]).nullish(),
  text: z.string().nullish(),
  /** When the question was asked that the person saw. */
  asked_at: z.string().optional(),
});

const WordsSchema = z.object({ text: z.string(), session: z.number().int().nullish(), stop_after: z.boolean().optional() });

const STOP_MS = 60_000;

export function openWrites(platform: Platform, signal: AbortSignal): Writes {
  const queues = new Map<string, Promise<unknown>>();
  /** By the names that were used for the questions. */
  const taken = new Map<string, Map<string, Won>>();
  const takenIn = (root: string): Map<string, Won> => {
    const known = taken.get(root) ?? new Map<string, Won>();
    taken.set(root, known);
    return known;
  };
  const inTurn = <Result>(root: string, work: () => Promise<Result>): Promise<Result> => {
    const done = (queues.get(root) ?? Promise.resolve()).catch(() => {}).then(work);
    queues.set(root, done);
    return done;
  };
  const place = async (root: string): Promise<{ store: DocumentStore }> => {
    return { store: folderStore(platform, join(root, await findStateDir(platform, root))) };
  };
  return {
    answer: (root, question, body) =>
      inTurn(root, async () => {
        const given = AnswerSchema.safeParse(body);
        if (!given.success) throw usageError('An answer is {"option": …, "text": …}.');
        const { store } = await place(root);
        const gate = await waitingGate(store, question);
        const won = takenIn(root);
        if (gate === null) return await answered(store, won, question);
        if (given.data.asked_at !== undefined && given.data.asked_at !== gate.asked_at)
          return { status: 409, body: { error: { message: 'The question has changed since. Look at it again.' }, answer: null } };
        const { option = null, text = null } = given.data;
        const answer = await recordAnswer({ clock: platform.clock, store }, gate.id, {
          option: option === null ? null : String(option),
          text,
        });
        for (const name of [question, gate.id]) won.set(name, answer);
        return { status: 200, body: { id: answer.id, option: answer.option, text: answer.text } };
      }),
    say: (root, body) =>
      inTurn(root, async () => {
        const given = WordsSchema.safeParse(body);
        if (!given.success) throw usageError('Words are {"text": …, "session": …}.');
        const { text, session = null, stop_after: stopAfter = false } = given.data;
        return { status: 200, body: await sayTo(platform, root, { text, session, stopAfter, by: 'page' }) };
      }),
    carryOut: async (root, action) => {
      const options = { emit: () => {}, command: `harness ui (${action})`, signal };
      switch (action) {
        case 'pause':
          return { status: 200, body: await inTurn(root, () => pause(platform, root, options)) };
        case 'resume':
          return { status: 200, body: await inTurn(root, () => resume(platform, root, options)) };
        case 'stop':
          return { status: 200, body: await stopHolder(platform, (await place(root)).store, STOP_MS) };
        default:
          return null;
      }
    },
  };
}

/** By its id, or by its kind while it is the only one. */
async function waitingGate(store: DocumentStore, named: string): Promise<Gate | null> {
  const waiting = await waitingGates(store.in('gates'));
  const ofKind = waiting.filter(({ id }) => kindOf(id) === named);
  return waiting.find(({ id }) => id === named) ?? onlyOne(ofKind);
}

/** The answer that won: one that this server took, or one that is recorded and not carried out yet. */
async function answered(store: DocumentStore, taken: ReadonlyMap<string, Won>, question: string): Promise<Reply> {
  const gates = store.in('gates');
  const ids = [...(await recordedAnswers(gates)).keys()];
  const id = ids.find((one) => one === question) ?? ids.find((one) => kindOf(one) === question);
  const gate = id === undefined ? null : await readGate(gates, id);
  const won = (gate === null ? null : await lookAtAnswer(gates, gate)) ?? taken.get(question) ?? null;
  if (won === null) return { status: 404, body: { error: { message: `No question ${question} waits.`, details: [] } } };
  const { option, text } = won;
  return { status: 409, body: { error: { message: 'The question was answered already.' }, answer: { id: question, option, text } } };
}

type Won = Pick<GateAnswer, 'option' | 'text'>;
