/**
 * What a lead hands to a worker and gets back. The schemas ship with the package (`schemas/worker-*.v1.schema.json`).
 *
 * 1. Fields that nobody here knows are kept: they belong to the lead.
 * 2. An answer is exactly one of three: a report, a request for advice, a failure.
 */
import { z } from '../../domain/zod.ts';
import type { ExitCode } from '../../domain/reasons.ts';

export const MODES = ['solo', 'codex', 'breezing'] as const;
export const SKIP_REASONS = ['docs-only', 'mechanical-change', 'existing-spec-sufficient'] as const;
export const REASON_CODES = [
  'needs-spike',
  'security-sensitive',
  'state-migration',
  'retry-threshold',
  'pivot-required',
  'advisor-required',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** A word that can be part of a branch's name. */
const TASK_ID = /^(?!.*\.\.)(?!.*\.lock$)[A-Za-z0-9][A-Za-z0-9._-]{0,62}[A-Za-z0-9_-]$|^[A-Za-z0-9]$/;

/** With something in it. */
const text = z.string().regex(/\S/, 'is empty');

const DodItemSchema = z.union([text, z.looseObject({ item: text, command: text.nullable().optional() })]);

export const TaskInputSchema = z.looseObject({
  task: text.describe('What is to be done.'),
  task_id: z
    .string()
    .regex(TASK_ID, 'has to be letters, digits, ".", "_" and "-", as in 43.3.1')
    .describe('Name of the task, as in 43.3.1.'),
  context: z.string().nullable().optional().describe('What the agent should know about the project.'),
  files: z.array(text).min(1, 'has to name at least one').describe('Files that may change: paths, folders or globs below the repository.'),
  mode: z
    .enum(MODES)
    .describe(
      'solo: the harness lands the commit after APPROVE. codex: by the Codex backend. breezing: on the branch harness-work/<task_id>.',
    ),
  contract_path: text.nullable().optional().describe('The sprint contract, a JSON file of the repository.'),
  spec_path: text.nullable().optional().describe('The spec that the work must not contradict.'),
  spec_skip_reason: z.enum(SKIP_REASONS).nullable().optional().describe('Why there is no spec to follow.'),
  validation_commands: z.array(text).optional().describe('Commands that have to succeed; left out, they are chosen from the project.'),
  effort: z.enum(EFFORTS).nullable().optional().describe('How hard the agent should think, for backends that take it.'),
  skip_tdd_reason: text.nullable().optional().describe('Why no failing test comes first.'),
  may_change: z
    .array(text)
    .optional()
    .describe('Accepted tests that this task changes, as globs: their new version counts and is shown. They have to be in files too.'),
  dod: z.array(DodItemSchema).optional().describe('Definition of done; an item is proved by its command.'),
});
export type TaskInput = z.infer<typeof TaskInputSchema>;

const SelfReviewSchema = z.looseObject({
  rule: z.string().min(1),
  verified: z.boolean().describe("Only with evidence of the harness's own."),
  evidence: z.string().describe('What the harness saw; where it is not verified, what is missing.'),
  claim: z.string().nullable().optional().describe('What the agent said about it.'),
});
export type SelfReview = z.infer<typeof SelfReviewSchema>;

export const ReportSchema = z.looseObject({
  schema_version: z.literal('worker-report.v1'),
  status: z.literal('completed'),
  task: z.string(),
  files_changed: z.array(z.string()),
  commit: z.string().nullable(),
  branch: z.string().nullable(),
  worktreePath: z.string().nullable(),
  summary: z.string(),
  memory_updates: z.array(z.string()).describe("The agent's own suggestions."),
  effort_applied: z.string().nullable().describe('What the agent says it worked with, else what it was given; null where it takes none.'),
  effort_sufficient: z.boolean(),
  turns_used: z.number().int().nonnegative(),
  task_complexity_note: z.string(),
  self_review: z.array(SelfReviewSchema),
});

export const AdvisorRequestSchema = z.looseObject({
  schema_version: z.literal('advisor-request.v1'),
  task_id: z.string(),
  reason_code: z.enum(REASON_CODES),
  trigger_hash: z.string().regex(/^[^:]+:[^:]+:.+$/),
  question: z.string().min(1),
  attempt: z.number().int().nonnegative(),
  last_error: z.string().nullable(),
  context_summary: z.array(z.string()),
});
export type AdvisorRequest = z.infer<typeof AdvisorRequestSchema>;

export const FailureSchema = z.looseObject({
  schema_version: z.string().optional(),
  status: z.enum(['failed', 'escalated']),
  task: z.string(),
  files_changed: z.array(z.string()),
  commit: z.string().nullable(),
  memory_updates: z.array(z.string()),
  escalation_reason: z.string().min(1),
});

export const ReviewSchema = z.looseObject({
  task_id: z.string().optional().describe('Has to be that of the task, where it is given.'),
  commit: z.string().optional().describe('The commit that was looked at; a review of an older one is not taken up again.'),
  verdict: z.enum(['APPROVE', 'REQUEST_CHANGES']),
  text: z.string().optional().describe('What has to change.'),
});
export type Review = z.infer<typeof ReviewSchema>;

export const AdviceSchema = z.looseObject({
  schema_version: z.string().optional(),
  task_id: z.string().optional(),
  trigger_hash: z.string().optional().describe('Has to be that of the request, where it is given.'),
  decision: z.string().optional().describe('STOP ends the task; with anything else it continues.'),
});
export type Advice = z.infer<typeof AdviceSchema>;

export interface WorkerAnswer {
  exitCode: ExitCode;
  /** The one object on stdout. */
  value: Record<string, unknown>;
}
