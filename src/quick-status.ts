/**
 * `harness status` in the ways it is called most: an answer that is still good, from the smallest file that can give it. Whatever else is on the
 * command line is left to `quick.ts`, which knows all commands.
 */
import { recallFor } from './cli/recall-for.ts';
import { writeOut } from './platform/quick-files.ts';

/** Whether it was answered. */
export async function answerStatus(words: readonly string[]): Promise<boolean> {
  const [name, option, directory = '.'] = words;
  const isPlain = name === 'status' && (words.length === 1 || (words.length === 3 && option === '--cwd' && !directory.startsWith('-')));
  if (!isPlain) return false;
  const known = await recallFor(directory).catch(() => null);
  if (known === null) return false;
  writeOut(`${known.text}\n`);
  return true;
}
