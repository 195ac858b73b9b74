/** `harness log tail`: the last entries, and with `--follow` the coming ones. */
import { join } from 'node:path';
import { EXIT } from '../../domain/reasons.ts';
import { JOURNAL_FILES } from '../../journal/files.ts';
import { tailJournal } from '../../journal/query.ts';
import type { Command } from '../command.ts';
import { entryOf, inAllLogs, logFolders, type LogFolder } from '../log-folders.ts';
import { followLog, logSize } from '../log-follow.ts';
import { logFile, logLine, logLines } from '../log-lines.ts';
import { flagOption, numberOption } from '../options.ts';

const DEFAULT_LINES = 20;
/** How soon a worker that was started later is followed too. */
const NEW_WORKERS_MS = 1_000;

export const run: Command = async ({ platform, store, options, output, signal }) => {
  const file = logFile(options);
  const folders = await logFolders(platform, store);
  const sizes = await Promise.all(folders.map(({ path }) => logSize(platform, join(path, JOURNAL_FILES[file]))));
  const count = numberOption(options, 'lines') ?? DEFAULT_LINES;
  const entries = await inAllLogs(folders, (path) => tailJournal(platform, path, count, file), count);
  if (!flagOption(options, 'follow')) {
    output.object({ entries }, logLines(entries));
    return { exitCode: EXIT.done };
  }
  for (const entry of entries) output.line(entry, logLine(entry));
  const follow = (folder: LogFolder, from: number): Promise<void> =>
    followLog(platform, join(folder.path, JOURNAL_FILES[file]), {
      from,
      signal,
      show: (found) => {
        const entry = entryOf(folder, found);
        output.line(entry, logLine(entry));
      },
    });
  const following = folders.map((folder, at) => follow(folder, sizes[at]!));
  const known = new Set(folders.map(({ path }) => path));
  while (!signal.aborted) {
    await platform.clock.sleep(NEW_WORKERS_MS, signal);
    for (const folder of (await logFolders(platform, store)).filter(({ path }) => !known.has(path))) {
      known.add(folder.path);
      following.push(follow(folder, 0));
    }
  }
  await Promise.all(following);
  return { exitCode: EXIT.interrupted };
};
