/** What a person is told when a session goes from one phase to the next. */
import type { Bench } from '../bench.ts';
import type { WorkflowEvent } from '../machine/event.ts';
import type { Session } from '../session.ts';
import { phaseLabel } from './status.ts';
import type { HarnessEvent } from '../../../domain/event.ts';
import type { Place } from '../../../kernel/place.ts';

/** `bench` holds the session after the event. */
export function narrate(bench: Bench, before: Session, event: WorkflowEvent): void {
  const { place, session, words } = bench;
  if (before.phase !== session.phase)
    place.emit({
      type: 'flow.phase',
      flow: 'workflow',
      phase: session.phase,
      label: phaseLabel(bench, session),
      language: session.user_lang,
      round: { number: session.round, of: session.max_rounds },
      ...retryOf(session),
    });
  recordStep(place, session, event);
  switch (event.type) {
    case 'begin':
      return tellPhase(bench);
    case 'planned':
      return bench.tell(words.complete.plan);
    case 'generated':
      return bench.tell(words.complete.generate);
    case 'checked':
      return tellChecked(bench, event.result);
    case 'evaluated':
      return bench.tell(event.verdict === 'PASS' ? words.complete.evaluate : words.complete.evaluateFailed);
    case 'advance':
      return tellAdvance(bench, before);
    default:
      return undefined;
  }
}

function retryOf({ harness, verify }: Session): { retry?: number } {
  if (harness.retry === null) return {};
  return { retry: harness.retry.layer === 1 ? verify.layer1_retries : verify.layer2_retries };
}

function tellPhase({ session, words, tell }: Bench): void {
  if (session.phase === 'planning') tell(words.phases.plan);
  if (session.phase === 'generating') tell(words.phases.generate);
  if (session.phase === 'verifying') tell(words.phases.verify);
  if (session.phase === 'evaluating') tell(words.phases.evaluate);
}

function tellChecked({ session, words, tell }: Bench, result: 'PASS' | 'FAIL'): void {
  const { summary } = session.harness;
  if (result === 'PASS') return tell(words.complete.verify, words.verify.pass, summary ?? '');
  if (session.run_style === 'step' || session.verify.layer1_retries < 3) return tell(words.complete.verifyFailed, summary ?? '');
  // The question that follows names the report.
  tell(words.verify.exhausted, words.verify.latest({ summary: summary ?? '' }));
}

function tellAdvance({ session, words, tell }: Bench, before: Session): void {
  const { verdict } = session.harness;
  if (session.phase === 'generating' && before.phase === 'verify_done')
    return tell(words.verify.retrying({ attempt: session.verify.layer1_retries }));
  if (session.phase === 'generating') return tell(words.evaluate.retrying({ attempt: session.verify.layer2_retries }));
  if (session.phase !== 'completed') return;
  tell(verdict === 'PASS' ? words.evaluate.passed : words.evaluate.roundsOver);
}

/** What the journal keeps of a workflow beyond its sessions: when it began, what each step came to, and what landed. */
type StepEvent = Extract<HarnessEvent, { type: 'flow.step' }>;
type Ground = Pick<Place, 'emit'>;
type Subject = Pick<Session, 'task' | 'round'>;

export function recordBegin({ emit }: Ground, task: string): void {
  emit(stepOf({ task, round: 1 }, { step: 'begin' }));
}

/** Nothing for events that end no step. */
function recordStep({ emit }: Ground, session: Subject, event: WorkflowEvent): void {
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
