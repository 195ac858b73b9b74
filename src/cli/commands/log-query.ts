/** `harness log query EXPR`: entries that match, oldest first. */
import { EXIT } from '../../domain/reasons.ts';
import { queryJournal } from '../../journal/query.ts';
import type { Command } from '../command.ts';
import { logFile, logLines } from '../log-lines.ts';
import { numberOption } from '../options.ts';

export const run: Command = async ({ platform, store, args, options, output }) => {
  const limit = numberOption(options, 'limit');
  const entries = await queryJournal(platform, store.where('logs'), args[0] ?? '', {
    files: [logFile(options)],
    ...(limit === null ? {} : { limit }),
  });
  output.object({ entries }, logLines(entries));
  return { exitCode: EXIT.done };
};
