/** A worker's task as it stands: the state belongs to its flow. */
import { z } from '../../domain/zod.ts';

export const TASK_SCHEMA_VERSION = 1;

export const TaskDocumentSchema = z.looseObject({
  schema_version: z.literal(TASK_SCHEMA_VERSION),
  harness_version: z.string(),
  state: z.record(z.string(), z.unknown()),
});
export type TaskDocument = z.infer<typeof TaskDocumentSchema>;
