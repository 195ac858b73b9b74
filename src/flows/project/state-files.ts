/** The project's documents under `.harness/`: state, baseline, sizes, verdicts. Each is read and written whole. */
import { join } from 'node:path';
import { z } from 'zod';
import { usageError } from '../../domain/errors.ts';
import { BaselineSchema, ProjectStateSchema, type Baseline, type ProjectState } from '../../domain/session.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { isoNow, type Platform } from '../../platform/platform.ts';
import { readDocument, writeDocument } from '../../store/document.ts';
import { migrateState } from '../../store/migrations.ts';
import type { SessionRecord } from '../../journal/session-record.ts';
import type { Ending, Settlement, Transition } from './machine-settlement.ts';
import { initialState, transition, type ProjectEvent } from './machine.ts';
import type { Project } from './project.ts';
import { checkObjects, type NamedObject } from '../../kernel/check-objects.ts';

export interface FileSizes {
  schema_version: number;
  harness_version: string;
  session: number;
  /** The tree that was measured. */
  tree?: string;
  files: Record<string, { lines: number; session_added: number; lines_at_start: number }>;
}

const SizesSchema = z.looseObject({
  schema_version: z.number().int(),
  harness_version: z.string(),
  session: z.number().int(),
  tree: z.string().optional(),
  files: z.record(z.string(), z.object({ lines: z.number().int(), session_added: z.number().int(), lines_at_start: z.number().int() })),
});

export const STATE_FILE = 'session_state.json';
export const BASELINE_FILE = 'test_baseline.json';
export const SIZES_FILE = 'file_sizes.json';

type Reader = Pick<Project, 'platform' | 'stateDir' | 'config'>;

/** `writer`: this command will write the state, so an unreadable document may be set aside. */
export async function readState(project: Reader, options: { writer: boolean }): Promise<ProjectState> {
  return await readStateAt(project, join(project.stateDir, STATE_FILE), options);
}

export async function readStateAt(project: Reader, path: string, options: { writer: boolean }): Promise<ProjectState> {
  const state = await readDocument(project.platform, path, ProjectStateSchema, {
    setAside: options.writer,
    migrate: (value) => upToDate(project, path, value),
  });
  return state ?? initialState(HARNESS_VERSION, isoNow(project.platform.clock));
}

function upToDate(project: Reader, path: string, value: unknown): unknown {
  const result = migrateState(value);
  if (result.status === 'newer') {
    if (project.config.compatibility.on_newer_state === 'warn') return { ...(value as object), schema_version: 3 };
    throw usageError(
      `${path} was written by a newer harness (schema ${result.from}).`,
      'Upgrade the harness, or set compatibility.on_newer_state: warn to go on at your own risk.',
    );
  }
  return result.value;
}

/** Exit 2 where the document names commits or trees that the repository does not hold. */
export async function checkStateObjects(project: Pick<Project, 'platform' | 'home' | 'stateDir'>, state: ProjectState): Promise<void> {
  const { flight, pending, wip } = state;
  const named: NamedObject[] = [
    { field: 'flight.base', value: flight?.base ?? null, kind: 'commit' },
    { field: 'flight.tree', value: flight?.tree ?? null, kind: 'tree' },
    { field: 'flight.commit', value: flight?.commit ?? null, kind: 'commit' },
    { field: 'pending.base', value: pending?.base ?? null, kind: 'commit' },
    { field: 'pending.tree', value: pending?.tree ?? null, kind: 'tree' },
    { field: 'wip.tree', value: wip?.tree ?? null, kind: 'tree' },
  ];
  const part = (field: string): string => field.split('.')[0]!;
  const file = join(project.stateDir, STATE_FILE);
  for (const entry of named)
    await checkObjects(
      project.platform,
      project.home,
      file,
      [entry],
      `Put back what stood there, or set ${part(entry.field)} to null to go on without it.`,
    );
}

export async function step(project: Project, state: ProjectState, event: ProjectEvent): Promise<Transition> {
  const next = transition(state, event, project.rules, isoNow(project.platform.clock));
  await writeState(project.platform, project.stateDir, next.state);
  return next;
}

/** The end of a session: the record is in the state until the journal has it, so that a crash loses and doubles nothing. */
export async function settle(
  project: Project,
  state: ProjectState,
  ending: Ending,
  recordOf: (settlement: Settlement) => SessionRecord,
): Promise<{ state: ProjectState; settlement: Settlement }> {
  const { state: next, settlement } = transition(state, { type: 'settled', ending }, project.rules, isoNow(project.platform.clock));
  const record = recordOf(settlement!);
  const settled = { ...next, last_record: record };
  await writeState(project.platform, project.stateDir, settled);
  project.journal?.session(record);
  return { state: settled, settlement: settlement! };
}

export async function writeState(platform: Platform, stateDir: string, state: ProjectState): Promise<void> {
  await writeDocument(platform, join(stateDir, STATE_FILE), { ...state, harness_version: HARNESS_VERSION });
}

export function readBaseline(project: Reader, options: { writer: boolean }): Promise<Baseline | null> {
  return readDocument(project.platform, join(project.stateDir, BASELINE_FILE), BaselineSchema, { setAside: options.writer });
}

export async function writeBaseline(
  project: Reader,
  baseline: Omit<Baseline, 'schema_version' | 'harness_version' | 'timestamp'>,
): Promise<void> {
  const document: Baseline = {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    timestamp: isoNow(project.platform.clock),
    ...baseline,
  } as Baseline;
  await writeDocument(project.platform, join(project.stateDir, BASELINE_FILE), document);
}

export function readSizes(project: Reader): Promise<FileSizes | null> {
  return readDocument(project.platform, join(project.stateDir, SIZES_FILE), SizesSchema, { setAside: false });
}

export async function writeSizes(project: Reader, measured: Pick<FileSizes, 'session' | 'tree' | 'files'>): Promise<void> {
  await writeDocument(project.platform, join(project.stateDir, SIZES_FILE), {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    ...measured,
  } as FileSizes);
}
