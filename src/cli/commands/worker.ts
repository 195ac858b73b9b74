/** `harness worker`: one task in, one JSON object out. Everything else goes to stderr. */
import { resolve } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import { failureWithout } from '../../flows/worker/answer.ts';
import type { WorkerAnswer } from '../../flows/worker/contract.ts';
import { runWorker, type WorkerRequest } from '../../flows/worker/run.ts';
import { HarnessError } from '../../domain/errors.ts';
import type { Command, CommandContext } from '../command.ts';
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
  return await runWorker(platform, root, request, {
    emit: output.emit,
    drained: output.drained,
    asker,
    signal,
    agent: textOption(options, 'agent'),
    agentCommand: textOption(options, 'agentCommand'),
  });
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
  const given = textOption(options, name);
  if (given === null) return null;
  if (given === '-') return await input();
  const text = await platform.files.readTextIfExists(resolve(cwd, given));
  if (text === null) throw usageError(`--${name}: there is no file ${given}.`);
  return text;
}
