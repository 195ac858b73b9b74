/**
 * Errors are classified by what the caller does next. `HarnessError` is for broken boundaries that a person can mend;
 * anything else that reaches `main` is a defect (exit 1).
 */
import { EXIT, type ExitCode, type Reason } from './reasons.ts';

export type NextStep = 'never' | 'retry_now' | 'retry_at' | 'ask';

export class HarnessError extends Error {
  readonly exitCode: ExitCode;
  readonly next: NextStep;
  /** File, field and fix, each where it applies; printed below the message. */
  readonly details: readonly string[];
  /** For scripts; empty where the exit code says it all. */
  readonly reasons: readonly Reason[];

  constructor(
    message: string,
    options: { exitCode?: ExitCode; next?: NextStep; details?: readonly string[]; reasons?: readonly Reason[]; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'HarnessError';
    this.exitCode = options.exitCode ?? EXIT.usage;
    this.next = options.next ?? 'ask';
    this.details = options.details ?? [];
    this.reasons = options.reasons ?? [];
  }
}

/** Bad usage, config or input: exit 2. */
export function usageError(message: string, ...details: string[]): HarnessError {
  return new HarnessError(message, { exitCode: EXIT.usage, details });
}
