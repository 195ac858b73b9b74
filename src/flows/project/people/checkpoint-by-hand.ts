/** A way back, kept before something that a person does or says. */
import type { ProjectState } from '../../../domain/session.ts';
import { STATE_FILE } from '../../../kernel/documents/catalogue.ts';
import { checkpointSession, retireCheckpoints } from '../../../kernel/flight/checkpoints.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import type { Project } from '../project.ts';

/** `manual`: a person takes over; `pre_verification`: what a person built or saw is about to be recorded. */
export async function checkpointByHand(
  project: Project,
  state: Pick<ProjectState, 'last_session'>,
  start: { feature: number | null; reason: 'manual' | 'pre_verification' },
): Promise<void> {
  if ((await headOf(project)) === null) return;
  await checkpointSession(project, { session: state.last_session, copies: [STATE_FILE], ...start });
  await retireCheckpoints(project, []);
}
