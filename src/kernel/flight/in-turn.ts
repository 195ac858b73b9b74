/** Work that must not overlap within this process, in the order in which it was asked for. A failure does not hold up what follows. */

/** A queue of its own. */
export function inTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}

const queues = new Map<string, ReturnType<typeof inTurns>>();

/** The queue of a name. */
export function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const queue = queues.get(key) ?? inTurns();
  queues.set(key, queue);
  return queue(work);
}

/** What reads or changes the user's working tree does so alone: a landing half done is no state of it. */
export function inTreeTurn<Result>({ home }: { home: { root: string } }, work: () => Promise<Result>): Promise<Result> {
  return inTurn(`tree ${home.root}`, work);
}
