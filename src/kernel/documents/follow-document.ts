/** The pull requests of the harness that are still open, and what was done about what was said there (`github/follow.ts`). */
import { z } from '../../domain/zod.ts';

export const FollowDocumentSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  repository: z.string(),
  /** What the user's settings said when it was written: a status reads the project's alone. */
  followed: z.boolean(),
  pulls: z.array(
    z.object({
      number: z.number().int(),
      branch: z.string(),
      attempts: z.number().int(),
      handled: z.array(z.string()),
      owes: z.object({ key: z.string(), session: z.number().int() }).nullable(),
    }),
  ),
});
export type FollowDocument = z.infer<typeof FollowDocumentSchema>;
