/**
 * Which agent flies the next session: the first of the list that is well. Pure.
 *
 * 1. An agent without quota is away until its provider takes requests again; where that time is not known, or for a missing login, it is tried
 *    again after a pause that grows.
 * 2. A provider that is down makes its agent go away once it has been down for `outageMs`; until then the run waits as it always does.
 * 3. A session that got through brings its agent back. One that a person or the harness's own death ended says nothing.
 */
import type { Config } from '../../config/schema.ts';
import { agentLabel } from '../../domain/agent-label.ts';
import type { AgentUse, AwayAgent, Flight } from '../../domain/session.ts';
import { firstItem } from '../../domain/items.ts';

export interface AgentRules {
  /** The one of the settings first; its model is that of the kind of session. */
  agents: readonly [AgentUse, ...AgentUse[]];
  outageMs: number;
}

/** Null: there is one agent, and what ends it is waited out. */
export function agentRules({ agent }: Pick<Config, 'agent'>): AgentRules | null {
  const others = Array.isArray(agent.fallback) ? agent.fallback : [];
  if (others.length === 0) return null;
  const agents = others.map(({ backend, model }) => ({ backend, model: model ?? null }));
  return { agents: [{ backend: agent.backend, model: null }, ...agents], outageMs: agent.fallback_after_minutes * 60_000 };
}

export interface Chosen {
  agent: AgentUse;
  /** Epoch milliseconds from which on it is well; null: it is. */
  wellAt: number | null;
}

/** The first that is well; where none is, the one that is well soonest. */
export function chooseAgent(rules: AgentRules, away: readonly AwayAgent[], now: number): Chosen {
  const all = rules.agents.map((agent) => ({ agent, wellAt: wellAt(away, agent, now) }));
  const soonest = all.toSorted((one, other) => (one.wellAt ?? 0) - (other.wellAt ?? 0));
  return all.find((one) => one.wellAt === null) ?? firstItem(soonest);
}

function wellAt(away: readonly AwayAgent[], agent: AgentUse, now: number): number | null {
  const until = Date.parse(away.find((one) => isAgent(one, agent))?.until ?? '');
  return until > now ? until : null;
}

export function isAgent(one: AgentUse, other: AgentUse): boolean {
  return one.backend === other.backend && one.model === other.model;
}

/**
 * Who goes on at once, or after a wait for quota; null: the run does what it does with one agent. So it does while a provider may still come
 * back, while every provider is down, and where nobody is logged in anywhere.
 */
export function goesOnWith(
  rules: AgentRules,
  away: readonly AwayAgent[],
  { outage, now }: { outage: boolean; now: number },
): Chosen | null {
  const chosen = chooseAgent(rules, away, now);
  if (chosen.wellAt !== null) {
    const isHopeful = rules.agents.some((agent) =>
      away.some((one) => isAgent(one, agent) && (one.why === 'quota' || one.why === 'outage')),
    );
    return outage || !isHopeful ? null : chosen;
  }
  const isComingBack = away.some((one) => isAgent(one, chosen.agent) && one.why === 'outage');
  return outage && isComingBack ? null : chosen;
}

/** What the end of a session says about its agent. */
export function afterFlight(rules: AgentRules, away: readonly AwayAgent[], flight: Flight, now: number): AwayAgent[] {
  const agent = flight.agent ?? rules.agents[0];
  const others = away.filter((one) => !isAgent(one, agent));
  const before = away.find((one) => isAgent(one, agent)) ?? null;
  const why = whyAway(flight);
  if (why === 'nothing') return [...away];
  if (why === null) return others;
  const isSame = before !== null && before.why === why;
  const since = isSame ? Date.parse(before.since) : now;
  const tries = isSame ? before.tries + 1 : 1;
  const until = awayUntil(rules, why, { since, tries, now, resetAt: flight.stop?.retry_at ?? null });
  return [...others, { ...agent, why, since: iso(since), until: iso(until), tries }];
}

/** `nothing`: the session says nothing about its agent; null: it works. */
function whyAway({ stop, end, cut_off, checkpoint }: Flight): AwayAgent['why'] | 'nothing' | null {
  if (cut_off !== null || (checkpoint === null && stop === null)) return 'nothing';
  if (stop === null) return null;
  if (stop.reason === 'usage_limit') return 'quota';
  if (stop.reason === 'api.auth') return 'login';
  if (stop.never_started) return 'start';
  if (stop.reason === 'api.unavailable' || end?.outage === true) return 'outage';
  return stop.reason === 'interrupted' || stop.reason === 'user_pause' ? 'nothing' : null;
}

const MINUTE = 60_000;
const FIRST_PAUSE_MS: Readonly<Record<AwayAgent['why'], number>> = {
  quota: 15 * MINUTE,
  login: 15 * MINUTE,
  start: 15 * MINUTE,
  outage: 5 * MINUTE,
};
const LONGEST_PAUSE_MS = 60 * MINUTE;
/** Longer than any allowance lasts. */
const LONGEST_QUOTA_MS = 8 * 24 * 60 * MINUTE;

interface Trouble {
  since: number;
  tries: number;
  now: number;
  resetAt: number | null;
}

function awayUntil({ outageMs }: AgentRules, why: AwayAgent['why'], { since, tries, now, resetAt }: Trouble): number {
  if (why === 'quota' && resetAt !== null && resetAt > now && resetAt - now < LONGEST_QUOTA_MS) return resetAt;
  if (why !== 'outage') return now + Math.min(FIRST_PAUSE_MS[why] * 2 ** (tries - 1), LONGEST_PAUSE_MS);
  return now - since < outageMs ? now : now + Math.min(Math.max(FIRST_PAUSE_MS.outage, (now - since) / 2), LONGEST_PAUSE_MS);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

const WORDS: Readonly<Record<AwayAgent['why'], string>> = {
  quota: 'is out of quota',
  login: 'is not logged in',
  outage: 'cannot reach its provider',
  start: 'cannot start here',
};

/** In a sentence, for people. */
export function switchReason(away: readonly AwayAgent[], from: AgentUse, to: AgentUse): string {
  const known = away.find((one) => isAgent(one, from));
  if (known === undefined) return `${agentLabel(to)} is tried again`;
  const since = known.why === 'outage' ? ` since ${known.since}` : '';
  return `${agentLabel(from)} ${WORDS[known.why]}${since}`;
}
