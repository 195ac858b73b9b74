/** How much an event matters: what is kept, how long, and how often. */
import type { EventType, HarnessEvent, Level } from '../domain/event.ts';

const RANK: Readonly<Record<Level, number>> = { critical: 0, important: 1, routine: 2, debug: 3 };

/** Of the agent's own stream one event in this many is kept; `agent_actions.jsonl` is complete beside it. */
const SAMPLE_EVERY = 10;

export function levelOf(event: HarnessEvent): Level {
  if (event.type === 'verify.result') return event.decision === 'accepted' ? 'important' : 'critical';
  if (event.type === 'preflight.check' || event.type === 'verify.check')
    return event.state === 'failed' || event.state === 'warned' ? 'important' : 'routine';
  return LEVELS[event.type];
}

export interface Sieve {
  /** Whether the event is written down. */
  keeps(event: HarnessEvent): boolean;
}

/** Keeps what is at least as important as `least`; the agent's own stream is sampled by counting, except where debug is asked for. */
export function createSieve(least: Level): Sieve {
  let seen = 0;
  return {
    keeps: (event) => {
      if (RANK[levelOf(event)] > RANK[least]) return false;
      if (least === 'debug' || !SAMPLED.has(event.type)) return true;
      seen += 1;
      return seen % SAMPLE_EVERY === 1;
    },
  };
}

const SAMPLED: ReadonlySet<EventType> = new Set(['agent.text', 'agent.tool', 'agent.result', 'agent.action']);

const LEVELS: Readonly<Record<Exclude<EventType, 'verify.result' | 'preflight.check' | 'verify.check'>, Level>> = {
  decision: 'critical',
  escalation: 'critical',
  'gate.answered': 'critical',
  'session.start': 'important',
  'session.end': 'important',
  'session.limit': 'important',
  'session.inject': 'important',
  'agent.error': 'important',
  // Money: what a session that was cut off had spent is added up from these.
  'agent.usage': 'important',
  'checkpoint.created': 'important',
  'checkpoint.restored': 'important',
  rollback_completed: 'important',
  migration_start: 'important',
  migration_complete: 'important',
  'commit.created': 'important',
  'wip.saved': 'important',
  'gate.asked': 'important',
  'budget.reached': 'important',
  'agent.switched': 'important',
  'words.delivered': 'critical',
  'state.recovered': 'important',
  'quality.warning': 'important',
  'flow.phase': 'important',
  'flow.step': 'important',
  warning: 'important',
  end: 'important',
  'agent.text': 'routine',
  'agent.tool': 'routine',
  'agent.result': 'routine',
  'agent.action': 'routine',
  'workspace.prepared': 'routine',
  'workspace.captured': 'routine',
  'verify.start': 'routine',
  progress: 'routine',
  'run.preview': 'routine',
  'mission.preview': 'routine',
  'run.summary': 'routine',
  'agent.request': 'debug',
  'progress.check': 'debug',
};
