/** What `sessions.jsonl` says about one session: one of the project, or one of a role in another flow, which names its role. */
import { z } from './zod.ts';
import { OUTCOMES, REASONS } from './reasons.ts';
import { PROMPT_TYPES } from './session.ts';

const fields = {
  session_id: z.number().int(),
  started_at: z.string(),
  ended_at: z.string(),
  duration_seconds: z.number(),
  outcome: z.enum(OUTCOMES),
  reasons: z.array(z.enum(REASONS)),
  /** The first reason, or `complete`. */
  termination_reason: z.string(),
  feature_id: z.number().int().nullable(),
  feature_completed: z.boolean(),
  tokens_used: z.object({ input: z.number(), output: z.number(), cached: z.number() }),
  cost_usd: z.number().nullable(),
  backend: z.string(),
  model: z.string(),
  commit: z.string().nullable().default(null),
  verdict: z.string().nullable().default(null),
  message: z.string().nullable().default(null),
  /** The provider was away, or the agent's program died at once: counts against no feature. */
  outage: z.boolean().optional(),
};

export const SessionRecordSchema = z.looseObject({ ...fields, prompt: z.enum(PROMPT_TYPES), role: z.undefined().optional() });
export type SessionRecord = z.input<typeof SessionRecordSchema>;

/** `prompt` is the role's own name, `role` the one with its flow: `architect` and `workflow/architect`. */
export const RoleRecordSchema = z.looseObject({ ...fields, prompt: z.string(), role: z.string() });
export type RoleRecord = z.input<typeof RoleRecordSchema>;
