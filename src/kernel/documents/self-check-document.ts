/** What the last unattended run went by: whether verification holds in the project's own test set-up, and whether a person took the risk. */
import { z } from '../../domain/zod.ts';
import { CHEAT_FAMILIES } from '../../domain/cheat-family.ts';
import { RUNNER_NAMES } from '../../verify/runners/registry.ts';

export const StoredCheckSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  key: z.string(),
  runner: z.enum(RUNNER_NAMES),
  state: z.enum(['sound', 'unsound', 'basic', 'not_ready']),
  /** Families whose cheat was accepted, and those of which some can get through with such a runner. */
  passing: z.array(z.enum(CHEAT_FAMILIES)),
  unheld: z.array(z.enum(CHEAT_FAMILIES)),
  detail: z.string(),
  checked_at: z.string(),
  duration_ms: z.number(),
  /** Who took the risk, and when. */
  accepted: z.object({ by: z.string(), at: z.string() }).nullable(),
});
export type StoredCheck = z.infer<typeof StoredCheckSchema>;
