/** The pause between two sessions of a run whose agent has no allowance left, or cannot work at all. */
import type { Running } from '../machine/run.ts';
import type { Project } from '../project.ts';
import { sitOut } from './outage.ts';
import { waitForAllowance } from './wait-for-allowance.ts';
import type { ProjectProgress } from './contract.ts';

export async function wait(project: Project, { run }: Running): Promise<ProjectProgress> {
  if (run.wait!.outage) return { event: { type: 'waited', outage: await sitOut(project, run.outage, run.last!) } };
  await waitForAllowance(project, run.wait!.until);
  return { event: { type: 'waited', outage: null } };
}
