/** How the flow asks a person; the command line brings the real one. */
import type { Gate, GateAnswer } from '../../../domain/gate.ts';

export interface Asker {
  ask(gate: Omit<Gate, 'asked_at'>): Promise<GateAnswer | 'pending'>;
  /** Whether someone is there to answer this one: at the terminal, or beforehand. Absent: nobody. */
  expects?(id: string): Promise<boolean>;
  /** Whether an answer to this one was given beforehand. Absent: none was. */
  answered?(id: string): Promise<boolean>;
}
