/** One event as a line of a story: what kind of thing happened, in few words. Pure; everything foreign is cleaned and cut. */
import { cleanLine } from '../domain/clean-text.ts';
import type { HarnessEvent } from '../domain/event.ts';
import { featureLabel } from '../domain/feature-name.ts';
import { toolSubject } from './tool-subject.ts';

export const STEP_KINDS = [
  'start',
  'say',
  'tool',
  'result',
  'fail',
  'told',
  'limit',
  'check',
  'verdict',
  'commit',
  'ask',
  'answer',
  'note',
  'end',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export interface Step {
  at: string;
  seq: number | null;
  kind: StepKind;
  /** One line. */
  text: string;
  /** What colours it. */
  state?: 'good' | 'bad' | 'warn';
}

const LONGEST = 240;

/** Null: nothing that a person follows. */
export function stepOf(event: HarnessEvent & { ts?: string; seq?: number }): Step | null {
  const words = wordsOf(event);
  if (words === null) return null;
  const [kind, text, state] = words;
  const line = shortLine(text);
  if (line === '') return null;
  return { at: event.ts ?? '', seq: event.seq ?? null, kind, text: line, ...(state === undefined ? {} : { state }) };
}

/** Journals of other versions may lack a field: it is empty then. */
export function shortLine(text: string | undefined, most = LONGEST): string {
  if (typeof text !== 'string') return '';
  const line = cleanLine(text.slice(0, most * 8));
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

type Words = readonly [StepKind, string, Step['state']?];

function wordsOf(event: HarnessEvent): Words | null {
  switch (event.type) {
    case 'session.start':
      return [
        'start',
        `Session ${event.session}${event.feature === null ? '' : `, feature ${featureLabel(event.feature)}`}: ${event.prompt}`,
      ];
    case 'session.end':
      return ['end', event.message ?? event.outcome, stateOfOutcome(event.outcome)];
    case 'session.limit':
      return event.level === 'info' ? null : ['limit', event.message, 'warn'];
    case 'session.inject':
      return ['told', event.text];
    case 'words.delivered':
      return ['told', `Said to the agent: ${event.text}`];
    case 'agent.switched':
      return ['note', `${event.to.model ?? event.to.backend} goes on: ${event.why}`, 'warn'];
    case 'preflight.check':
      return event.state === 'failed' || event.state === 'warned'
        ? ['check', `${event.name}: ${event.detail}`, event.state === 'failed' ? 'bad' : 'warn']
        : null;
    case 'agent.text':
      return ['say', event.text];
    case 'agent.tool':
      return ['tool', `${event.name} ${toolSubject(event.input)}`];
    case 'agent.result':
      return event.ok ? null : ['fail', `${event.name} failed: ${event.output}`, 'warn'];
    case 'agent.error':
      return ['fail', event.message, 'bad'];
    case 'verify.start':
      return ['check', 'Verification started'];
    case 'verify.check':
      return ['check', `${event.title ?? event.name}: ${event.detail}`, CHECK_STATES[event.state]];
    case 'verify.result':
      return [
        'verdict',
        [DECISIONS[event.decision], ...event.messages].join(' '),
        event.decision === 'accepted' ? 'good' : event.decision === 'rejected' ? 'bad' : 'warn',
      ];
    case 'commit.created':
      return ['commit', `Commit ${event.commit.slice(0, 10)} on ${event.branch}`, 'good'];
    case 'wip.saved':
      return ['note', `Unfinished work is kept as ${event.ref}`];
    case 'gate.asked':
      return ['ask', event.gate.question, 'warn'];
    case 'gate.answered':
      return ['answer', `${event.id} answered: ${event.option ?? event.text ?? ''}`];
    case 'escalation':
      return ['ask', event.message, 'warn'];
    case 'budget.reached':
      return ['limit', `${event.percent} % of the ${event.scope} budget is spent`, 'warn'];
    case 'state.recovered':
      return ['note', `Found ${event.what}: ${event.action}`, 'warn'];
    case 'warning':
      return ['note', event.message, 'warn'];
    case 'flow.phase':
      return ['note', event.label];
    case 'checkpoint.restored':
      return ['note', `Restored checkpoint ${event.id}`];
    default:
      return null;
  }
}

const CHECK_STATES = { passed: 'good', failed: 'bad', warned: 'warn', skipped: undefined } as const;
const DECISIONS = { accepted: 'Accepted.', rejected: 'Rejected.', needs_human: 'Needs your review.' } as const;

export function stateOfOutcome(outcome: string): Step['state'] {
  if (outcome === 'verified' || outcome === 'complete') return 'good';
  return outcome === 'rejected' || outcome === 'error' ? 'bad' : 'warn';
}
