/**
 * What can be answered in a moment: help, version, and a status that is still good. Bundled by itself, as one small file without
 * schemas, streams and processes, because reading and starting those takes longer than the answer.
 *
 * It says what `main.ts` would say, or nothing: then `main.ts` is started.
 */
import { COMMANDS } from './cli/commands.ts';
import { flagOption, textOption } from './cli/options.ts';
import { parseCommandLine } from './cli/parse.ts';
import { recallFor } from './cli/recall-for.ts';
import { writeOut } from './platform/quick-files.ts';

/** Whether it was answered. */
export async function answerQuickly(argv: readonly string[]): Promise<boolean> {
  const parsed = parseCommandLine(COMMANDS, argv);
  if (parsed.kind === 'show') {
    writeOut(parsed.text);
    return true;
  }
  if (parsed.kind !== 'command' || parsed.row.name !== 'status' || textOption(parsed.options, 'project') !== null) return false;
  const known = await recallFor(textOption(parsed.options, 'cwd') ?? '.').catch(() => null);
  if (known === null) return false;
  writeOut(`${flagOption(parsed.options, 'json') ? JSON.stringify(known.report) : known.text}\n`);
  return true;
}
