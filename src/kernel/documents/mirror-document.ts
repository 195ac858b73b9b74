/** What the GitHub mirror knows of its issues (`github/memory.ts`). */
import { z } from '../../domain/zod.ts';

export const MirrorDocumentSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  repository: z.string(),
  seen_until: z.string().nullable(),
  etag: z.string().nullable().default(null),
  issues: z.array(
    z.object({
      feature: z.number().int(),
      number: z.number().int(),
      state: z.enum(['open', 'closed']),
      closedAt: z.string().nullable(),
      ownClosing: z.string().nullable(),
      gone: z.enum(['asked', 'left_out']).optional(),
    }),
  ),
});
export type MirrorDocument = z.infer<typeof MirrorDocumentSchema>;
