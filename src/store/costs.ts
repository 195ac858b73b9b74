/**
 * `costs.yaml`: what sessions have cost.
 *
 * 1. A session whose cost is unknown counts as a session and not as money.
 * 2. Recording the same session again (its number and its start) replaces what was recorded for it, whatever was recorded in between: a
 *    crash between two writes, or sessions side by side, count nothing twice.
 * 3. A role's session stands under `running` from before its agent starts until the write that records it: one that was cut off is known by it.
 */
import { z } from '../domain/zod.ts';
import { roundMoney } from '../domain/known-money.ts';
import { tokensOf, type Tokens, type Usage } from '../domain/money.ts';

export const COSTS_SCHEMA_VERSION = 1;

const TokensSchema: z.ZodType<Tokens> = z.object({ input: z.number(), output: z.number(), cached: z.number() });

const EntrySchema = z.object({
  session_id: z.number().int(),
  feature_id: z.number().int().nullable(),
  started: z.string(),
  tokens: TokensSchema,
  cost_usd: z.number().nullable(),
  backend: z.string().optional(),
  model: z.string().nullable().optional(),
});
type Entry = z.infer<typeof EntrySchema>;

const RunningSchema = z.object({
  session_id: z.number().int(),
  role: z.string(),
  started: z.string(),
  model: z.string(),
  /** Whose work it belongs to; absent: no feature's. */
  feature_id: z.number().int().optional(),
});

const SUM = {
  /** Null: the cost of no session is known. */
  cost_usd: z.number().nullable(),
  sessions: z.number().int(),
  /** Absent: none. */
  sessions_without_cost: z.number().int().optional(),
};

/** More than can run at the same time, or be cut off before the books are closed. */
const KEPT_SESSIONS = 40;

export const CostsSchema = z.looseObject({
  schema_version: z.literal(COSTS_SCHEMA_VERSION),
  harness_version: z.string(),
  /** The one that was recorded last. */
  current_session: EntrySchema.nullable(),
  /** The latest ones, as they were recorded: what stands here can be recorded again. */
  sessions: z.array(EntrySchema).optional(),
  running: z.array(RunningSchema).optional(),
  cumulative: z.object({
    total_sessions: z.number().int(),
    total_tokens: TokensSchema,
    /** Null: there were sessions, and the cost of none is known. */
    total_cost_usd: z.number().nullable(),
    /** Sessions whose cost is unknown and therefore missing in the total. */
    sessions_without_cost: z.number().int(),
    by_feature: z.array(z.object({ feature_id: z.number().int(), ...SUM })),
    /** Since more than one agent may work; model null: the one of the kind of session. */
    by_backend: z.array(z.object({ backend: z.string(), model: z.string().nullable(), ...SUM })).optional(),
  }),
  budgets: z.object({ per_session_usd: z.number(), per_feature_usd: z.number(), total_project_usd: z.number() }),
});
export type Costs = z.infer<typeof CostsSchema>;

export interface SessionCost {
  session: number;
  feature: number | null;
  started: string;
  usage: Usage;
  cost_usd: number | null;
  /** Who worked. Absent: not known. */
  agent?: { backend: string; model: string | null } | undefined;
}

export function emptyCosts(harnessVersion: string, budgets: Costs['budgets']): Costs {
  return {
    schema_version: COSTS_SCHEMA_VERSION,
    harness_version: harnessVersion,
    current_session: null,
    cumulative: {
      total_sessions: 0,
      total_tokens: { input: 0, output: 0, cached: 0 },
      total_cost_usd: 0,
      sessions_without_cost: 0,
      by_feature: [],
    },
    budgets: { ...budgets },
  };
}

export type RunningSession = NonNullable<Costs['running']>[number];

export function beginSession(costs: Costs, session: RunningSession): Costs {
  return { ...costs, running: [...(costs.running ?? []), session] };
}

