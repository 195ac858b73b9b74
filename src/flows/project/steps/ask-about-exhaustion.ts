/** Nothing is left but what was set aside or waits for it. */
import { escalatedAs, raise } from '../people/escalate.ts';
import type { Running } from '../machine/running.ts';
import type { Project } from '../project.ts';
import { ended } from '../machine/run-report.ts';
import type { ProjectProgress } from './contract.ts';
import { follow } from './follow.ts';

export async function askAboutExhaustion(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  if (run.plan?.is.kind !== 'exhausted') throw new Error('nothing is exhausted');
  const { skipped, blocked } = run.plan.is.detail;
  const waiting = blocked.map((entry) => `#${entry.feature} waits for ${entry.waits_for.map((id) => `#${id}`).join(', ')}`);
  const message = [
    'nothing is left that can be worked on.',
    skipped.length > 0 ? `Set aside: ${skipped.map((id) => `#${id}`).join(', ')}.` : '',
    waiting.length > 0 ? `Blocked: ${waiting.slice(0, 10).join('; ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
  const report = ended('escalated', ['features.exhausted'], message);
  const escalated = escalatedAs('project.exhausted', { skipped, blocked: blocked.map((entry) => entry.feature), waits: waiting }, message);
  const end = { kind: 'end' as const, report };
  return await follow(project, state, {
    escalated,
    answer: await raise(project, escalated, { findings: [], asker: project.asker }),
    report,
    pending: end,
    goOn: { kind: 'again' },
  });
}
