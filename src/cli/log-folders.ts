/** The journals of a place: the project's own, and one of each worker's task. Entries of tasks say whose they are. */
import { inOrder } from '../domain/in-order.ts';
import { listTasks } from '../kernel/list-tasks.ts';
import type { JournalEntry } from '../journal/query.ts';
import type { Platform } from '../platform/platform.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { firstItem } from '../domain/items.ts';

export interface LogFolder {
  path: string;
  /** Null: the project's own. */
  worker: string | null;
}

export async function logFolders(platform: Platform, store: Pick<DocumentStore, 'where'>): Promise<LogFolder[]> {
  const tasks = await listTasks(platform, store.where());
  return [
    { path: store.where('logs'), worker: null },
    ...tasks.map(({ lane, documents }) => ({ path: documents.where('logs'), worker: lane })),
  ];
}

/** In the order of time; with a limit, the latest ones. */
export async function inAllLogs(
  folders: readonly LogFolder[],
  read: (path: string) => Promise<JournalEntry[]>,
  limit: number | null = null,
): Promise<JournalEntry[]> {
  const found = await Promise.all(folders.map(async (folder) => (await read(folder.path)).map((entry) => entryOf(folder, entry))));
  if (found.length === 1) return firstItem(found);
  const entries = found.flat().toSorted((one, other) => inOrder(one.ts, other.ts));
  return limit === null ? entries : entries.slice(Math.max(0, entries.length - limit));
}

export function entryOf({ worker }: LogFolder, entry: JournalEntry): JournalEntry {
  return worker === null ? entry : { ...entry, worker };
}
