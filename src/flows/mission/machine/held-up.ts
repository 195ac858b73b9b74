/** Limits, people and the provider: the command waits, or ends once nobody flies. Pure. */
import type { MissionState } from '../../../kernel/mission-schema.ts';
import type { MissionEvent } from './state.ts';

export function heldUp(state: MissionState, { reason, message, until }: Extract<MissionEvent, { type: 'held.up' }>): MissionState {
  const wait = { until: later(state.wait?.until ?? null, until), why: reason };
  if (reason === 'usage_limit') return { ...state, wait };
  if (reason === 'api.unavailable' || reason === 'agent.failed') {
    // Lanes that hear of the same outage one after the other hear of one.
    const outages = state.wait === null ? state.outages + 1 : state.outages;
    if (outages <= MOST_OUTAGES) return { ...state, outages, wait };
    return { ...state, outages: 0, stop: { reason, message } };
  }
  if (reason.startsWith('budget.') || STOPPING.has(reason)) return { ...state, stop: { reason, message } };
  return state;
}

/** Lanes that share a provider hear of its limit one after the other: the last moment that any of them was told counts. */
function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

const MOST_OUTAGES = 6;
const STOPPING: ReadonlySet<string> = new Set(['interrupted', 'user_pause', 'hours.over', 'api.auth', 'disk.full', 'git.conflict']);
