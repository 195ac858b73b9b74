import { z } from '../../domain/zod.ts';

/** The document that the project was set up from: relative to the project where it lies in it. */
export const SpecificationSchema = z.looseObject({ schema_version: z.literal(1), path: z.string().min(1) });
export type Specification = z.infer<typeof SpecificationSchema>;
