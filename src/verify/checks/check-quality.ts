/** What the text of a candidate and the linter say about it; nothing here is about tests. */
import type { Finding } from '../../domain/verdict.ts';
import { findSuppressions } from './check-code.ts';
import { checkOwnSteps } from './check-own-steps.ts';
import { checkSanity, errorLines, outcomeOf } from './check-sanity.ts';
import type { Case, OpenCase } from '../case.ts';
import type { Check, CheckResult } from '../check.ts';
import { consult, isOff, type InstrumentId } from '../instruments.ts';
import { runRoomCommand } from '../run/room-command.ts';
import { findUndeclared } from './undeclared-packages.ts';
import { mustHave } from '../../domain/must-have.ts';

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
