/** `harness log session N`: the story of one session; with `--json` everything that the logs know about it. */
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { allSessionRecords, queryJournal, saidIn, sessionEntries } from '../../journal/query.ts';
import type { Command } from '../command.ts';
import { sessionStory } from '../session-story.ts';

export const run: Command = async ({ platform, store, args, output }) => {
  const session = sessionNumber(args[0] ?? '');
  const logs = store.where('logs');
  const entries = await sessionEntries(platform, logs, session);
  const records = await allSessionRecords(platform, logs);
  const summary = records.findLast((record) => record.session_id === session) ?? null;
  if (entries.length === 0 && summary === null)
    throw unknownSession(
      session,
      records.map((record) => record.session_id),
      logs,
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
