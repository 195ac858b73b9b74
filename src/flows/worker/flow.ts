/** The worker flow: what is due, what each step does, and how a drive of it ends. */
import { cleanText } from '../../domain/clean-text.ts';
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { TASK_SCHEMA_VERSION } from '../../kernel/documents/task-document.ts';
import { drive } from '../../kernel/drive.ts';
import type { Flow } from '../../kernel/flow.ts';
import { transition, type TaskEvent } from './machine/machine.ts';
import type { TaskState } from './machine/state.ts';
import { restOf, type Moved, type Rest, type Step, type WorkerPlace } from './place.ts';
import { branch, commit } from './steps/commit.ts';
import { examine } from './steps/examine.ts';
import { land } from './steps/land.ts';
import { prove } from './steps/prove.ts';
import { begin, salvage, work } from './steps/work.ts';
import { beforeFirst } from '../../domain/text-parts.ts';
import { mustHave } from '../../domain/must-have.ts';

const STEPS: Readonly<Partial<Record<TaskState['phase'], Step>>> = {
  examining: examine,
  ready: begin,
  working: work,
  salvaging: salvage,
  proving: prove,
  committing: commit,
  branching: branch,
  landing: land,
};

interface Due {
  key: string;
  phase: TaskState['phase'];
}

export const workerFlow: Flow<TaskState, TaskEvent, Due, Rest, WorkerPlace> = {
  due: ({ phase }) => (STEPS[phase] === undefined ? [] : [{ key: phase, phase }]),
  transition,
  resting: () => ({ exitCode: EXIT.done, message: null }),
  perform,
  reopened: { type: 'reopened' },
};

/** A boundary that somebody has to mend ends the drive and not the task; so does an interrupt. */
async function perform(place: WorkerPlace, { phase }: Due, state: TaskState): Promise<Moved> {
  if (place.signal.aborted) return { rest: INTERRUPTED };
  try {
    return await mustHave(STEPS[phase], `something is due in phase ${phase}`)(place, state);
  } catch (error) {
    if (place.signal.aborted) return { rest: INTERRUPTED };
    if (error instanceof HarnessError) return { rest: restOf(error) };
    throw error;
  }
}

const INTERRUPTED: Rest = { exitCode: EXIT.interrupted, message: 'interrupted; the same command continues' };

export async function driveTask(place: WorkerPlace, begun: TaskState): Promise<{ state: TaskState; rest: Rest }> {
  return await drive(
    workerFlow,
    place,
    { opens: true, write: (state) => writeTask(place, state), told: (event, after) => tell(place, event, after) },
    begun,
  );
}

export async function writeTask({ documents }: Pick<WorkerPlace, 'documents'>, state: TaskState): Promise<void> {
  await documents.write('task', { schema_version: TASK_SCHEMA_VERSION, harness_version: HARNESS_VERSION, state });
}

function tell(place: WorkerPlace, event: TaskEvent, after: TaskState): void {
  const say = (message: string): void => place.emit({ type: 'progress', message: cleanText(message) });
  if (event.type === 'examined') say(`Task ${after.input.task_id} starts from ${event.base.commit.slice(0, 12)}.`);
  if (event.type === 'proved')
    for (const rule of event.proof.rules)
      say(`${rule.verified ? 'verified' : 'not verified'}: ${rule.rule}: ${beforeFirst(rule.evidence, '\n')}`);
  if (event.type === 'proved' && after.phase === 'ready') say('The work goes back to the agent.');
  if (event.type === 'committed') say(`The work is commit ${event.commit}.`);
  if (event.type === 'landed') say(`Landed on ${event.branch}.`);
}
