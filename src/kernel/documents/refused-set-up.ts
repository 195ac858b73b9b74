import { z } from '../../domain/zod.ts';

/** Why a set-up by the initializer was refused, what it had left, and how many were in a row. */
export const RefusedSetUpSchema = z.looseObject({
  schema_version: z.literal(1),
  problems: z.array(z.string()),
  tree: z.string().nullable(),
  count: z.number().int(),
  /** A person wants it changed: it is no failed attempt. */
  wished: z.literal(true).optional(),
});
export type RefusedSetUp = z.infer<typeof RefusedSetUpSchema>;