export function recordSession(costs: Costs, record: SessionCost): Costs {
  const session: Entry = {
    session_id: record.session,
    feature_id: record.feature,
    started: record.started,
    tokens: tokensOf(record.usage),
    cost_usd: record.cost_usd,
    ...record.agent,
  };
  const { sessions = costs.current_session === null ? [] : [costs.current_session] } = costs;
  const isSame = (entry: Entry): boolean => entry.session_id === record.session && entry.started === record.started;
  const previous = sessions.find(isSame);
  const before = previous === undefined ? costs.cumulative : shift(costs.cumulative, previous, -1);
  const { running = [], ...rest } = costs;
  const others = running.filter((one) => one.session_id !== record.session);
  return {
    ...rest,
    current_session: session,
    sessions: [...sessions.filter((entry) => !isSame(entry)), session].slice(-KEPT_SESSIONS),
    ...(others.length === 0 ? {} : { running: others }),
    cumulative: shift(before, session, 1),
  };
}

/** What was recorded for a session lately; others may have been recorded since. */
export function recordedFor({ sessions = [], current_session }: Costs, session: number): Entry | null {
  return [...sessions, ...(current_session === null ? [] : [current_session])].findLast((entry) => entry.session_id === session) ?? null;
}

/** Known money spent on one feature. */
export function featureCost(costs: Costs, feature: number): number {
  return costs.cumulative.by_feature.find((entry) => entry.feature_id === feature)?.cost_usd ?? 0;
}

function shift(total: Costs['cumulative'], session: Entry, sign: 1 | -1): Costs['cumulative'] {
  const { total_sessions, sessions_without_cost, total_cost_usd } = total;
  const all = shiftSum({ cost_usd: total_cost_usd, sessions: total_sessions, sessions_without_cost }, session, sign);
  return {
    total_sessions: all.sessions,
    total_tokens: {
      input: total.total_tokens.input + sign * session.tokens.input,
      output: total.total_tokens.output + sign * session.tokens.output,
      cached: total.total_tokens.cached + sign * session.tokens.cached,
    },
    total_cost_usd: all.cost_usd,
    sessions_without_cost: all.sessions_without_cost ?? 0,
    by_feature: session.feature_id === null ? total.by_feature : shiftFeature(total.by_feature, session.feature_id, session, sign),
    ...shiftBackend(total.by_backend, session, sign),
  };
}

interface Sum {
  cost_usd: number | null;
  sessions: number;
  sessions_without_cost?: number | undefined;
}

function shiftSum({ cost_usd, sessions, sessions_without_cost = 0 }: Sum, session: Entry, sign: 1 | -1): Sum {
  const without = sessions_without_cost + (session.cost_usd === null ? sign : 0);
  const known = roundMoney((cost_usd ?? 0) + sign * (session.cost_usd ?? 0));
  return {
    cost_usd: without > 0 && without === sessions + sign ? null : known,
    sessions: sessions + sign,
    ...(without === 0 ? {} : { sessions_without_cost: without }),
  };
}

const NO_SUM: Sum = { cost_usd: 0, sessions: 0 };

function shiftFeature(
  entries: Costs['cumulative']['by_feature'],
  feature: number,
  session: Entry,
  sign: 1 | -1,
): Costs['cumulative']['by_feature'] {
  const entry = entries.find((candidate) => candidate.feature_id === feature) ?? NO_SUM;
  const changed = { feature_id: feature, ...shiftSum(entry, session, sign) };
  const others = entries.filter((candidate) => candidate.feature_id !== feature);
  return (changed.sessions === 0 ? others : [...others, changed]).sort((a, b) => a.feature_id - b.feature_id);
}

function shiftBackend(
  entries: Costs['cumulative']['by_backend'] = [],
  session: Entry,
  sign: 1 | -1,
): Pick<Costs['cumulative'], 'by_backend'> {
  const { backend, model = null } = session;
  if (backend === undefined) return entries.length === 0 ? {} : { by_backend: entries };
  const isSame = (one: { backend: string; model: string | null }): boolean => one.backend === backend && one.model === model;
  const changed = { backend, model, ...shiftSum(entries.find(isSame) ?? NO_SUM, session, sign) };
  return { by_backend: [...entries.filter((one) => !isSame(one)), ...(changed.sessions === 0 ? [] : [changed])] };
}
