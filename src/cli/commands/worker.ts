/** `harness worker`: one task in, one JSON object out. Everything else goes to stderr. */
import { usageError } from '../../domain/errors.ts';
import { failureWithout } from '../../flows/worker/answer.ts';
import type { WorkerAnswer } from '../../flows/worker/contract.ts';
import { runWorker, type WorkerRequest } from '../../flows/worker/run.ts';
import { HarnessError } from '../../domain/errors.ts';
import { readNamedFile } from '../../kernel/ground/way-to.ts';
import type { Command, CommandContext } from '../command.ts';
import { failureOf } from '../exit.ts';
import { textOption } from '../options.ts';

export const run: Command = async (context) => {
  const answer = await answerTo(context);
  context.output.object(answer.value, JSON.stringify(answer.value));
  return { exitCode: answer.exitCode };
};

/** What keeps a task from being read is an answer too. */
async function answerTo(context: CommandContext): Promise<WorkerAnswer> {
  const { platform, root, output, asker, signal, options } = context;
  let request: WorkerRequest;
  try {
    request = await readRequest(context);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return failureWithout(null, error.exitCode, [error.message, ...error.details].join(' '));
  }
  const hold = {
    emit: output.emit,
    drained: output.drained,
    asker,
    signal,
    agent: textOption(options, 'agent'),
    agentCommand: textOption(options, 'agentCommand'),
  };
  try {
    return await runWorker(platform, root, request, hold);
  } catch (error) {
    // A disk that takes nothing, an interrupt: whatever is no defect is an answer.
    const { defect, exitCode, message, details } = failureOf(error, signal.aborted);
    if (defect !== null) throw error;
    return failureWithout(given(request.task), exitCode, [message, ...details].join(' '));
  }
}

function given(task: string): unknown {
  try {
    return JSON.parse(task);
  } catch {
    return null;
  }
}

async function readRequest(context: CommandContext): Promise<WorkerRequest> {
  const named = ['task', 'review', 'advice'].filter((name) => textOption(context.options, name) === '-');
  if (named.length > 1) throw usageError(`Only one of --task, --review and --advice can come from stdin.`);
  return {
    task: (await readOption(context, 'task')) ?? '',
    review: await readOption(context, 'review'),
    advice: await readOption(context, 'advice'),
  };
}

async function readOption({ platform, cwd, options, input }: CommandContext, name: string): Promise<string | null> {
  const named = textOption(options, name);
  if (named === null) return null;
  if (named === '-') return plain(await input());
  const text = await readNamedFile(platform, cwd, named).catch((error: unknown) => {
    if (error instanceof HarnessError) throw error;
    throw usageError(`--${name}: ${named} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  });
  if (text === null) throw usageError(`--${name}: there is no file ${named}.`);
  return plain(text);
}

/** Without the mark that some editors put before a text. */
function plain(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
