/** `harness log tail`: the last entries, and with `--follow` the coming ones. */
import { join } from 'node:path';
import { EXIT } from '../../domain/reasons.ts';
import { JOURNAL_FILES } from '../../journal/files.ts';
import { tailJournal } from '../../journal/query.ts';
import type { Command } from '../command.ts';
import { followLog, logSize } from '../log-follow.ts';
import { logFile, logLine, logLines } from '../log-lines.ts';
import { flagOption, numberOption } from '../options.ts';

const DEFAULT_LINES = 20;

export const run: Command = async ({ platform, store, options, output, signal }) => {
  const logs = store.where('logs');
  const file = logFile(options);
  const path = join(logs, JOURNAL_FILES[file]);
  const size = await logSize(platform, path);
  const entries = await tailJournal(platform, logs, numberOption(options, 'lines') ?? DEFAULT_LINES, file);
  if (!flagOption(options, 'follow')) {
    output.object({ entries }, logLines(entries));
    return { exitCode: EXIT.done };
  }
  for (const entry of entries) output.line(entry, logLine(entry));
  await followLog(platform, path, size, signal, (entry) => output.line(entry, logLine(entry)));
  return { exitCode: EXIT.interrupted };
};
