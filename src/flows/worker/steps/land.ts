/**
 * An approved task in solo reaches home's branch.
 *
 * 1. Exactly what was judged lands. Where home went on meanwhile, the work is put on top of it and judged there first.
 * 2. The project's lock is held while the branch moves, and not while anything is judged.
 * 3. Nothing of the user's is overwritten: what stands in the way is named.
 */
import { inPhase } from '../../../domain/must-have.ts';
import { HarnessError } from '../../../domain/errors.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { landCandidate } from '../../../kernel/flight/land-candidate.ts';
import { readVerdict } from '../../../kernel/flight/verdict-files.ts';
import { commitTask, mergeTask } from '../../../kernel/flight/task-candidate.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import type { TaskState } from '../machine/state.ts';
import type { Moved, WorkerPlace } from '../place.ts';
import { commitText } from './commit.ts';
import { proofOf } from './prove.ts';

export async function land(place: WorkerPlace, state: TaskState): Promise<Moved> {
  const head = await headOf(place);
  const base = inPhase(state, 'base');
  if (head === null || head.branch === '')
    throw new HarnessError('HEAD is detached, so there is no branch to land on.', {
      exitCode: EXIT.preflight,
      details: ['Switch to a branch (git switch NAME), then run again.'],
    });
  // A branch that stands there already may have been left by a process that died before the files followed.
  if (head.commit !== base.commit && head.commit !== state.commit) return await rebase(place, state, head);
  const verdict = await readVerdict(place, state.proof?.verdict?.id ?? '');
  const work = { branch: head.branch, base: base.commit, commit: inPhase(state, 'commit'), session: state.session ?? 0 };
  const landed = await place.project(() => landCandidate(place, { ...work, passing: verdict?.passing_tests ?? [] }));
  if (landed.kind === 'landed') return { event: { type: 'landed', branch: head.branch } };
  if (landed.kind === 'moved') return { event: { type: 'approved' } };
  throw new HarnessError(`Files of the working tree are in the way of landing the work: ${landed.paths}.`, {
    exitCode: EXIT.preflight,
    reasons: ['git.conflict'],
    details: ['Commit or move them away, then give the approval again.'],
  });
}

async function rebase(place: WorkerPlace, state: TaskState, head: NonNullable<Awaited<ReturnType<typeof headOf>>>): Promise<Moved> {
  const merged = await mergeTask(place, head.commit, inPhase(state, 'commit'));
  if (merged.kind === 'unsupported')
    throw new HarnessError(`The work cannot be put on top of ${head.branch}: ${merged.detail}`, {
      exitCode: EXIT.preflight,
      details: ['Git 2.38 or later can.'],
    });
  if (merged.kind === 'conflict')
    return {
      event: {
        type: 'landing.refused',
        reason: `${head.branch} has moved on, and the work conflicts with it in ${merged.paths.join(', ')}. Hand the task in again under another task_id.`,
      },
    };
  if (merged.tree === head.tree) return { event: { type: 'landed', branch: head.branch } };
  const proof = await proofOf(place, { ...state, tree: merged.tree }, { base: head, tree: merged.tree });
  const against = [
    ...proof.failures,
    ...proof.preflight.filter((item) => !item.ok).map((item) => item.evidence),
    ...(proof.broken === null ? [] : [proof.broken]),
  ];
  const open = proof.rules.filter((rule) => !rule.verified).map((rule) => `${rule.rule}: ${rule.evidence}`);
  if (against.length + open.length > 0)
    return {
      event: {
        type: 'landing.refused',
        reason: `${head.branch} has moved on, and on top of it the work is not proved: ${[...against, ...open].join('; ')}`,
      },
    };
  const commit = await commitTask(place, { base: head.commit, tree: merged.tree }, commitText({ ...state, proof }));
  return { event: { type: 'rebased', base: head, commit, proof } };
}
