/** What `sessions.jsonl` says about one session. */
import { z } from 'zod';
import { OUTCOMES, REASONS } from '../domain/reasons.ts';
import { PROMPT_TYPES } from '../domain/session.ts';

export const SessionRecordSchema = z.looseObject({
  session_id: z.number().int(),
  prompt: z.enum(PROMPT_TYPES),
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
});
export type SessionRecord = z.input<typeof SessionRecordSchema>;
