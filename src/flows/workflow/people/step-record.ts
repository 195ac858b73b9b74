/** What the journal keeps of a workflow beyond its sessions: when it began, what each step came to, and what landed. */
import type { HarnessEvent } from '../../../domain/event.ts';
import type { Place } from '../../../kernel/place.ts';
import type { WorkflowEvent } from '../machine/event.ts';
import type { Session } from '../session.ts';

type StepEvent = Extract<HarnessEvent, { type: 'flow.step' }>;
type Ground = Pick<Place, 'emit'>;
type Subject = Pick<Session, 'task' | 'round'>;

export function recordBegin({ emit }: Ground, task: string): void {
  emit(stepOf({ task, round: 1 }, { step: 'begin' }));
}

/** Nothing for events that end no step. */
export function recordStep({ emit }: Ground, session: Subject, event: WorkflowEvent): void {
  switch (event.type) {
    case 'planned':
      return emit(stepOf(session, { step: 'plan' }));
    case 'generated':
      return emit(stepOf(session, { step: 'generate' }));
    case 'checked':
      return emit(stepOf(session, { step: 'verify', result: event.result === 'PASS' ? 'done' : 'failed', note: event.summary }));
    case 'evaluated':
      return emit(stepOf(session, { step: 'evaluate', result: event.verdict === 'PASS' ? 'done' : 'failed', note: event.summary }));
    default:
      return undefined;
  }
}

export function recordLanding({ emit }: Ground, session: Subject, commit: string | null, verified: string): void {
  emit(stepOf(session, { step: 'land', note: verified, commit }));
}

function stepOf({ task, round }: Subject, facts: Pick<StepEvent, 'step'> & Partial<StepEvent>): StepEvent {
  return { type: 'flow.step', flow: 'workflow', task, round, result: 'done', note: '', commit: null, ...facts };
}
