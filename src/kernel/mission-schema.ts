/**
 * The documents of a mission.
 *
 * 1. `mission.json` holds all that the flow knows; `.harness/features.json` and `validation-contract.md` show a part of it to people, who may edit
 *    them between iterations.
 * 2. `shown` are the marks of what these two said before the last change: a file that says so is behind, any other text is a person's.
 */
import { z } from '../domain/zod.ts';
import { FlightSchema } from '../domain/session.ts';
import { missionFeatureNumber } from '../domain/feature-name.ts';
import { REASONS } from '../domain/reasons.ts';

export const FEATURE_STATES = ['pending', 'working', 'validating', 'passed', 'failed', 'blocked', 'skipped'] as const;

export const FeatureIdSchema = z.string().refine((id) => missionFeatureNumber(id) !== null, { error: 'has to be F-001 and so on' });
export const ClaimIdSchema = z.string().regex(/^VAL-[A-Z0-9]+(?:-[A-Z0-9]+)*-\d{3,4}$/, { error: 'has to be VAL-<AREA>-001 and so on' });

export const QueueFeatureSchema = z.object({
  id: FeatureIdSchema,
  title: z.string().min(1).max(300),
  claims: z.array(ClaimIdSchema).min(1),
  status: z.enum(FEATURE_STATES).default('pending'),
  attempts: z.number().int().nonnegative().default(0),
  depends_on: z.array(FeatureIdSchema).default([]),
  notes: z.array(z.string()).default([]),
});
export type QueueFeature = z.infer<typeof QueueFeatureSchema>;

/** What shows that a claim holds. Without a test file a person has to say so. */
export const ProofSchema = z.object({ tests: z.array(z.string()), command: z.string().nullable(), person: z.boolean() });
export type Proof = z.infer<typeof ProofSchema>;

export const ClaimSchema = z.object({ id: ClaimIdSchema, text: z.string().min(1).max(1_000), proof: ProofSchema, notes: z.string() });
export type Claim = z.infer<typeof ClaimSchema>;

export const QueueSchema = z.looseObject({
  schema_version: z.literal(1),
  spec: z.looseObject({ path: z.string() }).optional(),
  features: z.array(QueueFeatureSchema),
});

const IssueSchema = z.object({
  title: z.string(),
  text: z.string(),
  proof: ProofSchema.nullable(),
  by: z.string(),
  feature: z.string(),
  /** `open`: to be looked at; `promoted`: a feature of its own; `noted`: nothing fails that would show it. */
  state: z.enum(['open', 'promoted', 'noted']),
  /** The feature that gets one session to show it by a test, because only a command does so far. */
  fix: z.string().optional(),
});
export type Issue = z.infer<typeof IssueSchema>;

/** `told`: the question about it is written down; absent in states of earlier versions. */
const CandidateSchema = z.object({ feature: z.string(), flight: FlightSchema, told: z.boolean().optional() });
export type Candidate = z.infer<typeof CandidateSchema>;

export const STAGES = ['planning', 'proving-plan', 'reviewing', 'rejected', 'working', 'proving', 'closing', 'escalated', 'done'] as const;

export const MissionStateSchema = z.looseObject({
  schema_version: z.literal(1),
  harness_version: z.string(),
  spec: z.object({ path: z.string(), hash: z.string() }),
  stage: z.enum(STAGES),
  started_at: z.string(),
  iteration: z.number().int().nonnegative(),
  features: z.array(QueueFeatureSchema),
  claims: z.array(ClaimSchema),
  /** How often the planner was asked, what was wrong with its last plan, and whether it was told once of claims that hold already. */
  plan: z.object({ tries: z.number().int(), remarks: z.array(z.string()), told: z.boolean() }),
  review: z.string().nullable(),
  flights: z.array(FlightSchema),
  /** Sessions whose accepted work is being validated, and those that were. */
  validating: z.array(z.number().int()),
  validated: z.array(z.number().int()),
  /** Accepted work, or work that a person has to look at, that does not land by itself. */
  candidates: z.array(CandidateSchema),
  /** Features whose accepted work stands on its branch until a person has merged it. */
  kept: z.array(z.string()).default([]),
  /** Decisions in a row that could not be read or did not fit; why the last one was not taken; how many could not be read at all. */
  refused: z.number().int(),
  refusal: z.string().nullable(),
  ghosts: z.number().int(),
  checkpoint: z.string().nullable(),
  grants: z.array(z.string()),
  /** Which features were looked at by the debugger, after how many attempts; and what the architect was asked about. */
  debugged: z.record(z.string(), z.number().int()),
  question: z.object({ feature: z.string(), text: z.string() }).nullable(),
  /** What others could not go on without, in the order in which they said so. */
  later_questions: z.array(z.object({ feature: z.string(), text: z.string() })).default([]),
  /** What became of the last attempts: for the next worker and the debugger. */
  evidence: z.array(
    z.object({
      feature: z.string(),
      session: z.number().int(),
      message: z.string(),
      reasons: z.array(z.string()),
      verdict: z.string().nullable(),
      base: z.string(),
      tree: z.string().nullable(),
    }),
  ),
  /** Features whose last session left unfinished work that the next one goes on with. */
  unfinished: z.array(z.string()).default([]),
  /** How often accepted work met other changes in the same places. */
  conflicts: z.record(z.string(), z.object({ count: z.number().int(), paths: z.array(z.string()) })),
  issues: z.array(IssueSchema),
  /** What people said about claims that no test shows, and about skipped features, and for which tree. */
  answers: z.array(z.object({ subject: z.string(), tree: z.string(), holds: z.boolean() })),
  validator: z.object({ asked: z.number().int(), believed: z.number().int(), unquoted: z.number().int(), contradicted: z.number().int() }),
  escalation: z.object({ reason: z.string(), feature: z.string().nullable() }).nullable(),
  /** When a usage limit or an outage is over; how many outages there were in a row. */
  wait: z.object({ until: z.number().nullable(), why: z.enum(REASONS) }).nullable(),
  outages: z.number().int(),
  /** Why this drive ends once nobody flies any more. */
  stop: z.object({ reason: z.enum(REASONS), message: z.string() }).nullable(),
  documented: z.array(z.string()),
  curated: z.boolean(),
  smoked: z.boolean(),
  proved: z.object({ commit: z.string(), tree: z.string() }).nullable(),
  notes: z.array(z.string()),
  shown: z.object({ queue: z.string(), contract: z.string() }).nullable(),
});
export type MissionState = z.infer<typeof MissionStateSchema>;
