/**
 * What other processes have asked for, taken up between sessions by the one that holds the project.
 *
 * 1. Not while a flight is under way: a commit to the list would move its base.
 * 2. Each can be taken up again after a crash. One that cannot be carried out is told and dropped.
 */
import { HarnessError } from '../../../domain/errors.ts';
import type { ProjectState } from '../../../domain/session.ts';
import type { Request, Wish } from '../../../kernel/documents/requests.ts';
import { addFeature } from '../people/add-feature.ts';
import type { ProjectEvent } from '../machine/document.ts';
import type { Running } from '../machine/running.ts';
import { flightsOf } from '../machine/lanes.ts';
import { overrideFeature } from '../people/override.ts';
import type { Project } from '../project.ts';
import { skipFeature } from '../people/skip.ts';
import type { ProjectProgress } from './contract.ts';

export async function takeUp(project: Project, { project: state }: Running): Promise<ProjectProgress | null> {
  if (flightsOf(state).length > 0 || state.rollback !== null) return null;
  const request = (await project.documents.requests.waiting()).find(({ wish }) => !['pause', 'stop', 'grant', 'say'].includes(wish.kind));
  if (request === undefined) return null;
  return { event: { type: 'taken.up', request: request.id, changes: await changesOf(project, state, request) } };
}

async function changesOf(project: Project, state: ProjectState, { wish, asked_at }: Request): Promise<ProjectEvent[]> {
  try {
    return await carryOut(project, state, wish);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    project.emit({ type: 'warning', message: `What was asked for at ${asked_at} (harness ${wish.kind}) cannot be done: ${error.message}` });
    return [];
  }
}

async function carryOut(project: Project, state: ProjectState, wish: Wish): Promise<ProjectEvent[]> {
  switch (wish.kind) {
    case 'skip':
      return (await skipFeature(project, state, wish)).changes;
    case 'override':
      return (await overrideFeature(project, state, wish)).changes;
    case 'add-feature':
      await addFeature(project, state, wish);
      return [];
    case 'grant':
    case 'pause':
    case 'say':
    case 'stop':
      return [];
  }
}
