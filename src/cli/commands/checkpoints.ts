/** `harness checkpoints`: the points the project can return to, newest first. */
import { counted } from '../../domain/counted.ts';
import { EXIT } from '../../domain/reasons.ts';
import { listCheckpoints } from '../../workspace/checkpoint.ts';
import type { Command } from '../command.ts';

const REASONS: Readonly<Record<string, string>> = {
  pre_feature: 'before a feature',
  pre_cleanup: 'before a cleanup',
  pre_repair: 'before a repair',
  pre_verification: 'before the word of a person was recorded',
  manual: 'before a person took over',
};

export const run: Command = async ({ platform, store, output }) => {
  const age = (timestamp: string): string => howLongAgo(platform.clock.now() - Date.parse(timestamp));
  const { checkpoints, unreadable } = await listCheckpoints(store);
  const rows = checkpoints.map(
    (entry) =>
      `${entry.id}  ${entry.timestamp.slice(0, 19).replace('T', ' ')}  session ${entry.session}${entry.feature === null ? '' : `, feature #${entry.feature}`}  ${entry.git_ref.slice(0, 10)}  ${REASONS[entry.reason] ?? entry.reason}, ${age(entry.timestamp)}`,
  );
  const text = [
    ...(rows.length === 0 ? ['No checkpoint was made here yet.'] : [...rows, 'Return to one with: harness rollback ID']),
    ...unreadable.map((name) => `${name} cannot be read`),
  ].join('\n');
  const value = checkpoints.map(({ id, timestamp, session, feature, reason, git_ref, branch, snapshot_ref }) => ({
    id,
    timestamp,
    age_seconds: Math.max(0, Math.round((platform.clock.now() - Date.parse(timestamp)) / 1000)),
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

function howLongAgo(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${counted(minutes, 'minute')} ago`;
  return minutes < 48 * 60 ? `${counted(Math.floor(minutes / 60), 'hour')} ago` : `${counted(Math.floor(minutes / 1440), 'day')} ago`;
}
