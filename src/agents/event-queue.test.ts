import { expect, test } from 'vitest';
import { eventQueue } from './event-queue.ts';

const settled = async (promise: Promise<void>): Promise<boolean> => {
  let done = false;
  void promise.then(() => (done = true));
  await new Promise((resolve) => setImmediate(resolve));
  return done;
};

test('items arrive in order, also those pushed before anyone listens', async () => {
  const queue = eventQueue<number>(100);
  await queue.push(1, 1);
  await queue.push(2, 1);
  setTimeout(() => void queue.push(3, 1).then(() => queue.close()), 10);
  const seen: number[] = [];
  for await (const item of queue) seen.push(item);
  expect(seen).toEqual([1, 2, 3]);
});

test('a producer waits while the queue is over its capacity, and goes on when it is read', async () => {
  const queue = eventQueue<number>(10);
  await queue.push(1, 8);
  const waiting = queue.push(2, 8);
  expect(await settled(waiting)).toBe(false);
  const reader = queue[Symbol.asyncIterator]();
  expect((await reader.next()).value).toBe(1);
  expect(await settled(waiting)).toBe(true);
});

test('producers are released when the reader leaves', async () => {
  const queue = eventQueue<number>(1);
  const waiting = queue.push(1, 8);
  for await (const item of queue) if (item === 1) break;
  expect(await settled(waiting)).toBe(true);
  expect(await settled(queue.push(2, 8))).toBe(true);
});
