/** The pause between two sessions of a run whose agent has no allowance left. */
import type { Running } from '../machine/run.ts';
import type { Project } from '../project.ts';
import { waitForAllowance } from '../wait-for-allowance.ts';
import type { ProjectProgress } from './contract.ts';

export async function wait(project: Project, { run }: Running): Promise<ProjectProgress> {
  await waitForAllowance(project, run.wait!.until, project.signal);
  return { event: { type: 'waited' } };
}
