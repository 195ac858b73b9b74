/** The project's documents under `.harness/`: state, baseline, sizes, verdicts. Each is read and written whole. */
import { join } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import { ProjectStateSchema, type ProjectState } from '../../domain/session.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { isoNow, type Platform } from '../../platform/platform.ts';
import { readDocument, writeDocument } from '../../store/document.ts';
import { migrateState } from '../../store/migrations.ts';
import type { Transition } from './machine/settlement.ts';
import { waitingEntries } from './machine/parked.ts';
import { initialState, transition, type ProjectEvent } from './machine/document.ts';
import type { Project } from './project.ts';
import { checkObjects, type NamedObject } from '../../kernel/check-objects.ts';

export const STATE_FILE = 'session_state.json';

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
  const { flight, wip, shelved } = state;
  const candidates = waitingEntries(state).flatMap(({ pending }) => (pending === null ? [] : [pending]));
  const place = (pending: (typeof candidates)[number]): string => (pending === state.pending ? 'pending' : 'parked');
  const named: NamedObject[] = [
    { field: 'flight.base', value: flight?.base ?? null, kind: 'commit' },
    { field: 'flight.tree', value: flight?.tree ?? null, kind: 'tree' },
    { field: 'flight.commit', value: flight?.commit ?? null, kind: 'commit' },
    ...candidates.map((pending): NamedObject => ({ field: `${place(pending)}.base`, value: pending.base, kind: 'commit' })),
    ...candidates.map((pending): NamedObject => ({ field: `${place(pending)}.tree`, value: pending.tree, kind: 'tree' })),
    { field: 'wip.tree', value: wip?.tree ?? null, kind: 'tree' },
    ...shelved.map((kept): NamedObject => ({ field: 'shelved.tree', value: kept.tree, kind: 'tree' })),
  ];
  const part = (field: string): string => field.split('.')[0]!;
  const file = join(project.stateDir, STATE_FILE);
  for (const entry of named)
    await checkObjects(
      project.platform,
      project.home,
      file,
      [entry],
      `Put back what stood there, or ${REMEDY[part(entry.field)] ?? `set ${part(entry.field)} to null`} to go on without it.`,
    );
}

const REMEDY: Readonly<Record<string, string>> = {
  parked: 'take that entry out of parked',
  shelved: 'take that entry out of shelved',
};

export async function step(project: Project, state: ProjectState, event: ProjectEvent): Promise<Transition> {
  const next = transition(state, event, project.rules, isoNow(project.platform.clock));
  await writeState(project.platform, project.stateDir, next.state);
  return next;
}

/** Several changes as one write. */
export async function stepAll(project: Project, state: ProjectState, events: readonly ProjectEvent[]): Promise<ProjectState> {
  if (events.length === 0) return state;
  const now = isoNow(project.platform.clock);
  const next = events.reduce((document, event) => transition(document, event, project.rules, now).state, state);
  await writeState(project.platform, project.stateDir, next);
  return next;
}

export async function writeState(platform: Platform, stateDir: string, state: ProjectState): Promise<void> {
  await writeDocument(platform, join(stateDir, STATE_FILE), { ...state, harness_version: HARNESS_VERSION });
}
