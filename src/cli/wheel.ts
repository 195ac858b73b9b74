/** What the commands of the wheel share: the lock around their work, and how a question that waits is told. */
import { usageError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { ProjectState } from '../domain/session.ts';
import { orAskHolder, type Requested } from '../kernel/documents/ask-holder.ts';
import { asWriter } from '../flows/project/open.ts';
import { openProject, type Project } from '../flows/project/project.ts';
import { readState } from '../flows/project/state-files.ts';
import type { Wish } from '../kernel/documents/requests.ts';
import type { CommandContext, CommandResult } from './command.ts';
import { numberOption } from './options.ts';

/** Runs `work` as the one writer of the project. */
export function withProject<Result>(
  context: CommandContext,
  command: string,
  work: (project: Project, state: ProjectState) => Promise<Result>,
  options: { reopens?: boolean } = {},
): Promise<Result> {
  const { platform, root, output, asker, signal } = context;
  return asWriter(platform, root, { emit: output.emit, command: `harness ${command}`, asker, signal, ...options }, work);
}

/** The same, unless a process is at work there: then it is asked for what is wished, and takes it up between two sessions. */
export function heldOrAsked<Result>(
  context: CommandContext,
  command: string,
  work: (project: Project, state: ProjectState) => Promise<Result>,
  wish: (project: Project, state: ProjectState) => Promise<Wish>,
): Promise<Result | Requested> {
  const { platform, root, output } = context;
  return orAskHolder(
    platform,
    root,
    () => withProject(context, command, work),
    async () => {
      const project = await openProject(platform, root, { emit: output.emit, journal: false });
      return await wish(project, await readState(project, { writer: false }));
    },
  );
}

/** Left for the process that is at work: done as soon as its session has ended. */
export function requested(context: CommandContext, { holder }: Requested, value: object): CommandResult {
  const who = holder === null ? 'The next command here' : `Process ${holder.pid} (${holder.command})`;
  context.output.object({ ...value, requested: true, running: holder }, `Requested. ${who} acts on it as soon as no session is running.`);
  return { exitCode: EXIT.done };
}

export function featureOption(context: Pick<CommandContext, 'options'>): number {
  const feature = numberOption(context.options, 'feature');
  if (feature === null || !Number.isInteger(feature) || feature < 1)
    throw usageError(`--feature takes the number of a feature, not ${feature ?? 'nothing'}.`);
  return feature;
}

/** A question waits: exit 8, and the same command goes on after the answer. */
export function waiting(context: CommandContext, gate: string, value: object): CommandResult {
  context.output.object(
    { ...value, waiting_for: gate },
    `A question waits. Answer it with: harness answer ${gate} OPTION, then run the same command again.`,
  );
  return { exitCode: EXIT.waiting };
}
