/** Runs cases side by side, each lane in a copy and rooms of its own. */
import { examine, type Case, type Examination } from './examine.ts';
import type { Ground } from './ground.ts';
import type { Step } from './table.ts';

export interface RunOptions {
  jobs: number;
  off?: Step;
  whole?: boolean;
  thorough?: boolean;
  onDone?: (done: Examination | Broken) => void;
  /** Nothing more is begun or told after it. */
  signal?: AbortSignal;
}

/** A case that could not be judged at all: a defect of the corpus or of the harness. */
export interface Broken extends Case {
  error: string;
}

export interface Outcome {
  done: Examination[];
  broken: Broken[];
}

export async function runCases(ground: Ground, cases: readonly Case[], options: RunOptions): Promise<Outcome> {
  const outcome: Outcome = { done: [], broken: [] };
  const queue = [...cases];
  const isStopped = (): boolean => options.signal?.aborted === true;
  const work = async (lane: number): Promise<void> => {
    for (let one = queue.shift(); one !== undefined && !isStopped(); one = queue.shift()) {
      try {
        const examined = await examine(ground, one, { lane, off: options.off, whole: options.whole, thorough: options.thorough });
        outcome.done.push(examined);
        options.onDone?.(examined);
      } catch (error) {
        if (isStopped()) return;
        const broken = { ...one, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
        outcome.broken.push(broken);
        options.onDone?.(broken);
      }
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, (_unused, lane) => work(lane)));
  return outcome;
}

export function labelOf(one: Case): string {
  return `${one.behaviour.id} on ${one.runner}${one.seed === 0 ? '' : ` (seed ${one.seed})`}`;
}
