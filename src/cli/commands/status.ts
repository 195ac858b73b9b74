/** `harness status`: where the project stands. */
import { cleanText } from '../../domain/clean-text.ts';
import { EXIT } from '../../domain/reasons.ts';
import type { Command } from '../command.ts';
import { textOption } from '../options.ts';
import { recallStatus, rememberStatus } from '../status-memo.ts';

export const run: Command = async ({ platform, root, output, options }) => {
  // What is remembered goes by the files here; a project of the fleet has none.
  const isHere = textOption(options, 'project') === null;
  const known = isHere ? await recallStatus(platform, root) : null;
  if (known !== null) {
    output.object(known.report, known.text);
    return { exitCode: EXIT.done };
  }
  const { readStatus } = await import('../status-report.ts');
  const { report, text: said, marks, lock } = await readStatus(platform, root);
  // What is remembered is printed as it is.
  const text = cleanText(said);
  output.object(report, text);
  if (isHere) await rememberStatus(platform, { root, lock, marks }, { report, text });
  return { exitCode: EXIT.done };
};
