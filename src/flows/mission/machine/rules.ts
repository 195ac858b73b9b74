/** What the settings say about a mission, as the machine needs it. Pure. */
import type { Flight } from '../../../domain/session.ts';

export interface Rules {
  lanes: number;
  mode: 'lane' | 'competition';
  maxAttempts: number;
  /** Decisions that this command takes at most. */
  maxIterations: number;
  orchestrator: 'policy' | 'model';
  reviewer: boolean;
  checkpoints: readonly { name: string; description: string; trigger_on: string }[];
  /** Failed attempts after which the debugger looks; null: it never does. */
  debugAfter: number | null;
  documents: 'feature' | 'done' | null;
  onPass: 'merge' | 'pr' | 'keep';
  smoke: { onDone: boolean; onPass: boolean } | null;
  /** In a competition one feature has all lanes. */
  busy(flights: readonly Flight[]): boolean;
}
