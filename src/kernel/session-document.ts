/** `.harness/state.json` understood: which flow a session belongs to, and its state; or what is wrong with it. Pure. */
import { z } from '../domain/zod.ts';
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

export const SESSION_SCHEMA_VERSION = 1;

export type Session =
  | { kind: 'none' }
  /** Setup was not finished: no phase yet. */
  | { kind: 'workflow-draft'; state: WorkflowDraft }
  | { kind: 'workflow-v2'; state: WorkflowState }
  | { kind: 'workflow-v1'; state: WorkflowV1State }
  | { kind: 'spec'; state: SpecState }
  | { kind: 'other'; skill: string };

export interface RecordedSession {
  /** Every field, also those that this version does not know. */
  raw: Record<string, unknown>;
  session: Exclude<Session, { kind: 'none' }>;
}

/** The document as it stands and as it is understood. */
export const RecordedSessionSchema = z.looseObject({ skill: z.string().optional() }).transform((raw, context) => {
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
