/** `harness spec`: from a wish to a spec, and on to what builds it. */
import { isAbsolute, relative, resolve } from 'node:path';
import type { SpecReport } from '../../flows/spec/contract.ts';
import { runSpec } from '../../flows/spec/run.ts';
import type { Command, CommandContext, CommandResult } from '../command.ts';
import { textOption } from '../options.ts';

export const run: Command = async (context) => {
  const { platform, root, options, output, args, asker, signal, interactive } = context;
  const mode = textOption(options, 'mode');
  const report = await runSpec(platform, root, {
    agent: textOption(options, 'agent'),
    agentCommand: textOption(options, 'agentCommand'),
    emit: output.emit,
    drained: output.drained,
    asker,
    signal,
    spec: {
      task: args[0] ?? null,
      mode: mode === 'quick' || mode === 'deep' ? mode : null,
      modelConfig: textOption(options, 'modelConfig'),
      reference: referenceOf(context),
      interactive,
    },
  });
  return await goOn(context, report);
};

/** Named from where the command was given; the flow counts from the top of the project. */
function referenceOf({ options, cwd, root }: CommandContext): string | null {
  const given = textOption(options, 'reference');
  return given === null || cwd === root || isAbsolute(given) ? given : relative(root, resolve(cwd, given));
}

/** What the person chose next runs in the same process, with the agent and the answers of this command. */
async function goOn(context: CommandContext, report: SpecReport): Promise<CommandResult> {
  const { next, exitCode, outcome, reasons, message } = report;
  const { mode: _mode, modelConfig: _models, reference: _reference, ...given } = context.options;
  const { agent } = report;
  const options =
    agent === undefined || agent === null
      ? given
      : { ...given, agent: agent.backend, ...(agent.command === null ? {} : { agentCommand: agent.command }) };
  if (next?.flow === 'workflow')
    return await (await import('./workflow.ts')).run({ ...context, args: [next.task], options: { ...options, outputDir: next.outputDir } });
  if (next?.flow === 'project')
    return await (await import('./init.ts')).run({ ...context, cwd: context.root, args: [], options: { ...options, spec: next.spec } });
  return { exitCode, outcome, reasons, ...(message === '' ? {} : { message }) };
}
