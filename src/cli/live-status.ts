/** What a long command is doing, folded from its events, and the one line that says so. Pure. */
import type { HarnessEvent } from '../domain/event.ts';
import { dollars, duration, tokens } from './figures.ts';

export interface LiveStatus {
  phase: string;
  session: number | null;
  feature: number | null;
  contextTokens: number;
  contextWindow: number;
  cost: number | null;
  budget: number | null;
}

export const IDLE: LiveStatus = {
  phase: 'starting',
  session: null,
  feature: null,
  contextTokens: 0,
  contextWindow: 0,
  cost: null,
  budget: null,
};

export function foldStatus(status: LiveStatus, event: HarnessEvent): LiveStatus {
  switch (event.type) {
    case 'session.start':
      return {
        ...status,
        phase: 'agent at work',
        session: event.session,
        feature: event.feature,
        contextTokens: 0,
        contextWindow: 0,
        cost: null,
      };
    case 'agent.usage':
      return {
        ...status,
        contextTokens: event.context_tokens,
        contextWindow: event.context_window,
        cost: plus(status.cost, event.cost_usd),
      };
    case 'agent.tool':
      return { ...status, phase: 'agent at work' };
    case 'preflight.check':
      return { ...status, phase: `preflight: ${event.name}` };
    case 'session.limit':
      return event.until === undefined ? status : { ...status, phase: `waiting until ${event.until.slice(11, 16)} UTC` };
    case 'verify.start':
      return { ...status, phase: 'verifying' };
    case 'verify.check':
      return { ...status, phase: `verifying: ${event.name} ${event.state}` };
    case 'gate.asked':
      return { ...status, phase: `waiting for an answer to ${event.gate.id}` };
    case 'session.end':
      return { ...status, phase: event.outcome };
    default:
      return status;
  }
}

function plus(sum: number | null, cost: number | null): number | null {
  return cost === null ? sum : (sum ?? 0) + cost;
}

/** Never wider than `width`: a line that wraps cannot be rewritten in place. */
export function formatStatus(status: LiveStatus, elapsedMs: number, width: number): string {
  const parts = [status.phase];
  if (status.feature !== null) parts.push(`feature #${status.feature}`);
  if (status.contextWindow > 0) parts.push(`${tokens(status.contextTokens)}/${tokens(status.contextWindow)} tokens`);
  if (status.cost !== null) parts.push(status.budget === null ? dollars(status.cost) : `${dollars(status.cost)}/${dollars(status.budget)}`);
  parts.push(duration(elapsedMs));
  const text = parts.join(' · ');
  return text.length < width ? text : text.slice(0, Math.max(0, width - 1));
}
