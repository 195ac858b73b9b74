/** `harness answer GATE OPTION [--text T]`: records an answer for the process that asked, running or not. */
import { EXIT } from '../../domain/reasons.ts';
import { recordAnswer } from '../../gates/record-answer.ts';
import type { Command } from '../command.ts';
import { textOption } from '../options.ts';

export const run: Command = async ({ platform, stateDir, store, args, options, output }) => {
  const [id = '', option] = args;
  const answer = await recordAnswer({ platform, stateDir, store }, id, { option: option ?? null, text: textOption(options, 'text') });
  output.object(
    { id, option: answer.option, text: answer.text },
    `Recorded ${answer.option === null ? 'your words' : `"${answer.option}"`} for ${id}. If the command that asked is still running, it continues; if not, run it again.`,
  );
  return { exitCode: EXIT.done };
};
