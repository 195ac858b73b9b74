/** `harness answer GATE OPTION [--text T]`: records an answer for the process that asked, running or not. */
import { EXIT } from '../../domain/reasons.ts';
import { removeEscalation } from '../../gates/escalation.ts';
import { answerGate } from '../../gates/gate-files.ts';
import { isoNow } from '../../platform/platform.ts';
import type { Command } from '../command.ts';
import { textOption } from '../options.ts';

export const run: Command = async ({ platform, stateDir, store, args, options, output }) => {
  const [id = '', option] = args;
  const answer = await answerGate(store.in('gates'), id, {
    option: option ?? null,
    text: textOption(options, 'text'),
    at: isoNow(platform.clock),
  });
  await removeEscalation(platform, stateDir, [answer.id]);
  output.object(
    { id, option: answer.option, text: answer.text },
    `Recorded ${answer.option === null ? 'your words' : `"${answer.option}"`} for ${id}. If the command that asked is still running, it continues; if not, run it again.`,
  );
  return { exitCode: EXIT.done };
};
