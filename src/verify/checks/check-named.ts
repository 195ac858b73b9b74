/** The commands among a feature's `automated_checks`, over the tree that is judged, in the surroundings of a test run. Each has to succeed. */
import { visualOf } from '../../domain/feature.ts';
import type { Finding, NamedCheck } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { Check, CheckResult } from '../check.ts';
import { runRoomCommand } from '../run/room-command.ts';
import { askedChecks, type AskedCheck } from '../visual/named-checks.ts';
import { errorLines, outcomeOf } from './check-sanity.ts';

export const NAMED: Check = {
  id: 'checks',
  title: 'named checks',
  weight: 'reject',
  cost: 'trial',
  applies: (judged) => asksOf(judged).length > 0,
  run: checkNamed,
  doc: "Each command in the feature's `automated_checks` succeeds.",
};

/** What the feature asks for beside its tests. */
export function asksOf({ mode, feature }: Case): AskedCheck[] {
  return mode === 'feature' ? askedChecks(feature, visualOf(feature)?.url !== undefined) : [];
}

async function checkNamed(input: Case): Promise<CheckResult> {
  const { platform } = input;
  const { tree } = input.judged;
  const asked = asksOf(input);
  const named: NamedCheck[] = [];
  const findings: Finding[] = [];
  for (const one of asked) {
    if (one.by !== 'command') continue;
    const result = await runRoomCommand(platform, { ...input, tree, command: one.command, beside: true });
    const passed = result.exit_code === 0;
    named.push({ check: one.check, by: 'command', passed, detail: passed ? 'passed' : `failed (${outcomeOf(result)})` });
    if (passed) continue;
    const words = one.check === one.command ? one.command : `${one.check} (${one.command})`;
    findings.push({
      check: 'checks',
      reason: 'check.failed',
      weight: 'reject',
      message: `check ${words} failed (${outcomeOf(result)})`,
      subjects: errorLines(result.output_tail),
    });
  }
  for (const one of asked)
    if (one.by === 'tests')
      named.push({ check: one.check, by: 'tests', passed: null, detail: 'left to the tests: the harness cannot run it' });
  const commands = named.filter(({ by }) => by === 'command');
  return {
    findings,
    facts: { named },
    detail: commands.map(({ check, detail }) => `${check}: ${detail}`).join('; ') || 'no commands',
    skipped: commands.length === 0,
  };
}
