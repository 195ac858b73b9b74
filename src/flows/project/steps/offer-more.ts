/** What may follow a finished project; asked only where someone is there to say. */
import { isChosen, projectGate } from '../../../gates/project-gates.ts';
import type { Running } from '../machine/running.ts';
import type { Project } from '../project.ts';
import { readTrusted } from '../list/trusted.ts';
import type { ProjectProgress } from './contract.ts';
import { mustHave } from '../../../domain/must-have.ts';

export async function offerMore(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  const report = mustHave(run.complete, 'this step is due only when the project is complete');
  const end: ProjectProgress = { event: { type: 'done', changes: [], next: { kind: 'end', report } } };
  if ((await project.asker.expects?.('project.complete')) !== true) return end;
  const { loaded } = await readTrusted(project, state);
  const answer = await project.asker.ask(projectGate('project.complete', { total: loaded.list.features.length }));
  if (answer === 'pending') return end;
  if (isChosen('project.complete', 'Maintenance mode', answer))
    return { event: { type: 'done', changes: [], next: { kind: 'end', report: { ...report, maintains: true } } } };
  if (isChosen('project.complete', 'Add features', answer))
    project.emit({ type: 'progress', message: 'Add one with: harness add-feature "what a user can do", then harness run' });
  return end;
}
