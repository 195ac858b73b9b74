/**
 * The sanity commands of the settings over the tree that is judged.
 *
 * 1. A command that passes on base and fails on the candidate refuses it; lint only warns, unless `quality.warn_on_lint_errors` is off.
 * 2. What fails on base as well is a warning: no session is refused for what it did not break.
 * 3. Health is asked with the environment brought up beside it; where that cannot be done here, it is left out, and the verdict says so.
 */
import type { Finding } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import type { OpenCase } from '../case.ts';
import type { JudgeSettings } from '../contract.ts';
import type { CheckResult } from '../check.ts';
import { runRoomCommand, type RoomCommandResult } from '../run/room-command.ts';

export interface SanityCommand {
  name: 'health' | 'lint' | 'type check' | 'unit tests' | 'end-to-end tests';
  command: string;
}

/** Each once, in the order in which they run. */
export function sanityCommands({ sanity, unit, e2e }: JudgeSettings['testing']): SanityCommand[] {
  const rows: [SanityCommand['name'], string | null | undefined][] = [
    ['health', sanity?.health],
    ['lint', sanity?.lint],
    ['type check', sanity?.type_check],
    ['unit tests', sanity?.unit ?? unit],
    ['end-to-end tests', sanity?.e2e ?? e2e],
  ];
  return rows.flatMap(([name, command]) => (typeof command === 'string' ? [{ name, command }] : []));
}

/** For judgements that are about tests alone. */
export function withoutSanity<Testing extends JudgeSettings['testing']>(
  testing: Testing,
): Omit<Testing, 'sanity' | 'unit' | 'e2e'> & { steps: false } {
  const { sanity: _sanity, unit: _unit, e2e: _e2e, ...rest } = testing;
  return { ...rest, steps: false };
}

/** null: there is nothing to run. */
export async function checkSanity(input: OpenCase, tree: string): Promise<CheckResult | null> {
  const { quality, testing } = input.settings;
  const repeated = (one: SanityCommand): boolean =>
    one.name === 'lint' && one.command === quality.lint_command && quality.warn_on_lint_errors;
  const commands = sanityCommands(testing).filter((one) => !repeated(one));
  if (commands.length === 0) return null;
  const findings: Finding[] = [];
  const details: string[] = [];
  for (const one of commands) {
    const { finding, detail } = await checkOne(input, tree, one);
    if (finding !== null) findings.push(finding);
    details.push(detail);
  }
  return { findings, detail: details.join('; ') };
}

async function checkOne(input: OpenCase, tree: string, one: SanityCommand): Promise<{ finding: Finding | null; detail: string }> {
  const { platform } = input;
  const { name, command } = one;
  if (name === 'health' && !(await canServe(platform, input.settings)))
    return { finding: null, detail: 'health skipped: no sandbox to start the environment in' };
  const result = await runOne(input, tree, one);
  if (result.exit_code === 0) return { finding: null, detail: `${name} passed` };
  const detail = `${name} failed (${outcomeOf(result)})`;
  const weight = await weightOf(input, one);
  const isSame = weight === 'warn' && !(name === 'lint' && input.settings.quality.warn_on_lint_errors);
  return {
    finding: {
      check: 'quality',
      reason: name === 'lint' ? 'quality.lint' : 'sanity.failed',
      weight,
      message: `${name} failed (${command}, ${outcomeOf(result)})${isSame ? ', as on base' : ''}`,
      subjects: errorLines(result.output_tail),
    },
    detail,
  };
}

/** With an environment that has to be started first, health can be asked only where one can be brought up apart. */
async function canServe(platform: Platform, { environment, sandbox, verification }: JudgeSettings): Promise<boolean> {
  if ((environment?.init ?? null) === null) return true;
  return verification.network !== 'host' && (await chosenSandbox(platform, sandbox.mode)).noNetwork;
}

async function weightOf(input: OpenCase, one: SanityCommand): Promise<Finding['weight']> {
  if (one.name === 'lint' && input.settings.quality.warn_on_lint_errors) return 'warn';
  return (await runOne(input, input.base.tree, one, 'base')).exit_code === 0 ? 'reject' : 'warn';
}

async function runOne(input: OpenCase, tree: string, { name, command }: SanityCommand, room = 'judge'): Promise<RoomCommandResult> {
  const { platform } = input;
  if (name !== 'health') return await runRoomCommand(platform, { ...input, tree, command, room });
  const { init = null, health_check = null } = input.settings.environment ?? {};
  const settings = { ...input.settings, environment: { init, health_check: health_check ?? command } };
  return await runRoomCommand(platform, { ...input, settings, tree, command, room, beside: true });
}

export function outcomeOf(result: RoomCommandResult): string {
  return result.timed_out ? 'timeout' : `exit status ${String(result.exit_code)}`;
}

const MOST_ERROR_LINES = 10;
const NAMES_ERROR = /\berror\b|\bfailed\b|\bfailure\b|[✖✗×]|^\S+:\d+/i;

/** From the line before the first one that names an error; where none does, the last ones. */
export function errorLines(output: string): string[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const first = lines.findIndex((line) => NAMES_ERROR.test(line));
  return first < 0 ? lines.slice(-MOST_ERROR_LINES) : lines.slice(Math.max(0, first - 1)).slice(0, MOST_ERROR_LINES);
}
