/**
 * The project's own checks, tried where they will run: in a clean room, on a commit that no session has touched.
 *
 * One that fails there is left out for good: no session could be held to it. What cannot be tried, such as an install that fails, is
 * reported by the first look at the tests.
 */
import { HarnessError } from '../../domain/errors.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { sanityCommands } from '../../verify/checks/check-sanity.ts';
import type { FlightPlace, Head } from '../flight/contract.ts';
import { failureOf, keepOutput } from '../flight/foreign-output.ts';
import { runCommand, type RunGround } from '../flight/run-context.ts';

export interface LeftOut {
  /** `lint`, `type check`, or `step` for a step of the test command. */
  name: string;
  command: string;
  /** Its first error line. */
  why: string;
  output: string;
}

export async function failingChecks(place: RunGround, tree: string): Promise<LeftOut[]> {
  const failing: LeftOut[] = [];
  for (const { name, command } of sanityCommands(place.config.testing)) {
    const failed = name === 'health' ? null : await tryCheck(place, tree, { name, command });
    if (failed !== null) failing.push(failed);
  }
  return failing;
}

/** null: it passes. */
export async function tryCheck(
  place: RunGround,
  tree: string,
  { name, command }: { name: string; command: string },
): Promise<LeftOut | null> {
  try {
    const result = await runCommand(place, { tree, command }, { noCache: false });
    return result.exit_code === 0 ? null : { name, command, why: failureOf(command, result), output: result.output };
  } catch (error) {
    if (error instanceof HarnessError) return null;
    throw error;
  }
}

/** Keeps what they printed; lines for people, one for each. */
export async function recordLeftOut(place: FlightPlace, head: Pick<Head, 'commit'>, checks: readonly LeftOut[]): Promise<string[]> {
  const lines: string[] = [];
  for (const [at, { name, why, output }] of checks.entries()) {
    const before = checks.slice(0, at).filter((one) => one.name === name).length;
    const log = await keepOutput(place, before === 0 ? name : `${name}-${before + 1}`, output);
    lines.push(`${name} is not enforced: ${why} (full output: ${log})`);
  }
  await place.documents.write('left-out-checks', {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    commit: head.commit,
    checks: checks.map(({ name, command, why }) => ({ name, command, why })),
  });
  return lines;
}
