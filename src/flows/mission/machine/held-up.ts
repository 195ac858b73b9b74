/** Limits, people and the provider: the command waits, or ends once nobody flies. Pure. */
import type { MissionState } from '../../../kernel/mission-schema.ts';
import type { MissionEvent } from './state.ts';

export function heldUp(state: MissionState, { reason, message, until }: Extract<MissionEvent, { type: 'held.up' }>): MissionState {
  if (reason === 'usage_limit') return { ...state, wait: { until, why: reason } };
  if (reason === 'api.unavailable' || reason === 'agent.failed') {
    const outages = state.outages + 1;
    if (outages <= MOST_OUTAGES) return { ...state, outages, wait: { until, why: reason } };
    return { ...state, outages: 0, stop: { reason, message } };
  }
  if (reason.startsWith('budget.') || STOPPING.has(reason)) return { ...state, stop: { reason, message } };
  return state;
}

const MOST_OUTAGES = 6;
const STOPPING: ReadonlySet<string> = new Set(['interrupted', 'user_pause', 'api.auth', 'disk.full']);
