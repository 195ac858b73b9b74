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

/** What others call are fields, so that each can be handed on alone. */
class OneAsker implements Asker {
  readonly #options: AskerOptions;
  readonly #platform: Platform;
  readonly #gates: Shelf;
  readonly #emit: Emit;
  readonly #answers: Map<string, Answers[string][number][]>;
  readonly #approvals: string[];

  constructor(options: AskerOptions) {
    this.#options = options;
    this.#platform = options.platform;
    this.#gates = options.gates;
    this.#emit = options.emit;
    this.#answers = new Map(Object.entries(options.answers).map(([id, list]) => [id, [...list]]));
    this.#approvals = [...options.approve];
  }

  readonly ask: Asker['ask'] = (question, record) => this.#answerOrWait(question, this.#options.interactive, record);

  readonly leave: Asker['leave'] = (question, record) => this.#answerOrWait(question, false, record);

  async #recorded(question: Question): Promise<GateAnswer | null> {
    const answer = await takeAnswer(this.#gates, question);
    if (answer !== null && typeof answer === 'object' && 'foreign' in answer) {
      const message = `The recorded answer to ${question.id} was not given in this project on this machine. It was set aside as ${answer.foreign}, and the question is open.`;
      this.#emit({ type: 'warning', message });
      return null;
    }
    if (answer !== 'stale') return answer;
    this.#emit({ type: 'warning', message: `The recorded answer to ${question.id} was given to another question and is not used.` });
    return null;
  }

  #named(id: string, has: (name: string) => boolean): string | null {
    return [id, kindOf(id)].find(has) ?? null;
  }

  #inFile(id: string): string | null {
    return this.#named(id, (name) => (this.#answers.get(name)?.length ?? 0) > 0);
  }

  #approved(id: string): string | null {
    return this.#named(id, (name) => this.#approvals.includes(name));
  }

  #given(question: Question): GateAnswer | null {
    const next = this.#answers.get(this.#inFile(question.id) ?? '')?.[0];
    if (next !== undefined)
      return { option: chooseOption(question, next.option, next.text, 'The answers file'), text: next.text, by: 'answers' };
    if (this.#approved(question.id) !== null)
      return { option: (recommended(question) ?? question.options[0])?.label ?? null, text: null, by: 'approve' };
    const option = this.#options.yes && !question.non_negotiable ? recommended(question) : null;
    return option === null ? null : { option: option.label, text: null, by: 'yes' };
  }

  #useUp(id: string, by: GateAnswer['by']): void {
    if (by === 'answers') this.#answers.get(this.#inFile(id) ?? '')?.shift();
    if (by === 'approve') this.#approvals.splice(this.#approvals.indexOf(this.#approved(id) ?? ''), 1);
  }

  readonly waitForAnswer = async (question: Question, signal: AbortSignal): Promise<GateAnswer | null> => {
    while (!signal.aborted) {
      const answer = await this.#recorded(question);
      if (answer !== null) return answer;
      await this.#platform.clock.sleep(POLL_MS, signal);
    }
    return null;
  };

  async #atTerminal(question: Question): Promise<GateAnswer> {
    const prompt = this.#options.prompt ?? (await import('./terminal-prompt.ts')).promptOnTerminal;
    const over = new AbortController();
    try {
      const typed = prompt(question, over.signal, this.#platform.env).then((answer) =>
        answer === null ? null : { ...answer, by: 'terminal' as const },
      );
      const elsewhere = this.waitForAnswer(question, over.signal);
      const answer = await Promise.race([typed, elsewhere, left(this.#options.signal, over.signal)]);
      if (answer !== null) return answer;
    } finally {
      over.abort();
    }
    throw new HarnessError(`Left without an answer to ${question.id}.`, {
      exitCode: EXIT.interrupted,
      details: [`The question waits: harness answer ${await storedAs(this.#gates, question)} <option>`],
    });
  }

  async #answerOrWait(question: Question, prompted: boolean, record: Emit = () => {}): Promise<GateAnswer | 'pending'> {
    const tell: Emit = (event) => {
      record(event);
      this.#emit(event);
    };
    const answer = (await this.#recorded(question)) ?? this.#given(question);
    if (answer !== null) {
      this.#useUp(question.id, answer.by);
      return this.#settle(question, answer, tell);
    }
    const name = await storedAs(this.#gates, question);
    const waiting = await readGate(this.#gates, name);
    const gate: Gate = {
      ...question,
      id: name,
      asked_at: waiting?.question === question.question ? waiting.asked_at : isoNow(this.#platform.clock),
    };
    await writeGate(this.#gates, gate);
    tell({ type: 'gate.asked', gate, ...(prompted ? {} : { left: true as const }) });
    return prompted ? this.#settle(question, await this.#atTerminal(question), tell) : 'pending';
  }

  async #settle(question: Question, answer: GateAnswer, tell: Emit): Promise<GateAnswer> {
    const id = await storedAs(this.#gates, question);
    await removeGate(this.#gates, id);
    tell({ type: 'gate.answered', id, option: answer.option, text: answer.text, by: answer.by });
    return answer;
  }

  readonly answered = async (id: string): Promise<boolean> => {
    return this.#inFile(id) !== null || this.#approved(id) !== null || (await hasAnswer(this.#gates, id));
  };

  readonly expects = async (id: string): Promise<boolean> => {
    return this.#options.interactive || (await this.answered(id));
  };

  readonly foresee = async (question: Question): Promise<GateAnswer | null> => {
    return (await lookAtAnswer(this.#gates, question)) ?? this.#given(question);
  };
}

export function createAsker(options: AskerOptions): Asker {
  return new OneAsker(options);
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
