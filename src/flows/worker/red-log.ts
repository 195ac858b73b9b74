/**
 * The record of failing tests: what the new tests said on the code from before the task, run by the harness.
 *
 * Written whole for each proof; a way that leads out of the repository or through a link is refused.
 */
import { dirname, join } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import { fileOf, type TestResult } from '../../domain/verdict.ts';
import { wayTo } from '../../kernel/ground/way-to.ts';
import { plainPath } from './machine/bounds.ts';
import type { WorkerPlace } from './place.ts';

export interface RedRun {
  /** The commit that the tests were run on. */
  base: string;
  red: readonly TestResult[];
  proved: readonly string[];
}

export function redLogPath({ config }: Pick<WorkerPlace, 'config'>, taskId: string): string {
  return `${plainPath(config.tdd.red_log)}/${taskId}.jsonl`;
}

export async function writeRedLog(place: WorkerPlace, taskId: string, { base, red, proved }: RedRun): Promise<void> {
  const failed = red.filter((test) => test.status === 'failed' || test.status === 'error');
  if (failed.length === 0) return;
  const path = redLogPath(place, taskId);
  const way = await wayTo(place, path);
  if (!way.inside || way.linked)
    throw usageError(
      `tdd.red_log: ${path} ${way.inside ? 'is reached through a symbolic link' : 'leads out of the repository'}.`,
      'Name a plain folder of the repository.',
    );
  const lines = failed.map((test) =>
    JSON.stringify({
      ts: place.now(),
      task_id: taskId,
      result: 'FAIL',
      test: test.id,
      message: (test.message ?? '').slice(0, 2_000),
      base_commit: base,
      passes_now: proved.some((id) => id === test.id || fileOf(id) === test.file),
      by: 'harness',
    }),
  );
  await place.platform.files.mkdir(dirname(join(place.root, path)));
  await place.platform.files.writeAtomic(join(place.root, path), `${lines.join('\n')}\n`);
}
