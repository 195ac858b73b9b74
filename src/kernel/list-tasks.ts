/** The tasks of workers in a place, for whoever only looks: without their locks, and without changing anything. */
import { join } from 'node:path';
import { openHistory, type History } from '../journal/history.ts';
import type { Platform } from '../platform/platform.ts';
import { folderStore } from '../store/folder-store.ts';
import { openDocuments, type Documents } from './documents/documents.ts';
import { foldersIn } from './sweep-place.ts';
import { TASKS_FOLDER } from './task-lane.ts';

export interface ListedTask {
  /** Its copy and its folder are called so. */
  lane: string;
  documents: Documents;
  history: History;
  /** Changes whenever there is something new to tell. */
  files: string[];
  lock: string;
}

export async function listTasks(platform: Platform, stateDir: string): Promise<ListedTask[]> {
  const tasks = join(stateDir, TASKS_FOLDER);
  const lanes = (await foldersIn(platform, tasks)).map((folder) => folder.slice(tasks.length + 1)).toSorted();
  return lanes.map((lane) => {
    const folder = join(tasks, lane);
    const documents = openDocuments(platform, folderStore(platform, folder), { onNewerState: 'warn' });
    const lock = join(folder, 'lock');
    const history = openHistory(platform, documents.where('logs'));
    return { lane, documents, history, lock, files: [documents.where('task'), documents.where('costs'), lock] };
  });
}
