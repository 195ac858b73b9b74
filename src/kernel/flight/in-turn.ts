/** Work that must not overlap within this process, in the order in which it was asked for. A failure does not hold up what follows. */

const last = new Map<string, Promise<unknown>>();

export function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
  last.set(
    key,
    mine.catch(() => {}),
  );
  return mine;
}
