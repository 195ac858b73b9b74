/**
 * Steps of the project's test command that are no tests (`lint && tests && types`), over the tree that is judged.
 *
 * What passed before the session has to pass after it; what failed before is told, and not held against it.
 */
import type { Finding } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput, RunContext } from '../contract.ts';
import type { CheckResult } from '../check.ts';
import { commandSources } from '../run/command-sources.ts';
import { runRoomCommands, type RoomCommandResult } from '../run/room-command.ts';
import { chooseCommand } from '../run/test-command.ts';
import { errorLines, outcomeOf } from './check-sanity.ts';
import { itemAt } from '../../domain/items.ts';

/** null: the command has no such steps. */
export async function checkOwnSteps(
  platform: Platform,
  input: RunContext & Pick<JudgeInput, 'base'>,
  tree: string,
): Promise<CheckResult | null> {
  const { testing } = input.settings;
  if (testing.steps === false) return null;
  const { checks, before, env } = chooseCommand(
    testing.full,
    testing.report,
    await commandSources(input.trees, tree, [testing.full]),
  ).resolved;
  if (checks.length === 0) return null;
  const run = async (at: string, room: string, commands: readonly string[]): Promise<RoomCommandResult[]> =>
    (
      await runRoomCommands(platform, { ...input, tree: at, room, commands: [...before, ...commands].map((command) => ({ command, env })) })
    ).slice(before.length);
  const results = await run(tree, 'judge', checks);
  const failed = checks.filter((_command, index) => itemAt(results, index).exit_code !== 0);
  if (failed.length === 0) return { findings: [], detail: `${checks.join(', ')} passed` };
  const old = await run(input.base.tree, 'base', failed);
  const findings = failed.map((command, index): Finding => {
    const result = itemAt(results, checks.indexOf(command));
    const isNew = itemAt(old, index).exit_code === 0;
    return {
      check: 'quality',
      reason: 'sanity.failed',
      weight: isNew ? 'reject' : 'warn',
      message: `${command}, a step of the test command, failed (${outcomeOf(result)})${isNew ? '; it passes on base' : ', as on base'}`,
      subjects: errorLines(result.output_tail),
    };
  });
  return { findings, detail: findings.map((finding) => finding.message).join('; ') };
}
