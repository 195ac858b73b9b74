/**
 * `logging.retention_days`: old entries of the logs go when a command that writes begins.
 *
 * 1. Called by the holder of the lock, before the journal is opened.
 * 2. Entries of the last session and of role sessions that nobody has settled stay: what they had spent is read from them.
 * 3. Pruning is housekeeping: where it does not succeed, the command goes on and the next one tries again.
 */
import { join } from 'node:path';
import { pruneJournal } from '../journal/retention.ts';
import { readCosts } from './books/costs-file.ts';

type Ground = Parameters<typeof readCosts>[0];

export async function pruneLogs(ground: Ground): Promise<void> {
  try {
    const { running = [] } = await readCosts(ground, { writer: false });
    const text = await ground.platform.files.readTextIfExists(join(ground.stateDir, 'session_state.json'));
    const { last_session: last } = (text === null ? {} : JSON.parse(text)) as { last_session?: unknown };
    const underWay = new Set(running.map((session) => session.session_id));
    if (typeof last === 'number') underWay.add(last);
    await pruneJournal(ground.platform, join(ground.stateDir, 'logs'), {
      retentionDays: ground.config.logging.retention_days,
      underWay,
    });
  } catch {
    return;
  }
}
