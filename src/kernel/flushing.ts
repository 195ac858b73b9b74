import type { Journal } from '../journal/journal.ts';

/** The journal is on the disk before the result is told, also that of a failure. */
export async function flushing<Result>(holder: { journal: Journal | null }, work: () => Promise<Result>): Promise<Result> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await holder.journal?.flush().catch(() => {});
    throw error;
  }
  await holder.journal?.flush();
  return result;
}
