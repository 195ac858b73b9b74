import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { afterOtherStarts } from './conversation.ts';

const { clock } = nodePlatform({});

function gatedStart(name: string, order: string[]): { start(): Promise<string>; finish(): void; fail(): void } {
  let finish = (): void => {};
  let fail = (): void => {};
  const done = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = () => reject(new Error(name));
  });
  const start = async (): Promise<string> => {
    order.push(`${name} starts`);
    await done;
    order.push(`${name} is up`);
    return name;
  };
  return { start, finish, fail };
}

test('agents of one command start one after the other, those of another beside them, and a failure holds up nobody', async () => {
  const order: string[] = [];
  const [one, two, three, other] = ['one', 'two', 'three', 'other'].map((name) => gatedStart(name, order));
  const first = afterOtherStarts('agent', clock, one!.start);
  const second = afterOtherStarts('agent', clock, two!.start);
  const third = afterOtherStarts('agent', clock, three!.start);
  const elsewhere = afterOtherStarts('other agent', clock, other!.start);
  other!.finish();
  expect(await elsewhere).toBe('other');
  one!.fail();
  await expect(first).rejects.toThrow('one');
  two!.finish();
  three!.finish();
  expect(await Promise.all([second, third])).toEqual(['two', 'three']);
  expect(order.filter((line) => !line.startsWith('other'))).toEqual([
    'one starts',
    'two starts',
    'two is up',
    'three starts',
    'three is up',
  ]);
});

test('a start that hangs holds up the next one for a while only', async () => {
  const order: string[] = [];
  const quick = { ...clock, sleep: (_: number, signal?: AbortSignal) => clock.sleep(1, signal) };
  void afterOtherStarts('hanging', quick, gatedStart('hanging', order).start);
  expect(await afterOtherStarts('hanging', quick, async () => 'next')).toBe('next');
});
