/** What the commands of the wheel share: the lock around their work, and how a question that waits is told. */
import { usageError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { ProjectState } from '../domain/session.ts';
import { asWriter } from '../flows/project/open.ts';
import type { Project } from '../flows/project/project.ts';
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
