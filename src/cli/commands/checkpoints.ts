/** `harness checkpoints`: the points the project can return to, newest first. */
import { EXIT } from '../../domain/reasons.ts';
import { listCheckpoints } from '../../workspace/checkpoint.ts';
import type { Command } from '../command.ts';

export const run: Command = async ({ platform, stateDir, output }) => {
  const { checkpoints, unreadable } = await listCheckpoints(platform, stateDir);
  const rows = checkpoints.map(
    (entry) =>
      `${entry.id}  ${entry.timestamp.slice(0, 19).replace('T', ' ')}  session ${entry.session}${entry.feature === null ? '' : `, feature #${entry.feature}`}  ${entry.git_ref.slice(0, 10)}  ${entry.reason}`,
  );
  const text = [
    ...(rows.length === 0 ? ['No checkpoint was made here yet.'] : [...rows, 'Return to one with: harness rollback ID']),
    ...unreadable.map((name) => `${name} cannot be read`),
  ].join('\n');
  const value = checkpoints.map(({ id, timestamp, session, feature, reason, git_ref, branch, snapshot_ref }) => ({
    id,
    timestamp,
    session,
    feature,
    reason,
    git_ref,
    branch,
    snapshot_ref,
  }));
  output.object({ checkpoints: value, unreadable }, text);
  return { exitCode: EXIT.done };
};
