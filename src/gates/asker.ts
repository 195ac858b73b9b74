/**
 * Asks a person, through whichever door is open.
 *
 * 1. The order: an answer recorded by `harness answer`, the answers file, `--approve`, `--yes`, the terminal; else the question is
 *    written down and `pending` returned.
 * 2. `--yes` takes the recommended option and never answers a non-negotiable question.
 * 3. `--approve` takes the recommended option, or the first where none is: the affirmative one stands first by convention.
 * 4. Every answer is used once. A single answer in the answers file does not answer the second time a question is asked.
 * 5. An answers file and `--approve` may name a question by its kind: then it stands for whichever of them is asked next.
 * 6. An answer that was not recorded here, by `harness answer` of this user, is set aside with a warning.
 * 7. The same question must be asked with the same words and options, or a recorded answer is not taken for it.
 * 8. `record` keeps a question and its answer in the journal of the place that asks, before either is shown.
 */
import { HarnessError } from '../domain/errors.ts';
import type { Emit } from '../domain/event.ts';
import type { Gate, GateAnswer, GateOption } from '../domain/gate.ts';
import { EXIT } from '../domain/reasons.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import type { Shelf } from '../store/shelf.ts';
import type { Answers } from './answers-file.ts';
import { chooseOption } from './choice.ts';
import { hasAnswer, lookAtAnswer, readGate, removeGate, storedAs, takeAnswer, writeGate } from './gate-files.ts';
import { kindOf } from '../domain/gate-id.ts';
import type { Prompt, Question } from './question.ts';

export interface AskerOptions {
  platform: Platform;
  /** Where questions and answers lie. */
  gates: Shelf;
  interactive: boolean;
  answers: Answers;
  yes: boolean;
  approve: readonly string[];
  emit: Emit;
  /** Ends a prompt that nobody can answer any more: the user interrupted, or the terminal is gone. */
  signal?: AbortSignal;
  /** The prompt on a terminal; another one only in tests. */
  prompt?: Prompt;
}

export interface Asker {
  ask(question: Question, record?: Emit): Promise<GateAnswer | 'pending'>;
  /** The same without waiting for anybody at the terminal. */
  leave(question: Question, record?: Emit): Promise<GateAnswer | 'pending'>;
  /** Whether someone is there to answer: at the terminal, or with an answer given beforehand. `--yes` is not someone. */
  expects(id: string): Promise<boolean>;
  /** Whether an answer was given beforehand: recorded, in the answers file, or by `--approve`. */
  answered(id: string): Promise<boolean>;
  /** What would be answered without asking anybody; nothing is used up by it. */
  foresee(question: Question): Promise<GateAnswer | null>;
  /** Waits for `harness answer` from another process; null when the signal ends the waiting. */
  waitForAnswer(question: Question, signal: AbortSignal): Promise<GateAnswer | null>;
}

const POLL_MS = 500;

