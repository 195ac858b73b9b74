/** What went wrong → what the person reads and the exit code. */
import { HarnessError } from '../domain/errors.ts';
import { EXIT, type ExitCode } from '../domain/reasons.ts';

export interface Failure {
  message: string;
  details: readonly string[];
  exitCode: ExitCode;
  /** The stack, for the log, when the harness itself is at fault. */
  defect: string | null;
}

export function failureOf(error: unknown, interrupted: boolean): Failure {
  if (error instanceof HarnessError) return { message: error.message, details: error.details, exitCode: error.exitCode, defect: null };
  if (interrupted && isAbort(error)) return { message: 'Interrupted.', details: [], exitCode: EXIT.interrupted, defect: null };
  const summary = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return { message: `The harness itself failed: ${summary}`, details: [], exitCode: EXIT.defect, defect: stackOf(error) };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || ('code' in error && error.code === 'ABORT_ERR'));
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
