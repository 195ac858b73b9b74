/**
 * A bounded queue between what an agent produces and what the host consumes.
 *
 * 1. `push` waits while more than the capacity is queued, so that a fast producer is slowed down through its pipe.
 * 2. Order of arrival is order of delivery; after `close` the rest is delivered, then the iteration ends.
 * 3. When the consumer leaves early, waiting and later pushes return at once and their items are dropped.
 */
export interface EventQueue<Item> extends AsyncIterable<Item> {
  push(item: Item, size: number): Promise<void>;
  close(): void;
}

export function eventQueue<Item>(capacity: number): EventQueue<Item> {
  const items: { item: Item; size: number }[] = [];
  const producers: (() => void)[] = [];
  let queued = 0;
  let closed = false;
  let wakeConsumer: (() => void) | undefined;

  const wake = (): void => {
    wakeConsumer?.();
    wakeConsumer = undefined;
  };
  const releaseProducers = (): void => {
    for (const release of producers.splice(0)) release();
  };

  async function* deliver(): AsyncGenerator<Item> {
    try {
      while (true) {
        const next = items.shift();
        if (next !== undefined) {
          queued -= next.size;
          if (queued <= capacity) releaseProducers();
          yield next.item;
        } else if (closed) return;
        else await new Promise<void>((resolve) => (wakeConsumer = resolve));
      }
    } finally {
      closed = true;
      items.length = 0;
      queued = 0;
      releaseProducers();
    }
  }

  return {
    push: async (item, size) => {
      if (closed) return;
      items.push({ item, size });
      queued += size;
      wake();
      if (queued > capacity) await new Promise<void>((resolve) => producers.push(resolve));
    },
    close: () => {
      closed = true;
      wake();
    },
    [Symbol.asyncIterator]: deliver,
  };
}
