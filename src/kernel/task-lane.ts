/** The name of a task's lane: its folder, its copy, its rooms and its ref. Pure. */
import { createHash } from 'node:crypto';

const PREFIX = 'worker-';
/** Where tasks lie below the project's state. */
export const TASKS_FOLDER = 'workers';

/** Readable, and different for ids that only differ in what names of folders cannot show. */
export function taskLane(taskId: string): string {
  const slug = taskId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  const hash = createHash('sha256').update(taskId).digest('hex').slice(0, 8);
  return `${PREFIX}${slug === '' ? 'task' : slug}-${hash}`;
}

export function isTaskLane(lane: string): boolean {
  return lane.startsWith(PREFIX);
}
