/** The last number given to a session of a role. */
import { z } from '../../domain/zod.ts';

export const CounterSchema = z.object({ schema_version: z.literal(1), harness_version: z.string(), last: z.number().int().nonnegative() });
export type Counter = z.infer<typeof CounterSchema>;
