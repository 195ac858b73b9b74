/** The pause between two sessions of a run whose agent has no allowance left. */
import { waitUntil } from '../../../kernel/wait-until.ts';
import type { Project } from '../project.ts';

const ASK_AGAIN_MS = 15 * 60_000;

/** Until the time that was named; where none was, or it is over, the agent is tried again after a while. */
export async function waitForAllowance(project: Project, retryAt: number | null): Promise<void> {
  const now = project.platform.clock.now();
  const until = retryAt !== null && retryAt > now ? retryAt : now + ASK_AGAIN_MS;
  project.emit({
    type: 'session.limit',
    session: 0,
    kind: 'usage',
    level: 'warn',
    message: 'waiting before the next session, because the usage limit is reached',
    until: new Date(until).toISOString(),
  });
  await waitUntil(project, until);
}
