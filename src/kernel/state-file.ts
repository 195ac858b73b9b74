/**
 * `.harness/state.json`: the one session of the workflow or spec flow at a place.
 *
 * 1. A change of several fields is one write of the whole document: after a crash it is the old one or the new one.
 * 2. A change touches only the fields it names; defaults are never written back, unknown fields stay.
 * 3. A file that cannot be understood is never overwritten; one of a newer version is left alone.
 */
import { usageError } from '../domain/errors.ts';
import { HARNESS_VERSION } from '../domain/version.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import type { Documents } from './documents/documents.ts';
import { RecordedSessionSchema, SESSION_SCHEMA_VERSION, type Session } from './session-document.ts';
import type { SpecState, WorkflowDraft, WorkflowState, WorkflowV1State } from './session-schema.ts';

interface Ground {
  documents: Documents;
  platform: Pick<Platform, 'clock'>;
}

/** `writer` for commands that will write: a file that cannot be understood is then moved away. Either way exit 2. */
export async function readSession(documents: Documents, options: { writer: boolean }): Promise<Session> {
  return (await documents.read('session', options))?.session ?? { kind: 'none' };
}

/** Begins a session; one that was there is replaced. */
export async function createSession(place: Ground, fields: NewSession): Promise<void> {
  await write(place, { created_at: isoNow(place.platform.clock), ...fields });
}

/** The agent that a command named belongs to the session that it goes on with. */
export async function rememberAgent(place: Ground, agent: SpecState['agent']): Promise<void> {
  if (agent === null) return;
  const read = await place.documents.read('session', { writer: true });
  if (read === null || read.session.kind === 'other' || JSON.stringify(read.raw['agent']) === JSON.stringify(agent)) return;
  await write(place, { ...read.raw, agent });
}

/** What a session has to begin with; further fields come as they are found out. */
export type NewSession =
  | (Partial<WorkflowState> & { skill: 'workflow'; version: '2.0'; task: string })
  | (Partial<SpecState> & { skill: 'spec'; task: string; phase: SpecState['phase'] });

/** One write of all fields that change; gives the whole state after it. The last fields of a draft make it a workflow. */
export function changeWorkflow(place: Ground, change: Partial<WorkflowState>): Promise<WorkflowState> {
  return applyChange(place, 'workflow-v2', change);
}

export function changeDraft(place: Ground, change: Partial<WorkflowDraft>): Promise<WorkflowDraft> {
  return applyChange(place, 'workflow-draft', change);
}

export function changeWorkflowV1(place: Ground, change: Partial<WorkflowV1State>): Promise<WorkflowV1State> {
  return applyChange(place, 'workflow-v1', change);
}

export function changeSpec(place: Ground, change: Partial<SpecState>): Promise<SpecState> {
  return applyChange(place, 'spec', change);
}

type Kind = Extract<Session, { state: unknown }>['kind'];
type StateOf<K extends Kind> = Extract<Session, { kind: K; state: unknown }>['state'];

/** Checked before it is written: a document that could not be read again never reaches the disk. */
async function applyChange<K extends Kind>(place: Ground, kind: K, change: object): Promise<StateOf<K>> {
  const read = await place.documents.read('session', { writer: true });
  if (read === null)
    throw usageError(
      `The session file ${place.documents.where('session')} is gone.`,
      'Another command may have ended the session. Start it again.',
    );
  const next = { ...read.raw, ...change, updated_at: isoNow(place.platform.clock) };
  const { session } = RecordedSessionSchema.parse(next);
  if (session.kind === 'other' || session.kind !== kind) throw new Error(`a ${session.kind} session cannot be changed as ${kind}`);
  await write(place, next);
  return session.state as StateOf<K>;
}

async function write({ documents }: Ground, fields: object): Promise<void> {
  const { schema_version: _schema, harness_version: _version, ...rest } = fields as Record<string, unknown>;
  await documents.write('session', { schema_version: SESSION_SCHEMA_VERSION, harness_version: HARNESS_VERSION, ...rest });
}
