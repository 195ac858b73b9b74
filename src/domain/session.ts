/** The project's state document and what one session leaves behind. */
import { z } from './zod.ts';
import { REASONS } from './reasons.ts';

export const STATE_SCHEMA_VERSION = 3;

export const PROMPT_TYPES = ['initializer', 'coding', 'continuation', 'cleanup'] as const;
export type PromptType = (typeof PROMPT_TYPES)[number];

/** Where a flight stands; which step is due in each, and what a crash there means, says `kernel/flight/machine.ts`. */
export const FLIGHT_PHASES = [
  'preparing',
  'working',
  'salvaging',
  'capturing',
  'captured',
  'landing',
  'moving',
  'pushing',
  'settling',
] as const;
export type FlightPhase = (typeof FLIGHT_PHASES)[number];

/** How a flight ends, before counters are looked at. */
export const FlightEndSchema = z.object({
  kind: z.enum(['verified', 'rejected', 'needs_human', 'partial', 'not_started', 'cut_off']),
  reasons: z.array(z.enum(REASONS)),
  message: z.string(),
  /** The provider was away, or the agent's program died at once: says nothing about the work. */
  outage: z.boolean().default(false),
});
export type FlightEnd = z.infer<typeof FlightEndSchema>;

/** What the agent showed of its own test runs. */
const EvidenceSchema = z.object({
  mentionsTestFile: z.boolean(),
  unseenFiles: z.array(z.string()).optional(),
  passingSummary: z.string().nullable(),
  endedFailing: z.boolean(),
  shown: z.boolean(),
  testNames: z.array(z.string()).optional(),
  unnamedRun: z.boolean().optional(),
  prefixed: z.boolean().optional(),
});

const CaptureFindingsSchema = z.array(z.object({ kind: z.string(), path: z.string(), detail: z.string() }));

/** An agent as the settings name it; null: the model of the kind of session. */
const AgentUseSchema = z.object({ backend: z.string(), model: z.string().nullable() });
export type AgentUse = z.infer<typeof AgentUseSchema>;

/** An agent that cannot work for a while, and when it is tried again. */
const AwayAgentSchema = AgentUseSchema.extend({
  why: z.enum(['quota', 'login', 'outage', 'start']),
  since: z.string(),
  until: z.string(),
  /** Sessions in a row that ended so. */
  tries: z.number().int(),
});
export type AwayAgent = z.infer<typeof AwayAgentSchema>;

/** One agent session from base to settlement. Fields that are not there yet have the value of a flight that did not come so far. */
export const FlightSchema = z.object({
  session: z.number().int(),
  feature: z.number().int().nullable(),
  prompt: z.enum(PROMPT_TYPES),
  phase: z.enum(FLIGHT_PHASES),
  /** Name of its copy and its rooms, where it flies beside others; null: those of sessions that work alone. */
  lane: z.string().nullable().default(null),
  /** What is wrong on the branch, where the session is to repair that. */
  repairs: z.string().nullable().default(null),
  /** Who works, where there is more than one agent to choose from. */
  agent: AgentUseSchema.optional(),
  base: z.string(),
  branch: z.string(),
  checkpoint: z.string().nullable(),
  started_at: z.string(),
  workspace: z.string().nullable().default(null),
  tree: z.string().nullable().default(null),
  /** What the capture found and what the agent showed: with the tree, all that judging needs. */
  findings: CaptureFindingsSchema.default([]),
  evidence: EvidenceSchema.nullable().default(null),
  /** The reason for which the harness stopped the agent; null when it ended by itself. */
  stop: z
    .object({
      reason: z.enum(REASONS),
      message: z.string(),
      /** Epoch milliseconds at which a usage limit ends. */
      retry_at: z.number().nullable().default(null),
      never_started: z.boolean().default(false),
      died_at_once: z.boolean().default(false),
    })
    .nullable()
    .default(null),
  verdict: z.string().nullable().default(null),
  /** What a person accepted: the verdict they saw, and the difference it is about. */
  accepted: z
    .object({
      verdict: z.string(),
      base: z.string(),
      tree: z.string(),
      /** Earlier versions of tests that fail stop counting. */
      releases: z.literal(true).optional(),
    })
    .nullable()
    .default(null),
  commit: z.string().nullable().default(null),
  /** How often a refused claim went back to the agent, and the last one that did: the captured tree, and its verdict. */
  answers: z.number().int().default(0),
  refused: z.object({ tree: z.string(), verdict: z.string() }).nullable().default(null),
  /** The agent was told what the examiner expects; and what it said to that. */
  examined: z.boolean().default(false),
  said: z.string().nullable().default(null),
  /** Places that the branch changed as well, so that the work could not be brought onto it. */
  conflict: z.array(z.string()).nullable().default(null),
  /** What the agent's reply says, where the flow reads a claim there. */
  word: z.object({ claims: z.boolean(), message: z.string() }).nullable().default(null),
  /** How often the branch moved under the work, and how often the remote did. */
  moves: z.number().int().default(0),
  pushes: z.number().int().default(0),
  /** The phase in which somebody died over it the last time; what is salvaged was cut off while it was worked on. */
  cut_off: z.enum(FLIGHT_PHASES).nullable().default(null),
  end: FlightEndSchema.nullable().default(null),
});
export type Flight = z.infer<typeof FlightSchema>;

