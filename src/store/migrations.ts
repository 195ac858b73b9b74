/**
 * Migrations of `session_state.json`, as functions over JSON values.
 *
 * 1. A step goes from one schema to the next and keeps every field that it does not know.
 * 2. A value without `schema_version` is of schema 1.
 * 3. A value of a newer schema is left as it is.
 */
import { STATE_SCHEMA_VERSION } from '../domain/session.ts';

export type Migration =
  | { status: 'current'; value: unknown; from: number; to: number }
  | { status: 'migrated'; value: Record<string, unknown>; from: number; to: number }
  | { status: 'newer'; value: unknown; from: number; to: number }
  | { status: 'invalid'; value: unknown; from: null; to: number };

type Step = (state: Record<string, unknown>) => Record<string, unknown>;

export function migrateState(value: unknown): Migration {
  const from = stateSchemaOf(value);
  const to = STATE_SCHEMA_VERSION;
  if (from === null || !isRecord(value)) return { status: 'invalid', value, from: null, to };
  if (from > to) return { status: 'newer', value, from, to };
  if (from === to) return { status: 'current', value, from, to };
  let state = value;
  for (const step of STEPS.slice(from - 1)) state = step(state);
  return { status: 'migrated', value: state, from, to };
}

/** `null` when the value is no state document at all. */
export function stateSchemaOf(value: unknown): number | null {
  if (!isRecord(value)) return null;
  const version = value['schema_version'] ?? 1;
  return typeof version === 'number' && Number.isInteger(version) && version >= 1 ? version : null;
}

/** The step at index n leads from schema n + 1 to n + 2. */
const STEPS: readonly Step[] = [
  // The baseline of passing tests became a document of its own; stuck sessions are counted.
  (state) => ({ stuck_count: 0, ...state, harness_version: state['harness_version'] ?? 'unknown', schema_version: 2 }),
  // Sessions that ran out of time are counted.
  (state) => ({ timeout_count: 0, ...state, harness_version: state['harness_version'] ?? 'unknown', schema_version: 3 }),
];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
