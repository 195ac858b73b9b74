/** What the text of a candidate and the linter say about it; nothing here is about tests. */
import type { Finding } from '../../domain/verdict.ts';
import { findSuppressions } from './check-code.ts';
import { checkSanity, errorLines, outcomeOf } from './check-sanity.ts';
import type { Case, OpenCase } from '../case.ts';
import type { Check, CheckResult } from '../check.ts';
import { consult, isOff, type InstrumentId } from '../instruments.ts';
import { runRoomCommand, runRoomCommands, type RoomCommandResult } from '../run/room-command.ts';
import { findUndeclared } from './undeclared-packages.ts';
import { mustHave } from '../../domain/must-have.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput, RunContext } from '../contract.ts';
import { commandSources, repairScript } from '../run/command-sources.ts';
import { chooseCommand } from '../run/test-command.ts';
import { itemAt } from '../../domain/items.ts';

export const QUALITY: Check = {
  id: 'quality',
  title: 'code quality',
  weight: 'reject',
  cost: 'trial',
  run: checkQuality,
  doc: 'Lint, type check and other steps of the test command succeed as they do on base, and new code uses only declared packages.',
};

async function checkQuality(input: Case): Promise<CheckResult> {
  const { platform, judged } = input;
  const parts: CheckResult[] = [];
  const part = async (id: InstrumentId, check: () => Promise<CheckResult | null>): Promise<void> => {
    const result = isOff(input, id) ? null : await check();
    if (result !== null) parts.push({ ...result, findings: await consult(input, id, () => result.findings) });
  };
  if (input.settings.quality.lint_command !== null) await part('quality/lint', () => checkLint(input, judged.tree));
  await part('quality/sanity', () => checkSanity(input, judged.tree));
  await part('quality/own-steps', () => checkOwnSteps(platform, input, judged.tree));
  const suppressed = [
    ...(await consult(input, 'quality/suppressions', () => findSuppressions(input, judged.changes))),
    ...(await consult(input, 'quality/undeclared-packages', () => findUndeclared(input))),
  ];
  return {
    findings: [...parts.flatMap((one) => one.findings), ...suppressed],
    detail: parts.length === 0 ? 'no lint command' : parts.map((one) => one.detail).join('; '),
    skipped: parts.length === 0 && suppressed.length === 0,
  };
}

async function checkLint(input: OpenCase, tree: string): Promise<CheckResult> {
  const { platform } = input;
  const result = await runRoomCommand(platform, {
    ...input,
    tree,
    command: mustHave(input.settings.quality.lint_command, 'lint is checked only with a command'),
  });
  if (result.exit_code === 0) return { findings: [], detail: 'lint is clean' };
  const message = `lint failed (${outcomeOf(result)})`;
  const finding: Finding = { check: 'quality', reason: 'quality.lint', weight: 'warn', message, subjects: errorLines(result.output_tail) };
  return { findings: input.settings.quality.warn_on_lint_errors ? [finding] : [], detail: message };
}

/** null: the command has no such steps. */
export async function checkOwnSteps(
  platform: Platform,
  input: RunContext & Pick<JudgeInput, 'base'>,
  tree: string,
): Promise<CheckResult | null> {
  const { testing } = input.settings;
  if (testing.steps === false) return null;
  const sources = await commandSources(input.trees, tree, [testing.full]);
  const { checks, before, env } = chooseCommand(testing.full, testing.report, sources).resolved;
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
    const repair = repairScript(command, sources.scripts);
    const state = isNew ? `; it passes on base${repair === null ? '' : `, and ${repair} repairs what it can`}` : ', as on base';
    return {
      check: 'quality',
      reason: 'sanity.failed',
      weight: isNew ? 'reject' : 'warn',
      message: `${command}, a step of the test command, failed (${outcomeOf(result)})${state}`,
      subjects: errorLines(result.output_tail),
    };
  });
  return { findings, detail: findings.map((finding) => finding.message).join('; ') };
}
