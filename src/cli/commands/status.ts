/** `harness status`: where the project stands. */
import { cleanText } from '../../domain/clean-text.ts';
import { EXIT } from '../../domain/reasons.ts';
import type { Command } from '../command.ts';
import { recallStatus, rememberStatus } from '../status-memo.ts';

export const run: Command = async ({ platform, root, output }) => {
  const known = await recallStatus(platform, root);
  if (known !== null) {
    output.object(known.report, known.text);
    return { exitCode: EXIT.done };
  }
  const { readStatus } = await import('../status-report.ts');
  const { report, text: said, marks, lock } = await readStatus(platform, root);
  // What is remembered is printed as it is.
  const text = cleanText(said);
  output.object(report, text);
  await rememberStatus(platform, { root, lock, marks }, { report, text });
  return { exitCode: EXIT.done };
};
