/** `harness log query EXPR`: entries that match, oldest first. */
import { EXIT } from '../../domain/reasons.ts';
import { queryJournal, type JournalEntry } from '../../journal/query.ts';
import type { Command } from '../command.ts';
import { inAllLogs, logFolders } from '../log-folders.ts';
import { logFile, logLines } from '../log-lines.ts';
import { numberOption } from '../options.ts';

export const run: Command = async ({ platform, store, args, options, output }) => {
  const limit = numberOption(options, 'limit');
  const asked = { files: [logFile(options)], ...(limit === null ? {} : { limit }) };
  const read = (path: string): Promise<JournalEntry[]> => queryJournal(platform, path, args[0] ?? '', asked);
  const entries = await inAllLogs(await logFolders(platform, store), read, limit);
  output.object({ entries }, logLines(entries));
  return { exitCode: EXIT.done };
};
