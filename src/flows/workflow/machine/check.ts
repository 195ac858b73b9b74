/** What one check of layer 1 found. */

export const CHECK_NAMES = ['limits', 'integrity', 'build', 'test', 'lint', 'type-check', 'markers'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface Check {
  name: CheckName;
  state: 'passed' | 'failed' | 'skipped' | 'warned';
  /** The command that was run; null for checks without one. */
  command: string | null;
  /** One line, English. */
  detail: string;
  /** Files, tests, markers: what it is about, one per line. */
  items: string[];
  /** End of the command's output. */
  output: string;
}

export function isPass(checks: readonly Check[]): boolean {
  return checks.every((check) => check.state !== 'failed');
}

export function makeCheck(
  name: CheckName,
  state: Check['state'],
  detail: string,
  more: Partial<Pick<Check, 'command' | 'items' | 'output'>> = {},
): Check {
  return { name, state, detail, command: null, items: [], output: '', ...more };
}
