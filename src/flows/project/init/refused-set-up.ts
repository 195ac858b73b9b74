/**
 * A set-up that was refused, for the next `harness init --spec`: why, and what the initializer had left.
 *
 * 1. It is repaired once, from where it stands; after that, and where something in it could not be taken over, the next one begins anew. What a
 *    person wants changed goes on from where it stands in any case.
 * 2. Only what the initializer is to answer for is kept: not the end of an allowance, not a branch that moved.
 */
import { HarnessError } from '../../../domain/errors.ts';
import { fence } from '../../../domain/fence.ts';
import { EXIT } from '../../../domain/reasons.ts';
import type { RefusedSetUp } from '../../../kernel/documents/refused-set-up.ts';
import { capturedTree } from '../../../kernel/flight/agent-session.ts';
import type { Project } from '../project.ts';

export async function noteRefusedSetUp(project: Project, error: unknown, before: RefusedSetUp | null): Promise<void> {
  if (!(error instanceof HarnessError) || (error.exitCode !== EXIT.usage && error.exitCode !== EXIT.rejected)) return;
  const wished = error.exitCode === EXIT.rejected && error.reasons.includes('features.invalid');
  const tree = await capturedTree(project, 0);
  await project.documents.write('refused-set-up', {
    schema_version: 1,
    problems: [error.message, ...error.details],
    tree: error.exitCode === EXIT.usage || wished ? tree : null,
    count: (before?.count ?? 0) + 1,
    ...(wished ? { wished: true as const } : {}),
  });
}

/** The tree to repair; null: begin anew. */
export async function setUpToRepair(project: Project, before: RefusedSetUp | null): Promise<string | null> {
  if (before === null || before.tree === null) return null;
  if (before.count % 2 === 0 && before.wished !== true) return null;
  return await project.trees.resolve(before.tree);
}

export function refusedSetUpWords({ problems, count }: RefusedSetUp, kept: boolean): string {
  return [
    '## Why the last attempt was not accepted',
    '',
    `This is attempt ${count + 1}. What the earlier session left was refused:`,
    fence('what the harness found', problems.join('\n')),
    '',
    kept
      ? 'Your files are as you left them. Repair what is named above, keep the rest, and check the whole list once more.'
      : 'You start over: the refused files are not in your copy. Do it again, without what was wrong with them.',
  ].join('\n');
}
