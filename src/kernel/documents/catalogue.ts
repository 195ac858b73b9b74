/**
 * Every document of a place, by name: what it is called on the shelf, and what it holds.
 *
 * 1. The one list of names below `.harness`. A document that is not in it does not exist.
 * 2. What a document holds of people's decisions, and of verdicts that are being carried out, is sealed (`decisions.ts`).
 * 3. What another version wrote is brought up to date here, or refused; nothing newer is overwritten.
 */
import { z } from '../../domain/zod.ts';
import { usageError } from '../../domain/errors.ts';
import { BaselineSchema, ProjectStateSchema, type Baseline, type ProjectState } from '../../domain/session.ts';
import { CostsSchema, type Costs } from '../../store/costs.ts';
import type { VersionedDocument } from '../../store/document.ts';
import { migrateState } from '../../store/migrations.ts';
import { RecordedSessionSchema, SESSION_SCHEMA_VERSION, type RecordedSession } from '../session-document.ts';
import { CHECK_DECISIONS, MISSION_DECISIONS, STATE_DECISIONS, type Decisions } from './decisions.ts';
import { LEFT_OUT_FILE, LeftOutChecksSchema, type LeftOutChecks } from './left-out-checks.ts';
import { RefusedSetUpSchema, type RefusedSetUp } from './refused-set-up.ts';
import { StoredCheckSchema, type StoredCheck } from './self-check-document.ts';
import { TaskDocumentSchema, type TaskDocument } from './task-document.ts';
import { MissionStateSchema, type MissionState } from '../mission-schema.ts';

export interface Kind<Read, Written> {
  file: string;
  schema: z.ZodType<Read>;
  /** Before it is checked; may refuse. */
  migrate?(value: unknown, at: Migrating): unknown;
  decisions?: Decisions<Read>;
  /** Only for the type. */
  written?: Written;
}

export interface Migrating {
  where: string;
  /** `compatibility.on_newer_state` */
  onNewerState: 'abort' | 'warn';
}

export const STATE_FILE = 'session_state.json';

/** What the GitHub mirror knows of its issues (`github/memory.ts`). */
const MirrorDocumentSchema = z.object({
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
type MirrorDocument = z.infer<typeof MirrorDocumentSchema>;

/** The last number given to a session of a role. */
const CounterSchema = z.object({ schema_version: z.literal(1), harness_version: z.string(), last: z.number().int().nonnegative() });
type Counter = z.infer<typeof CounterSchema>;

/** The document that the project was set up from: relative to the project where it lies in it. */
const SpecificationSchema = z.looseObject({ schema_version: z.literal(1), path: z.string().min(1) });
type Specification = z.infer<typeof SpecificationSchema>;

/** The pull requests of the harness that are still open, and what was done about what was said there (`github/follow.ts`). */
const FollowDocumentSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  repository: z.string(),
  /** What the user's settings said when it was written: a status reads the project's alone. */
  followed: z.boolean(),
  pulls: z.array(
    z.object({
      number: z.number().int(),
      branch: z.string(),
      attempts: z.number().int(),
      handled: z.array(z.string()),
      owes: z.object({ key: z.string(), session: z.number().int() }).nullable(),
    }),
  ),
});
type FollowDocument = z.infer<typeof FollowDocumentSchema>;

export const CATALOGUE = {
  /** The project's state. */
  state: { ...kind<ProjectState>(STATE_FILE, ProjectStateSchema, upToDate), decisions: STATE_DECISIONS },
  /** How far the project's sessions go, whatever the version of its state. */
  'last-session': kind<{ last_session: number }>(STATE_FILE, z.looseObject({ last_session: z.number().int() })),
  baseline: kind<Baseline>('test_baseline.json', BaselineSchema),
  costs: kind<Costs>('costs.yaml', CostsSchema),
  /** The one session of the workflow or spec flow. */
  session: kind<RecordedSession, VersionedDocument>('state.json', RecordedSessionSchema, refuseNewer),
  github: kind<MirrorDocument>('github.json', MirrorDocumentSchema),
  /** Pull requests of the harness that are open. */
  follow: kind<FollowDocument>('follow.json', FollowDocumentSchema),
  /** The last set-up by the initializer, where it was refused. */
  'refused-set-up': kind<RefusedSetUp>('refused_set_up.json', RefusedSetUpSchema),
  specification: kind<Specification>('specification.json', SpecificationSchema),
  'role-sessions': kind<Counter>('role_sessions.json', CounterSchema),
  /** The one task of a worker's place; its flow reads what is in it. */
  task: kind<TaskDocument>('task.json', TaskDocumentSchema),
  /** What a mission knows. */
  mission: { ...kind<MissionState>('mission.json', MissionStateSchema), decisions: MISSION_DECISIONS },
  'left-out-checks': kind<LeftOutChecks>(LEFT_OUT_FILE, LeftOutChecksSchema),
  'self-check': { ...kind<StoredCheck>('self_check.json', StoredCheckSchema), decisions: CHECK_DECISIONS },
} as const;

/** Plain texts for people. */
export const TEXTS = {
  escalation: 'escalation.md',
  conventions: 'conventions.md',
  /** What a mission shows of itself; a person may edit both. */
  queue: 'features.json',
  contract: 'validation-contract.md',
} as const;

/** Documents that come by the dozen, each under a name of its own. */
export const FOLDERS = [
  'accepted',
  'agent-processes',
  'autofix_pre_apply',
  'checkpoints',
  'debug',
  'gates',
  'generator',
  'hidden',
  'logs',
  'memory',
  'pictures',
  'planner',
  'requests',
  'roles',
  'screenshots',
  /** Sessions of a flow that made room for another task, each under its name. */
  'set_aside',
  'snapshots',
  'spec',
  'verdicts',
  'worktrees',
] as const;

export type DocumentName = keyof typeof CATALOGUE;
export type TextName = keyof typeof TEXTS;
export type FolderName = (typeof FOLDERS)[number];

function kind<Read, Written = Read>(
  file: string,
  schema: z.ZodType<Read>,
  migrate?: (value: unknown, at: Migrating) => unknown,
): Kind<Read, Written> {
  return { file, schema, ...(migrate === undefined ? {} : { migrate }) };
}

function upToDate(value: unknown, { where, onNewerState }: Migrating): unknown {
  const result = migrateState(value);
  if (result.status !== 'newer') return result.value;
  if (onNewerState === 'warn') return { ...(value as object), schema_version: 3 };
  throw usageError(
    `${where} was written by a newer harness (schema ${result.from}).`,
    'Upgrade the harness, or set compatibility.on_newer_state: warn to continue at your own risk.',
  );
}

function refuseNewer(value: unknown, { where }: Migrating): unknown {
  const version = typeof value === 'object' && value !== null && 'schema_version' in value ? value.schema_version : SESSION_SCHEMA_VERSION;
  if (typeof version !== 'number' || version <= SESSION_SCHEMA_VERSION) return value;
  throw usageError(
    `${where} was written by a newer harness (schema ${version}, this one knows ${SESSION_SCHEMA_VERSION}).`,
    'It is left as it is. Use that version, or finish the session with it.',
  );
}
