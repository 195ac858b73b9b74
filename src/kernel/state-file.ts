/**
 * `.harness/state.json`: the one session of the workflow or spec flow in a directory.
 *
 * 1. A change of several fields is one write of the whole document: after a crash it is the old one or the new one.
 * 2. A change touches only the fields it names; defaults are never written back, unknown fields stay.
 * 3. A file that cannot be understood is never overwritten; one of a newer version is left alone.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { usageError } from '../domain/errors.ts';
import { HARNESS_VERSION } from '../domain/version.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { readDocument, writeDocument } from '../store/document.ts';
import {
  SpecSchema,
  WorkflowDraftSchema,
  WorkflowSchema,
  WorkflowV1Schema,
  type SpecState,
  type WorkflowDraft,
  type WorkflowState,
  type WorkflowV1State,
} from './session-schema.ts';

const SCHEMA_VERSION = 1;

export type Session =
  | { kind: 'none' }
  /** Setup was not finished: no phase yet. */
  | { kind: 'workflow-draft'; state: WorkflowDraft }
  | { kind: 'workflow-v2'; state: WorkflowState }
  | { kind: 'workflow-v1'; state: WorkflowV1State }
  | { kind: 'spec'; state: SpecState }
  | { kind: 'other'; skill: string };

/** `setAside` for commands that will write: a file that cannot be understood is then moved away. Either way exit 2. */
export async function readSession(platform: Platform, stateDir: string, options: { setAside: boolean }): Promise<Session> {
  const path = stateFilePath(stateDir);
  const read = await readDocument(platform, path, SessionSchema, { ...options, migrate: (value) => refuseNewer(path, value) });
  return read?.session ?? { kind: 'none' };
}

/** Begins a session; one that was there is replaced. */
export async function createSession(platform: Platform, stateDir: string, fields: NewSession): Promise<void> {
  await platform.files.mkdir(stateDir);
  await write(platform, stateDir, { created_at: isoNow(platform.clock), ...fields });
}

/** The agent that a command named belongs to the session that it goes on with. */
export async function rememberAgent(platform: Platform, stateDir: string, agent: SpecState['agent']): Promise<void> {
  if (agent === null) return;
  const path = stateFilePath(stateDir);
  const read = await readDocument(platform, path, SessionSchema, { setAside: true, migrate: (value) => refuseNewer(path, value) });
  if (read === null || read.session.kind === 'other' || JSON.stringify(read.raw['agent']) === JSON.stringify(agent)) return;
  await write(platform, stateDir, { ...read.raw, agent });
}

/** What a session has to begin with; further fields come as they are found out. */
export type NewSession =
  | (Partial<WorkflowState> & { skill: 'workflow'; version: '2.0'; task: string })
  | (Partial<SpecState> & { skill: 'spec'; task: string; phase: SpecState['phase'] });

/** One write of all fields that change; gives the whole state after it. The last fields of a draft make it a workflow. */
export function changeWorkflow(platform: Platform, stateDir: string, change: Partial<WorkflowState>): Promise<WorkflowState> {
  return applyChange(platform, stateDir, 'workflow-v2', change);
}

export function changeDraft(platform: Platform, stateDir: string, change: Partial<WorkflowDraft>): Promise<WorkflowDraft> {
  return applyChange(platform, stateDir, 'workflow-draft', change);
}

export function changeWorkflowV1(platform: Platform, stateDir: string, change: Partial<WorkflowV1State>): Promise<WorkflowV1State> {
  return applyChange(platform, stateDir, 'workflow-v1', change);
}

export function changeSpec(platform: Platform, stateDir: string, change: Partial<SpecState>): Promise<SpecState> {
  return applyChange(platform, stateDir, 'spec', change);
}

export function stateFilePath(stateDir: string): string {
  return join(stateDir, 'state.json');
}

type Kind = Extract<Session, { state: unknown }>['kind'];
type StateOf<K extends Kind> = Extract<Session, { kind: K; state: unknown }>['state'];

/** Checked before it is written: a document that could not be read again never reaches the disk. */
async function applyChange<K extends Kind>(platform: Platform, stateDir: string, kind: K, change: object): Promise<StateOf<K>> {
  const path = stateFilePath(stateDir);
  const read = await readDocument(platform, path, SessionSchema, { setAside: true, migrate: (value) => refuseNewer(path, value) });
  if (read === null) throw usageError(`The session file ${path} is gone.`, 'Another command may have ended the session. Start it again.');
  const next = { ...read.raw, ...change, updated_at: isoNow(platform.clock) };
  const session = SessionSchema.parse(next).session;
  if (session.kind === 'other' || session.kind !== kind) throw new Error(`a ${session.kind} session cannot be changed as ${kind}`);
  await write(platform, stateDir, next);
  return session.state as StateOf<K>;
}

async function write(platform: Platform, stateDir: string, fields: object): Promise<void> {
  const { schema_version: _schema, harness_version: _version, ...rest } = fields as Record<string, unknown>;
  await writeDocument(platform, stateFilePath(stateDir), { schema_version: SCHEMA_VERSION, harness_version: HARNESS_VERSION, ...rest });
}

const SessionSchema = z.looseObject({ skill: z.string().optional() }).transform((raw, context) => {
  const session = sortSession(raw);
  if (!('issues' in session)) return { raw: raw as Record<string, unknown>, session };
  for (const issue of session.issues) context.issues.push({ code: 'custom', message: issue.message, path: [...issue.path], input: raw });
  return z.NEVER;
});

/** Which flow the document belongs to, and its state; or what is wrong with it. */
function sortSession(raw: Record<string, unknown>): Exclude<Session, { kind: 'none' }> | { issues: z.core.$ZodIssue[] } {
  const { skill } = raw;
  if (skill === 'spec') return sorted('spec', SpecSchema.safeParse(raw));
  if (typeof skill === 'string' && skill !== 'workflow') return { kind: 'other', skill };
  if (raw['version'] === undefined) return sorted('workflow-v1', WorkflowV1Schema.safeParse(raw));
  if ((raw['phase'] ?? null) === null) return sorted('workflow-draft', WorkflowDraftSchema.safeParse(raw));
  return sorted('workflow-v2', WorkflowSchema.safeParse(raw));
}

function sorted<Kind extends string, State>(
  kind: Kind,
  parsed: z.ZodSafeParseResult<State>,
): { kind: Kind; state: State } | { issues: z.core.$ZodIssue[] } {
  return parsed.success ? { kind, state: parsed.data } : { issues: parsed.error.issues };
}

function refuseNewer(path: string, value: unknown): unknown {
  const version = typeof value === 'object' && value !== null && 'schema_version' in value ? value.schema_version : SCHEMA_VERSION;
  if (typeof version !== 'number' || version <= SCHEMA_VERSION) return value;
  throw usageError(
    `${path} was written by a newer harness (schema ${version}, this one knows ${SCHEMA_VERSION}).`,
    'It is left as it is. Use that version, or finish the session with it.',
  );
}
