import { expect, test } from 'vitest';
import type { CleanRooms } from '../../domain/tree.ts';
import { inTurn } from './room-turns.ts';

test('who wants the same room waits, also after a failure; other rooms and other projects do not', async () => {
  const rooms = {} as CleanRooms;
  const told: string[] = [];
  const steps: Record<string, () => void> = {};
  const use = (name: string) => async (): Promise<string> => {
    told.push(`${name} begins`);
    await new Promise<void>((resolve) => (steps[name] = resolve));
    told.push(`${name} ends`);
    if (name === 'first') throw new Error('no');
    return name;
  };
  const first = inTurn(rooms, 'judge', use('first')).catch(() => 'failed');
  const second = inTurn(rooms, 'judge', use('second'));
  const other = inTurn(rooms, 'base', use('other'));
  const elsewhere = inTurn({} as CleanRooms, 'judge', use('elsewhere'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual(['first begins', 'other begins', 'elsewhere begins']);
  for (const name of ['first', 'other', 'elsewhere']) steps[name]!();
  expect(await first).toBe('failed');
  await new Promise((resolve) => setImmediate(resolve));
  steps['second']!();
  expect(await Promise.all([second, other, elsewhere])).toEqual(['second', 'other', 'elsewhere']);
});
