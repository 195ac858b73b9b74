/** A question as it is asked, and the seam through which a person at a terminal answers it. */
import type { Gate, GateAnswer } from '../domain/gate.ts';
import type { Platform } from '../platform/platform.ts';

export type Question = Omit<Gate, 'asked_at'>;

/** `env`: the person's own, which names their pager. Null: they left the prompt. */
export type Prompt = (question: Question, signal: AbortSignal, env: Platform['env']) => Promise<Omit<GateAnswer, 'by'> | null>;
