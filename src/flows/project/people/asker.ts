/** How the flow asks a person; the command line brings the real one. */
import type { Gate, GateAnswer } from '../../../domain/gate.ts';

export interface Asker {
  ask(gate: Omit<Gate, 'asked_at'>): Promise<GateAnswer | 'pending'>;
  /** The same without waiting for anybody at the terminal. Absent: nobody is waited for anyway. */
  leave?(gate: Omit<Gate, 'asked_at'>): Promise<GateAnswer | 'pending'>;
  /** Whether someone is there to answer this one: at the terminal, or beforehand. Absent: nobody. */
  expects?(id: string): Promise<boolean>;
  /** Whether an answer to this one was given beforehand. Absent: none was. */
  answered?(id: string): Promise<boolean>;
}

/** Takes answers that are there, and keeps nobody: the question waits while a run goes on. */
export function withoutWaiting(asker: Asker): Asker {
  return {
    ask: (gate) => (asker.leave ?? asker.ask)(gate),
    ...(asker.answered === undefined ? {} : { expects: asker.answered, answered: asker.answered }),
  };
}
