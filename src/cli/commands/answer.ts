/** `harness answer GATE OPTION [--text T]`: records an answer for the process that asked, running or not. */
import { usageError } from '../../domain/errors.ts';
import { kindOf } from '../../domain/gate-id.ts';
import { EXIT } from '../../domain/reasons.ts';
import { gateNamed } from '../../gates/gate-files.ts';
import { agentAsking, isPersons } from '../../gates/persons-question.ts';
import { recordAnswer } from '../../gates/record-answer.ts';
import type { Command, CommandContext } from '../command.ts';
import { listOption, textOption } from '../options.ts';

export const run: Command = async (context) => {
  const { platform, store, args, options, output } = context;
  const [id = '', option] = args;
  await refuseAgent(context, id);
  const answer = await recordAnswer({ clock: platform.clock, store }, id, { option: option ?? null, text: textOption(options, 'text') });
  output.object(
    { id: answer.id, option: answer.option, text: answer.text },
    `Recorded ${answer.option === null ? 'your words' : `"${answer.option}"`} for ${answer.id}. If the command that asked is still running, it continues; if not, run it again.`,
  );
  return { exitCode: EXIT.done };
};

/** A person's question is answered at a terminal, or by a script that a person wrote: with `--approve` or `--answers`. */
async function refuseAgent({ platform, store, options, interactive, asker }: CommandContext, id: string): Promise<void> {
  const variable = agentAsking(platform.env);
  if (interactive || variable === null) return;
  const gate = await gateNamed(store.in('gates'), id);
  const approved = listOption(options, 'approve').some((name) => [id, gate.id, kindOf(gate.id)].includes(name));
  const isFiled = textOption(options, 'answers') !== null && (await asker.foresee(gate)) !== null;
  if (!isPersons(gate) || approved || isFiled) return;
  throw usageError(
    `${id} is a person's question, and ${variable} is set: an agent cannot answer it.`,
    `The person answers it at a terminal: harness answer ${id} <option>`,
    `The options: ${gate.options.map(({ label }) => label).join(', ')}`,
  );
}
