/** The project's state: read, stepped on by the machine, and written whole. */
import type { ProjectState } from '../../domain/session.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { checkObjects, type NamedObject } from '../../kernel/check-objects.ts';
import { flightsOf } from './machine/lanes.ts';
import { initialState, transition, type ProjectEvent } from './machine/document.ts';
import { waitingEntries } from './machine/parked.ts';
import type { Transition } from './machine/settlement.ts';
import type { Project } from './project.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

/** `writer`: this command will write the state, so an unreadable document may be set aside. */
export async function readState(project: Pick<Project, 'documents' | 'now'>, options: { writer: boolean }): Promise<ProjectState> {
  return (await project.documents.read('state', options)) ?? initialState(HARNESS_VERSION, project.now());
}

/** Exit 2 where the document names commits or trees that the repository does not hold. */
export async function checkStateObjects(project: Pick<Project, 'platform' | 'home' | 'documents'>, state: ProjectState): Promise<void> {
  const { wip, shelved } = state;
  const candidates = waitingEntries(state).flatMap(({ pending }) => (pending === null ? [] : [pending]));
  const place = (pending: (typeof candidates)[number]): string => (pending === state.pending ? 'pending' : 'parked');
  const named: NamedObject[] = [
    ...flightsOf(state).flatMap((flight): NamedObject[] => {
      const place = flight === state.flight ? 'flight' : 'beside';
      return [
        { field: `${place}.base`, value: flight.base, kind: 'commit' },
        { field: `${place}.tree`, value: flight.tree, kind: 'tree' },
        { field: `${place}.commit`, value: flight.commit, kind: 'commit' },
      ];
    }),
    ...candidates.map((pending): NamedObject => ({ field: `${place(pending)}.base`, value: pending.base, kind: 'commit' })),
    ...candidates.map((pending): NamedObject => ({ field: `${place(pending)}.tree`, value: pending.tree, kind: 'tree' })),
    { field: 'wip.tree', value: wip?.tree ?? null, kind: 'tree' },
    ...shelved.map((kept): NamedObject => ({ field: 'shelved.tree', value: kept.tree, kind: 'tree' })),
  ];
  const part = (field: string): string => beforeFirst(field, '.');
  for (const entry of named)
    await checkObjects(
      project,
      'state',
      [entry],
      `Put back what stood there, or ${REMEDY[part(entry.field)] ?? `set ${part(entry.field)} to null`} to go on without it.`,
    );
}

const REMEDY: Readonly<Record<string, string>> = {
  beside: 'take that entry out of beside',
  parked: 'take that entry out of parked',
  shelved: 'take that entry out of shelved',
};

export async function step(project: Project, state: ProjectState, event: ProjectEvent): Promise<Transition> {
  const next = transition(state, event, project.rules, project.now());
  await project.documents.write('state', next.state);
  return next;
}

/** Several changes as one write. */
export async function stepAll(project: Project, state: ProjectState, events: readonly ProjectEvent[]): Promise<ProjectState> {
  if (events.length === 0) return state;
  const now = project.now();
  const next = events.reduce((document, event) => transition(document, event, project.rules, now).state, state);
  await project.documents.write('state', next);
  return next;
}
