/** What went wrong → what the person reads and the exit code. */
import { HarnessError } from '../domain/errors.ts';
import { EXIT, type ExitCode, type Reason } from '../domain/reasons.ts';

export interface Failure {
  message: string;
  details: readonly string[];
  exitCode: ExitCode;
  reasons?: readonly Reason[];
  /** The stack, for the log, when the harness itself is at fault. */
  defect: string | null;
}

export function failureOf(error: unknown, interrupted: boolean): Failure {
  if (error instanceof HarnessError) {
    const { message, details, exitCode, reasons } = error;
    return { message, details, exitCode, reasons, defect: null };
  }
  if (interrupted && isAbort(error)) return { message: 'Interrupted.', details: [], exitCode: EXIT.interrupted, defect: null };
  const disk = diskFailure(error);
  if (disk !== null) return disk;
  const summary = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return { message: `The harness itself failed: ${summary}`, details: [], exitCode: EXIT.defect, defect: stackOf(error) };
}

/** A disk that does not take what is written is the machine's trouble: state is as it was before the write, and the next run goes on. */
function diskFailure(error: unknown): Failure | null {
  const said = error instanceof Error ? `${'code' in error ? String(error.code) : ''} ${error.message}` : '';
  const found = DISK_TROUBLE.find(({ signs }) => signs.test(said));
  if (found === undefined) return null;
  const where = said.match(/'([^']+)'/)?.[1];
  const details = [
    `The system said: ${said.trim().split('\n')[0] ?? ''}`,
    ...(where === undefined ? [] : [`Where: ${where}`]),
    `${found.fix} Then run the same command again: it continues where this one stopped, and nothing recorded is lost.`,
  ];
  return { message: found.message, details, exitCode: EXIT.preflight, reasons: found.reasons, defect: null };
}

const DISK_TROUBLE: readonly { signs: RegExp; message: string; fix: string; reasons: readonly Reason[] }[] = [
  {
    signs: /\bENOSPC\b|\bEDQUOT\b|No space left on device|Disk quota exceeded/,
    message: 'The disk is full.',
    fix: 'Free some space.',
    reasons: ['disk.full'],
  },
  {
    signs: /\bEROFS\b|Read-only file system/,
    message: 'The disk cannot be written: it is mounted read-only.',
    fix: 'Make it writable.',
    reasons: [],
  },
  { signs: /\bEIO\b|Input\/output error/, message: 'The disk reported an error.', fix: 'Check the disk.', reasons: [] },
];

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || ('code' in error && error.code === 'ABORT_ERR'));
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
