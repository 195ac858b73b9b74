/** What is remembered of a task. One document, written whole after every event. */
import { z } from '../../../domain/zod.ts';
import { AdvisorRequestSchema, TaskInputSchema } from '../contract.ts';

const HeadSchema = z.object({ commit: z.string(), tree: z.string(), branch: z.string() });

const CommandSchema = z.object({ command: z.string(), reason: z.string().nullable() });

/** What the task was found to be before an agent was started. */
const GroundSchema = z.object({
  validation: z.array(CommandSchema),
  /** Null: the project has no tests that the harness can run. */
  test: z.string().nullable(),
  tdd: z.object({ enforced: z.boolean(), required: z.boolean(), skipped: z.string().nullable(), note: z.string().nullable() }),
  dod: z.array(z.object({ item: z.string(), command: z.string().nullable() })),
  plans: z.string(),
});
export type Ground = z.infer<typeof GroundSchema>;

const RuleSchema = z.object({
  rule: z.string(),
  verified: z.boolean(),
  evidence: z.string(),
  /** Whether an agent can do anything about it. */
  mendable: z.boolean(),
});
export type Rule = z.infer<typeof RuleSchema>;

const PreflightSchema = z.object({ item: z.string(), ok: z.boolean(), evidence: z.string() });
export type PreflightItem = z.infer<typeof PreflightSchema>;

const CommandRunSchema = z.object({
  command: z.string(),
  exit_code: z.number().nullable(),
  output: z.string(),
  /** It fails on the base as well, and was not chosen. */
  fails_on_base: z.literal(true).optional(),
});
export type CommandRun = z.infer<typeof CommandRunSchema>;

const ProofSchema = z.object({
  tree: z.string(),
  files_changed: z.array(z.string()),
  preflight: z.array(PreflightSchema),
  rules: z.array(RuleSchema),
  /** Runs that failed, each in one line; empty: none did. */
  failures: z.array(z.string()),
  verdict: z.object({ id: z.string(), decision: z.string(), reasons: z.array(z.string()), findings: z.array(z.string()) }).nullable(),
  validation: z.array(CommandRunSchema),
  /** A rule of the mode was broken that nothing can mend: the task is over. */
  broken: z.string().nullable(),
});
export type Proof = z.infer<typeof ProofSchema>;

const ClaimSchema = z.object({
  summary: z.string(),
  memory_updates: z.array(z.string()),
  note: z.string(),
  rules: z.record(z.string(), z.string()),
});
export type Claim = z.infer<typeof ClaimSchema>;

const SeenSchema = z.object({
  sessions: z.array(z.number().int()),
  turns: z.number().int(),
  stalls: z.number().int(),
  /** Tools that start other agents, as the last session called them. */
  agents: z.array(z.string()),
  effort: z.string().nullable(),
  /** A limit ended a session before the agent was done. */
  limits: z.array(z.string()),
});
export type Seen = z.infer<typeof SeenSchema>;

const ConsultationSchema = z.object({ request: AdvisorRequestSchema, advice: z.record(z.string(), z.unknown()).nullable() });

export const PHASES = [
  'examining',
  'ready',
  'working',
  'salvaging',
  'proving',
  'committing',
  'branching',
  'waiting',
  'finished',
  'landing',
  'landed',
] as const;

export const TaskStateSchema = z.looseObject({
  input: TaskInputSchema,
  /** Of the document as it was handed in. */
  input_hash: z.string(),
  phase: z.enum(PHASES),
  base: HeadSchema.nullable(),
  ground: GroundSchema.nullable(),
  /** What the next session starts from; null: the base. */
  tree: z.string().nullable(),
  findings: z.array(z.looseObject({ kind: z.string(), path: z.string(), detail: z.string() })),
  session: z.number().int().nullable(),
  seen: SeenSchema,
  claim: ClaimSchema.nullable(),
  proof: ProofSchema.nullable(),
  /** Of the runs that failed: what failed, and how much. */
  failures: z.array(z.object({ signature: z.string(), count: z.number().int(), summary: z.string() })),
  returns: z.number().int(),
  /** What the next session is told about the last one. */
  feedback: z.string().nullable(),
  consultations: z.array(ConsultationSchema),
  commit: z.string().nullable(),
  /** The commit that a change request asks to be replaced. */
  amends: z.string().nullable(),
  branch: z.string().nullable(),
  ending: z.object({ status: z.enum(['completed', 'failed', 'escalated']), reason: z.string().nullable() }).nullable(),
});
export type TaskState = z.infer<typeof TaskStateSchema>;
export type Head = z.infer<typeof HeadSchema>;

export function newTask(input: TaskState['input'], inputHash: string): TaskState {
  return {
    input,
    input_hash: inputHash,
    phase: 'examining',
    base: null,
    ground: null,
    tree: null,
    findings: [],
    session: null,
    seen: { sessions: [], turns: 0, stalls: 0, agents: [], effort: null, limits: [] },
    claim: null,
    proof: null,
    failures: [],
    returns: 0,
    feedback: null,
    consultations: [],
    commit: null,
    amends: null,
    branch: null,
    ending: null,
  };
}
