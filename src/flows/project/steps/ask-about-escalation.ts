/** Sessions do not go on before an escalation is answered. */
import { askAgain, idOf, keepEscalation } from '../people/escalate.ts';
import { canPark } from '../machine/parked.ts';
import type { Running } from '../machine/running.ts';
import { isUnattended } from '../machine/run.ts';
import type { Project } from '../project.ts';
import { ended } from '../machine/run-report.ts';
import type { ProjectProgress } from './contract.ts';
import { follow } from './follow.ts';
import { mustHave } from '../../../domain/must-have.ts';

export async function askAboutEscalation(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  const escalated = mustHave(state.escalation, 'this step is due only at an escalation');
  const { feature } = escalated;
  const waits = `${escalated.message} Decide with: harness answer ${idOf(escalated)} OPTION`;
  const asked = escalated.gate === 'project.large-feature' ? ended('needs_human', ['gate.pending'], waits) : ended('escalated', [], waits);
  const report = { ...asked, feature };
  const answer = await askAgain(escalated, project.asker);
  if (answer === 'pending') await keepEscalation(project, escalated);
  return await follow(project, state, {
    escalated,
    answer,
    report,
    stopped: { ...ended('partial', ['user_pause'], ''), feature },
    left: { ...ended('escalated', [], ''), feature },
    pending: isUnattended(run) && canPark(state) ? { kind: 'park' } : { kind: 'end', report },
    goOn: { kind: 'again' },
  });
}
