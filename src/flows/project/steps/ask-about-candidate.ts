/** A candidate of an earlier session waits for a person. */
import type { Running } from '../machine/running.ts';
import { isUnattended } from '../machine/run.ts';
import { decideCandidate } from '../people/pending.ts';
import { questionId } from '../../../gates/project-gates.ts';
import type { Project } from '../project.ts';
import { ended } from '../machine/run-report.ts';
import type { ProjectProgress } from './contract.ts';
import { mustHave } from '../../../domain/must-have.ts';

export async function askAboutCandidate(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  const pending = mustHave(state.pending, 'this step is due only while a candidate waits');
  const decided = await decideCandidate(project, state, pending);
  if (decided === null && isUnattended(run)) return { event: { type: 'done', changes: [], next: { kind: 'park' } } };
  if (decided === null) {
    const message = `your decision is needed on a change: harness gates, then harness answer ${questionId(pending.gate, pending.feature)} OPTION`;
    const report = { ...ended('needs_human', ['gate.pending'], message), session: pending.session, feature: pending.feature };
    return { event: { type: 'done', changes: [], next: { kind: 'end', report } } };
  }
  return {
    event: { type: 'done', changes: [decided.change], next: decided.accepted ? { kind: 'deciding', report: null } : { kind: 'again' } },
  };
}
