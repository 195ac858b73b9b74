/** `harness workflow`: plan, generate, verify and evaluate one task, or one of these steps. */
import { usageError } from '../../domain/errors.ts';
import { holdPlace } from '../../kernel/hold-place.ts';
import type { Mode, Step, WorkflowRequest } from '../../flows/workflow/contract.ts';
import { readWorkflowSummary } from '../../flows/workflow/people/summary.ts';
import type { Place } from '../../kernel/place.ts';
import { runWorkflow } from '../../flows/workflow/workflow.ts';
import { isoNow } from '../../platform/platform.ts';
import type { Command, CommandContext, CommandResult } from '../command.ts';
import { numberOption, textOption } from '../options.ts';
import { workflowSummaryLines } from '../workflow-summary-lines.ts';

const MODES: readonly Mode[] = ['single', 'standard', 'multi'];
const STEPS: readonly Step[] = ['plan', 'generate', 'verify', 'evaluate'];

export const run: Command = async (context) => {
  const { platform, root, output, asker, signal, options } = context;
  const request = readRequest(context);
  const report = await holdPlace(
    platform,
    root,
    {
      emit: output.emit,
      drained: output.drained,
      asker,
      signal,
      agent: textOption(options, 'agent'),
      agentCommand: textOption(options, 'agentCommand'),
      command: 'harness workflow',
    },
    async (desk) => {
      output.setBudget(desk.config.costs.per_session_usd);
      const began = isoNow(platform.clock);
      const ended = await runWorkflow(desk, request);
      await tellSummary(desk, output, began);
      return ended;
    },
  );
  const result: CommandResult = { exitCode: report.exitCode, outcome: report.outcome, reasons: report.reasons };
  if (report.commit !== null) result.commit = report.commit;
  if (report.message !== '') result.message = report.message;
  return result;
};

/** What the task has come to so far, over all commands that worked on it; nothing where this one only asked. */
async function tellSummary(place: Place, output: CommandContext['output'], began: string): Promise<void> {
  await place.journal?.flush();
  const summary = await readWorkflowSummary(place);
  if (summary === null || summary.sessions === 0) return;
  if (summary.phase !== null && (summary.until ?? '') < began) return;
  place.emit({ type: 'run.summary', summary: { workflow: summary } });
  output.note(['', ...workflowSummaryLines(summary), ''].join('\n'));
}

/** The first word is a step where it is one of the four; else it is the task. */
function readRequest({ args, options }: CommandContext): WorkflowRequest {
  const [first, second] = args;
  const step = STEPS.find((name) => name === first) ?? null;
  if (step === null && second !== undefined)
    throw usageError(`"${first}" is not a step.`, `The steps are ${STEPS.join(', ')}. Put the task in quotes: harness workflow "TASK"`);
  if (step !== null && step !== 'plan' && second !== undefined)
    throw usageError(
      `harness workflow ${step} continues the existing session and takes no task.`,
      'Start another one with: harness workflow plan "TASK"',
    );
  return {
    step,
    task: (step === null ? first : second) ?? null,
    mode: MODES.find((name) => name === options['mode']) ?? null,
    modelConfig: textOption(options, 'modelConfig'),
    conventions: null,
    lintCommand: textOption(options, 'lintCmd'),
    typeCheckCommand: textOption(options, 'typeCheckCmd'),
    verifierModel: textOption(options, 'verifierModel'),
    outputDir: textOption(options, 'outputDir'),
    scope: textOption(options, 'scope'),
    maxFiles: numberOption(options, 'maxFiles'),
  };
}
