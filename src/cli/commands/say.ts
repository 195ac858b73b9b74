/** `harness say`: a person's words to an agent at work. */
import { EXIT } from '../../domain/reasons.ts';
import { agentAsking } from '../../gates/persons-question.ts';
import { sayTo, type Said } from '../../kernel/say/say.ts';
import type { Command } from '../command.ts';
import { flagOption, numberOption, textOption } from '../options.ts';

export const run: Command = async ({ platform, root, output, options, args, interactive }) => {
  const said = await sayTo(platform, root, {
    text: args[0] ?? '',
    lane: textOption(options, 'lane'),
    session: numberOption(options, 'session'),
    stopAfter: flagOption(options, 'stopAfter'),
    by: !interactive && agentAsking(platform.env) !== null ? 'host' : 'terminal',
  });
  output.object(said, describe(said));
  return { exitCode: EXIT.done };
};

function describe({ session, stop_after }: Said): string {
  if (session === null) return 'No session is under way: kept for the next one.';
  const how = stop_after
    ? `Session ${session} ends at its next safe boundary, and its work is kept. What you said is for the next session of the feature.`
    : `Kept for session ${session}: delivered at its next safe boundary, or in the next session of the feature.`;
  return `${how} See: harness log tail`;
}
