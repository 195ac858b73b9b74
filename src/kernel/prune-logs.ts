/**
 * `logging.retention_days`: old entries of the logs go when a command that writes begins.
 *
 * 1. Called by the holder of the lock, before the journal is opened.
 * 2. Entries of the last session and of role sessions that nobody has settled stay: what they had spent is read from them.
 * 3. Pruning is housekeeping: where it does not succeed, the command goes on and the next one tries again.
 */
import { pruneJournal } from '../journal/retention.ts';
import { readCosts } from './books/costs-file.ts';
import { localFolder } from './local-folder.ts';
import type { Place } from './place.ts';

export async function pruneLogs(ground: Pick<Place, 'platform' | 'documents' | 'stateDir' | 'config'>): Promise<void> {
  const { platform, documents, config } = ground;
  try {
    const { running = [] } = await readCosts(ground, { writer: false });
    const state = await documents.read('state', { writer: false });
    const underWay = new Set(running.map((session) => session.session_id));
    if (state !== null) underWay.add(state.last_session);
    await pruneJournal(platform, localFolder(ground, 'logs'), { retentionDays: config.logging.retention_days, underWay });
  } catch {
    return;
  }
}
