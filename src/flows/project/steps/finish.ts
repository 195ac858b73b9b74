/** All features pass: one last look at the whole before the project is called complete. */
import { finishProject } from './final-check.ts';
import { raise } from '../people/escalate.ts';
import type { Running } from '../machine/run.ts';
import type { Project } from '../project.ts';
import { closeConditions } from '../people/questions.ts';
import { ended } from '../machine/run-report.ts';
import { readTrusted } from '../list/trusted.ts';
import type { ProjectProgress } from './contract.ts';
import { follow } from './follow.ts';

export async function finish(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  const { loaded, head } = await readTrusted(project, state);
  const final = await finishProject(project, state, loaded, head);
  const about = { session: run.last?.session ?? null, feature: null, commit: run.last?.commit ?? null };
  if (final.kind === 'complete') await closeConditions(project);
  if (final.kind === 'complete')
    return {
      event: {
        type: 'done',
        changes: [{ type: 'completed' }],
        next: { kind: 'complete', report: { ...ended('complete', [], final.message), ...about } },
      },
    };
  const { escalation, findings } = final;
  const report = { ...ended('escalated', ['test.failed'], escalation.message), ...about };
  return await follow(project, state, {
    escalated: escalation,
    answer: await raise(project, escalation, findings, project.asker),
    changes: [{ type: 'escalated', escalation }],
    report,
    pending: { kind: 'end', report },
    goOn: { kind: 'again' },
  });
}
