/** `harness log session N`: the story of one session; with `--json` everything that the logs know about it. */
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { allSessionRecords, queryJournal, saidIn, sessionEntries } from '../../journal/query.ts';
import type { Command } from '../command.ts';
import { entryOf, logFolders } from '../log-folders.ts';
import { sessionStory } from '../session-story.ts';

export const run: Command = async ({ platform, store, args, output }) => {
  const session = sessionNumber(args[0] ?? '');
  const folders = await logFolders(platform, store);
  const found = await Promise.all(folders.map(({ path }) => sessionEntries(platform, path, session)));
  // No two sessions of a place share a number: one journal knows of it.
  const at = Math.max(
    0,
    found.findIndex((known) => known.length > 0),
  );
  const logs = folders[at]!.path;
  const entries = found[at]!.map((entry) => entryOf(folders[at]!, entry));
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
  const said = await saidIn(platform, logs, session);
  const events = output.json ? [] : await queryJournal(platform, logs, `session=${session}`);
  output.object({ session, summary, entries, said }, output.json ? '' : sessionStory(events, said));
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
