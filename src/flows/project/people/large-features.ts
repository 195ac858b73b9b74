/** Features that seldom fit one session: asked about once, one after the other, when their list comes in. */
import type { ProjectState } from '../../../domain/session.ts';
import type { Asker } from './asker.ts';
import { carryOut, largeFeatureEscalation, type LargeFeature } from './carry-out.ts';
import { raise } from './escalate.ts';
import type { LoadedList, Project } from '../project.ts';
import { readState, step, stepAll } from '../state-files.ts';

/** The gate that waits for an answer, or null. What is not answered now is asked again by the next run. */
export async function askAboutLargeFeatures(project: Project, loaded: LoadedList, asker: Asker): Promise<string | null> {
  const escalation = largeFeatureEscalation(largeFeatures(project, loaded));
  if (escalation === null) return null;
  let state: ProjectState = (await step(project, await readState(project, { writer: true }), { type: 'escalated', escalation })).state;
  while (state.escalation !== null) {
    const answer = await raise(project, state.escalation, [], asker);
    if (answer === 'pending') return state.escalation.gate;
    const followed = await carryOut(project, state, state.escalation, answer);
    if (followed.kind === 'aborted') return null;
    if (followed.kind === 'stop' || followed.kind === 'kept') project.emit({ type: 'progress', message: followed.message });
    if ('changes' in followed) state = await stepAll(project, state, followed.changes);
    if (followed.kind !== 'go_on') return null;
  }
  return null;
}

function largeFeatures(project: Project, loaded: LoadedList): LargeFeature[] {
  const limit = project.config.features.max_verification_steps;
  return loaded.list.features
    .map((feature) => ({ feature: feature.id, steps: feature.verification_steps?.length ?? 0, limit }))
    .filter((entry) => entry.steps > limit);
}
