/** Checks of the settings that failed on the commit at which the project was adopted: what no session can change keeps none from starting. */
import { z } from '../../domain/zod.ts';

export const LEFT_OUT_FILE = 'left_out_checks.json';

export const LeftOutChecksSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  commit: z.string(),
  checks: z.array(z.object({ name: z.string(), command: z.string(), why: z.string() })),
});
export type LeftOutChecks = z.infer<typeof LeftOutChecksSchema>;
