/** `harness spec`: from a wish to a spec, and on to what builds it. */
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
      reference: textOption(options, 'reference'),
      interactive,
    },
  });
  return await goOn(context, report);
};

async function goOn(_context: CommandContext, report: SpecReport): Promise<CommandResult> {
  const { exitCode, outcome, reasons, message } = report;
  return { exitCode, outcome, reasons, ...(message === '' ? {} : { message }) };
}
