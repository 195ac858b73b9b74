/** Work that is proved becomes a commit on its base, under the task's own ref; in breezing also a branch. Home's branch does not move. */
import { inPhase } from '../../../domain/must-have.ts';
import { cleanText } from '../../../domain/clean-text.ts';
import { HARNESS_VERSION } from '../../../domain/version.ts';
import { commitTask, moveTaskBranch } from '../../../kernel/flight/task-candidate.ts';
import type { CommitText } from '../../../kernel/flight/land-candidate.ts';
import type { TaskState } from '../machine/state.ts';
import type { Moved, WorkerPlace } from '../place.ts';
import { branchOf } from './examine.ts';
import { beforeFirst } from '../../../domain/text-parts.ts';

export async function commit(place: WorkerPlace, state: TaskState): Promise<Moved> {
  const made = await commitTask(place, { base: inPhase(state, 'base').commit, tree: inPhase(state, 'proof').tree }, commitText(state));
  return { event: { type: 'committed', commit: made } };
}

const LONGEST_SUBJECT = 72;

export function commitText({ input, proof }: TaskState): CommitText {
  const line = beforeFirst(cleanText(input.task).trim(), '\n').replace(/\s+/g, ' ');
  const subject = `${input.task_id}: ${line}`;
  const trailers = {
    'Harness-Task': input.task_id,
    'Harness-Verdict': proof?.verdict?.id ?? 'none',
    'Harness-Version': HARNESS_VERSION,
  };
  return { subject: subject.length <= LONGEST_SUBJECT ? subject : `${subject.slice(0, LONGEST_SUBJECT - 1).trimEnd()}…`, trailers };
}

/** A change request replaces the commit that it asked about; nothing else is ever replaced. */
export async function branch(place: WorkerPlace, state: TaskState): Promise<Moved> {
  if (state.input.mode !== 'breezing') return { event: { type: 'branched', branch: null } };
  const name = branchOf(state.input);
  const objection = await moveTaskBranch(place, { branch: name, from: state.amends, to: inPhase(state, 'commit') });
  if (objection !== null)
    return {
      event: { type: 'ended', status: 'escalated', reason: `${objection} The work is kept in commit ${inPhase(state, 'commit')}.` },
    };
  place.emit({ type: 'commit.created', session: state.session ?? 0, feature: null, commit: inPhase(state, 'commit'), branch: name });
  return { event: { type: 'branched', branch: name } };
}
