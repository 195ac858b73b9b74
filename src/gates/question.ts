/** A question as it is asked, and the seam through which a person at a terminal answers it. */
import type { Gate, GateAnswer } from '../domain/gate.ts';

export type Question = Omit<Gate, 'asked_at'>;

/** Null: the person left the prompt. */
export type Prompt = (question: Question, signal: AbortSignal) => Promise<Omit<GateAnswer, 'by'> | null>;
