/** Nothing goes on without a person unless verification holds in the project's own test set-up. */
import type { Running } from '../machine/run.ts';
import type { Project } from '../project.ts';
import { ended } from '../machine/run-report.ts';
import { readTrusted } from '../list/trusted.ts';
import { guardUnattended } from './unattended.ts';
import type { ProjectProgress } from './contract.ts';

export async function guard(project: Project, { project: state }: Running): Promise<ProjectProgress> {
  const { loaded, head } = await readTrusted(project, state);
  const refused = await guardUnattended(project, { features: loaded.list.features, tree: head.tree }, project);
  return refused === null ? { event: { type: 'guarded' } } : { rest: ended(refused.outcome, refused.reasons, refused.message) };
}