/** Unfinished work of a feature, and where it is kept. */
const WipSchema = z.object({
  feature: z.number().int(),
  ref: z.string(),
  tree: z.string(),
  message: z.string(),
  /** The session that left it; absent in states of earlier versions. */
  session: z.number().int().optional(),
  /** Places that the branch changed as well: both sides stand in the files for the next session, and are shown once. */
  conflict: z.array(z.string()).optional(),
});

/** A candidate that waits for a person at a gate, with what judging it again needs. */
const PendingSchema = z.object({
  session: z.number().int(),
  feature: z.number().int().nullable(),
  base: z.string(),
  branch: z.string(),
  tree: z.string(),
  verdict: z.string(),
  gate: z.string(),
  findings: CaptureFindingsSchema.optional(),
  evidence: EvidenceSchema.nullable().optional(),
  /** What the agent said to the objections of the examiner, where it was asked. */
  said: z.string().optional(),
});

const EscalationSchema = z.object({
  gate: z.string(),
  feature: z.number().int().nullable(),
  facts: z.record(z.string(), z.unknown()),
  message: z.string(),
});

export const ProjectStateSchema = z.looseObject({
  schema_version: z.literal(STATE_SCHEMA_VERSION),
  harness_version: z.string(),
  last_session: z.number().int().nonnegative(),
  status: z.enum(['complete', 'partial', 'failed']),
  current_feature: z.number().int().nullable(),
  termination_reason: z.enum(REASONS).or(z.literal('error')).or(z.literal('complete')).nullable(),
  next_prompt: z.enum(['coding', 'continuation', 'cleanup']),
  stuck_count: z.number().int().nonnegative(),
  timeout_count: z.number().int().nonnegative().default(0),
  /** Refused claims in a row, by feature id. */
  failures: z.record(z.string(), z.number().int()).default({}),
  /** Features set aside by a person. */
  /** `unblocks`: a person said that what depends on it need not wait. */
  skipped: z
    .array(z.object({ feature: z.number().int(), reason: z.string(), at: z.string(), unblocks: z.literal(true).optional() }))
    .default([]),
  /** Features whose test failed on home's own HEAD: repaired first. */
  setbacks: z.array(z.number().int()).default([]),
  /** Features accepted since the last cleanup session. */
  features_since_cleanup: z.number().int().default(0),
  /** What preflight found wrong on the branch and an agent is to repair, and how often one has tried. */
  repair: z.object({ detail: z.string(), tries: z.number().int() }).nullable().default(null),
  paused: z.boolean().default(false),
  /** Since when a person has the wheel, from which commit on, and which features they declined to record at takeback. */
  handoff: z
    .object({ at: z.string(), head: z.string(), declined: z.array(z.number().int()).default([]) })
    .nullable()
    .default(null),
  /** What a person recorded without proof; gone once the harness has verified the feature itself. */
  overrides: z
    .array(z.object({ feature: z.number().int(), passes: z.boolean(), kind: z.enum(['override', 'manual']), at: z.string() }))
    .default([]),
  /** Unfinished work of the feature that is worked on. */
  wip: WipSchema.nullable().default(null),
  /** Unfinished work of others, the latest last. */
  shelved: z.array(WipSchema).default([]),
  /** The last refusal of each feature that is still open, for the session that tries again; `count`: how many there were in a row. */
  refusals: z
    .array(
      z.object({
        feature: z.number().int(),
        session: z.number().int(),
        verdict: z.string(),
        /** The commit that the refused work stood on, and the work itself. */
        base: z.string(),
        tree: z.string(),
        count: z.number().int(),
      }),
    )
    .default([]),
  /** A candidate that waits for a person and is asked about next. */
  pending: PendingSchema.nullable().default(null),
  /** An escalation that waits for a person and is asked about next. */
  escalation: EscalationSchema.nullable().default(null),
  /** What waits for a person while an unattended run goes on with the rest, oldest first; each is one or the other. */
  parked: z.array(z.object({ pending: PendingSchema.nullable(), escalation: EscalationSchema.nullable(), at: z.string() })).default([]),
  /** What people said at questions, for the sessions that follow: of one feature until it is done, without one for the next session. */
  notes: z.array(z.object({ feature: z.number().int().nullable(), gate: z.string(), text: z.string(), at: z.string() })).default([]),
  completed_at: z.string().nullable().default(null),
  /** A return to a checkpoint that has begun, and the last session before it. */
  rollback: z.object({ checkpoint: z.string(), session: z.number().int() }).nullable().default(null),
  /** What the journal says about the last session, kept here until it is certain to be there. */
  last_record: z.record(z.string(), z.unknown()).nullable().default(null),
  flight: FlightSchema.nullable().default(null),
  /** Further flights that are in the air, by session. */
  beside: z.array(FlightSchema).default([]),
  /** Where there is more than one agent: who worked last, and who cannot at the moment. */
  agents: z.object({ last: AgentUseSchema, away: z.array(AwayAgentSchema) }).optional(),
  timestamp: z.string(),
});
export type ProjectState = z.infer<typeof ProjectStateSchema>;

export type Refusal = ProjectState['refusals'][number];

export const BaselineSchema = z.looseObject({
  schema_version: z.number().int(),
  harness_version: z.string(),
  session: z.number().int(),
  timestamp: z.string(),
  /** Commit whose tree was run. */
  commit: z.string(),
  tree: z.string(),
  runner: z.string(),
  passing_tests: z.array(z.string()),
  total_passing: z.number().int(),
  total_tests: z.number().int(),
  /** Why nothing could be told about any test although files of tests are there; null: something was, or none are. */
  nothing: z.string().nullable().optional(),
});
export type Baseline = z.infer<typeof BaselineSchema>;
