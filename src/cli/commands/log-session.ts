/** `harness log session N`: everything the logs know about one session. */
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { allSessionRecords, sessionEntries } from '../../journal/query.ts';
import type { Command } from '../command.ts';
import { inAllLogs, logFolders } from '../log-folders.ts';
import { logLines } from '../log-lines.ts';

export const run: Command = async ({ platform, store, args, output }) => {
  const session = sessionNumber(args[0] ?? '');
  const folders = await logFolders(platform, store);
  const entries = await inAllLogs(folders, (path) => sessionEntries(platform, path, session));
  const records = (await Promise.all(folders.map(({ path }) => allSessionRecords(platform, path))))
    .flat()
    .toSorted((one, other) => one.session_id - other.session_id);
  const summary = records.findLast((record) => record.session_id === session) ?? null;
  if (entries.length === 0 && summary === null)
    throw unknownSession(
      session,
      records.map((record) => record.session_id),
      store.where('logs'),
    );
  output.object({ session, summary, entries }, logLines(entries));
  return { exitCode: EXIT.done };
};

function sessionNumber(word: string): number {
  if (!/^\d{1,9}$/.test(word))
    throw usageError(`The session is a number, not "${word}".`, 'harness log tail --in sessions shows the latest ones.');
  return Number(word);
}

function unknownSession(session: number, known: readonly number[], logs: string): Error {
  const hint = known.length === 0 ? 'No session has ended here yet.' : `Sessions known here: ${known[0]} to ${known[known.length - 1]}.`;
  return usageError(`The logs in ${logs} know no session ${session}.`, hint);
}