export function createAsker(options: AskerOptions): Asker {
  const { platform, gates, emit } = options;
  const answers = new Map(Object.entries(options.answers).map(([id, list]) => [id, [...list]]));
  const approvals = [...options.approve];

  const recorded = async (question: Question): Promise<GateAnswer | null> => {
    const answer = await takeAnswer(gates, question);
    if (answer !== null && typeof answer === 'object' && 'foreign' in answer) {
      const message = `The recorded answer to ${question.id} was not given in this project on this machine. It was set aside as ${answer.foreign}, and the question is open.`;
      emit({ type: 'warning', message });
      return null;
    }
    if (answer !== 'stale') return answer;
    emit({ type: 'warning', message: `The recorded answer to ${question.id} was given to another question and is not used.` });
    return null;
  };

  const named = (id: string, has: (name: string) => boolean): string | null => [id, kindOf(id)].find(has) ?? null;
  const inFile = (id: string): string | null => named(id, (name) => (answers.get(name)?.length ?? 0) > 0);
  const approved = (id: string): string | null => named(id, (name) => approvals.includes(name));

  const given = (question: Question): GateAnswer | null => {
    const next = answers.get(inFile(question.id) ?? '')?.[0];
    if (next !== undefined)
      return { option: chooseOption(question, next.option, next.text, 'The answers file'), text: next.text, by: 'answers' };
    if (approved(question.id) !== null)
      return { option: (recommended(question) ?? question.options[0])?.label ?? null, text: null, by: 'approve' };
    const option = options.yes && !question.non_negotiable ? recommended(question) : null;
    return option === null ? null : { option: option.label, text: null, by: 'yes' };
  };

  const useUp = (id: string, by: GateAnswer['by']): void => {
    if (by === 'answers') answers.get(inFile(id) ?? '')?.shift();
    if (by === 'approve') approvals.splice(approvals.indexOf(approved(id) ?? ''), 1);
  };

  const waitForAnswer = async (question: Question, signal: AbortSignal): Promise<GateAnswer | null> => {
    while (!signal.aborted) {
      const answer = await recorded(question);
      if (answer !== null) return answer;
      await platform.clock.sleep(POLL_MS, signal);
    }
    return null;
  };

  const atTerminal = async (question: Question): Promise<GateAnswer> => {
    const prompt = options.prompt ?? (await import('./terminal-prompt.ts')).promptOnTerminal;
    const over = new AbortController();
    try {
      const typed = prompt(question, over.signal, platform.env).then((answer) =>
        answer === null ? null : { ...answer, by: 'terminal' as const },
      );
      const elsewhere = waitForAnswer(question, over.signal);
      const answer = await Promise.race([typed, elsewhere, left(options.signal, over.signal)]);
      if (answer !== null) return answer;
    } finally {
      over.abort();
    }
    throw new HarnessError(`Left without an answer to ${question.id}.`, {
      exitCode: EXIT.interrupted,
      details: [`The question waits: harness answer ${await storedAs(gates, question)} <option>`],
    });
  };

  const answerOrWait = async (question: Question, prompted: boolean, record: Emit = () => {}): Promise<GateAnswer | 'pending'> => {
    const tell: Emit = (event) => {
      record(event);
      emit(event);
    };
    const answer = (await recorded(question)) ?? given(question);
    if (answer !== null) {
      useUp(question.id, answer.by);
      return settle(question, answer, tell);
    }
    const name = await storedAs(gates, question);
    const waiting = await readGate(gates, name);
    const gate: Gate = {
      ...question,
      id: name,
      asked_at: waiting?.question === question.question ? waiting.asked_at : isoNow(platform.clock),
    };
    await writeGate(gates, gate);
    tell({ type: 'gate.asked', gate, ...(prompted ? {} : { left: true as const }) });
    return prompted ? settle(question, await atTerminal(question), tell) : 'pending';
  };

  const settle = async (question: Question, answer: GateAnswer, tell: Emit): Promise<GateAnswer> => {
    const id = await storedAs(gates, question);
    await removeGate(gates, id);
    tell({ type: 'gate.answered', id, option: answer.option, text: answer.text, by: answer.by });
    return answer;
  };

  const answered = async (id: string): Promise<boolean> => inFile(id) !== null || approved(id) !== null || (await hasAnswer(gates, id));
  const expects = async (id: string): Promise<boolean> => options.interactive || (await answered(id));

  const foresee = async (question: Question): Promise<GateAnswer | null> => (await lookAtAnswer(gates, question)) ?? given(question);

  const ask: Asker['ask'] = (question, record) => answerOrWait(question, options.interactive, record);
  const leave: Asker['leave'] = (question, record) => answerOrWait(question, false, record);
  return { ask, leave, expects, answered, foresee, waitForAnswer };
}

/** Null once the signal is aborted; nothing is kept after the prompt is over. */
function left(signal: AbortSignal | undefined, over: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve(null);
    signal?.addEventListener('abort', () => resolve(null), { once: true, signal: over });
  });
}

function recommended(question: Question): GateOption | null {
  return question.options.find((option) => option.recommended) ?? null;
}
