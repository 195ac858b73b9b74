/** Where a worker works, how one of its drives ends, and what its steps lead to. */
import type { HarnessError } from '../../domain/errors.ts';
import type { ExitCode } from '../../domain/reasons.ts';
import type { Progress } from '../../kernel/flow.ts';
import type { TaskPlace } from '../../kernel/hold-task.ts';
import type { TaskEvent } from './machine/machine.ts';
import type { TaskState } from './machine/state.ts';

export type WorkerPlace = TaskPlace;

/** `message`: why the drive ended before the task did; null: the state says it all. */
export interface Rest {
  exitCode: ExitCode;
  message: string | null;
}

export type Moved = Progress<TaskEvent, Rest>;
export type Step = (place: WorkerPlace, state: TaskState) => Promise<Moved>;

/** A boundary that a person has to mend: the task stays where it is. */
export function restOf(error: HarnessError): Rest {
  return { exitCode: error.exitCode, message: [error.message, ...error.details].join(' ') };
}

/** The task with what advisors added to it. */
export function inputOf({ input, consultations }: Pick<TaskState, 'input' | 'consultations'>): TaskState['input'] {
  const added: Record<string, string> = {};
  for (const { advice } of consultations)
    for (const name of ['spec_path', 'spec_skip_reason', 'skip_tdd_reason']) {
      const value = advice?.[name];
      if (typeof value === 'string' && value.trim() !== '') added[name] = value;
    }
  return { ...input, ...added };
}
