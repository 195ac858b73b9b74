/** The pause between two sessions of a run whose agent has no allowance left, or cannot work at all. */
import type { Running } from '../machine/running.ts';
import type { Project } from '../project.ts';
import { limitBeyondHours } from './hours.ts';
import { sitOut } from './outage.ts';
import { waitForAllowance } from './wait-for-allowance.ts';
import type { ProjectProgress } from './contract.ts';
import { mustHave } from '../../../domain/must-have.ts';

export async function wait(project: Project, { run }: Running): Promise<ProjectProgress> {
  const { outage, until } = mustHave(run.wait, 'this step is due only while the run waits');
  if (outage)
    return { event: { type: 'waited', outage: await sitOut(project, run.outage, mustHave(run.last, 'an outage ended a session')) } };
  const beyond = limitBeyondHours(project, until);
  if (beyond !== null) return { rest: beyond };
  await waitForAllowance(project, until);
  return { event: { type: 'waited', outage: null } };
}
