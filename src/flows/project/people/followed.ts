/** A question that holds up a run, and what follows from its answer (`carry-out.ts`). */
import type { ProjectState } from '../../../domain/session.ts';
import type { ProjectEvent } from '../machine/document.ts';

export type Escalated = NonNullable<ProjectState['escalation']>;

export type Followed =
  | { kind: 'go_on' | 'return'; changes: ProjectEvent[] }
  | { kind: 'stop' | 'leave'; changes: ProjectEvent[]; message: string }
  | { kind: 'waiting'; gate: string }
  /** Neither done nor answered: the question stands. */
  | { kind: 'kept'; message: string }
  | { kind: 'aborted'; message: string };
