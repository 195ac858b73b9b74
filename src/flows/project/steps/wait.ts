/** The pause between two sessions of a run whose agent has no allowance left, or cannot work at all. */
import type { Running } from '../machine/running.ts';
import type { Project } from '../project.ts';
import { limitBeyondHours } from './hours.ts';
import { sitOut } from './outage.ts';
import type { ProjectProgress } from './contract.ts';
import { mustHave } from '../../../domain/must-have.ts';
import { waitUntil } from '../../../kernel/wait-until.ts';

export async function wait(project: Project, { run }: Running): Promise<ProjectProgress> {
  const { outage, until } = mustHave(run.wait, 'this step is due only while the run waits');
  if (outage)
    return { event: { type: 'waited', outage: await sitOut(project, run.outage, mustHave(run.last, 'an outage ended a session')) } };
  const beyond = limitBeyondHours(project, until);
  if (beyond !== null) return { rest: beyond };
  await waitForAllowance(project, until);
  return { event: { type: 'waited', outage: null } };
}

/** The pause between two sessions of a run whose agent has no allowance left. */
const ASK_AGAIN_MS = 15 * 60_000;

/** Until the time that was named; where none was, or it is over, the agent is tried again after a while. */
async function waitForAllowance(project: Project, retryAt: number | null): Promise<void> {
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
