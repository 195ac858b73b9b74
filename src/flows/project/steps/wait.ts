/** The pause between two sessions of a run whose agent has no allowance left, or cannot work at all. */
import type { Running } from '../machine/running.ts';
import type { Project } from '../project.ts';
import { limitBeyondHours } from './hours.ts';
import { sitOut } from './outage.ts';
import { waitForAllowance } from './wait-for-allowance.ts';
import type { ProjectProgress } from './contract.ts';

export async function wait(project: Project, { run }: Running): Promise<ProjectProgress> {
  if (run.wait!.outage) return { event: { type: 'waited', outage: await sitOut(project, run.outage, run.last!) } };
  const beyond = limitBeyondHours(project, run.wait!.until);
  if (beyond !== null) return { rest: beyond };
  await waitForAllowance(project, run.wait!.until);
  return { event: { type: 'waited', outage: null } };
}
