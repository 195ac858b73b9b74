/** The JSON Schemas of a worker's input and answers, made from the schemas that check them. Pure. */
import { schemaFiles } from './schema-files.ts';
import {
  AdviceSchema,
  AdvisorRequestSchema,
  FailureSchema,
  ReportSchema,
  ReviewSchema,
  TaskInputSchema,
} from '../../src/flows/worker/contract.ts';

const SCHEMAS = [
  ['worker-task.v1', TaskInputSchema, 'A task for harness worker (--task)'],
  ['worker-review.v1', ReviewSchema, "A lead's review of a worker's report (--review)"],
  ['worker-advice.v1', AdviceSchema, "An advisor's answer (--advice)"],
  ['worker-report.v1', ReportSchema, 'worker-report.v1: the task is completed'],
  ['advisor-request.v1', AdvisorRequestSchema, 'advisor-request.v1: the worker needs advice before it goes on'],
  ['worker-failure.v1', FailureSchema, 'The task failed, or is escalated'],
] as const;

/** Path below the package → content. */
export function generatedFiles(): Record<string, string> {
  return schemaFiles(SCHEMAS);
}
