import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['statsu', 'status'],
  ['gatse', 'gates'],
  ['STATUS', 'status'],
  ['chekpoints', 'checkpoints'],
  ['runn', 'run'],
  ['xyzzy', null],
  ['', null],
])('%j was meant to be %j', (word, meant) => {
  expect(nearest(word, ['status', 'gates', 'checkpoints', 'run', 'rollback'])).toBe(meant);
});

test('of several near words the nearest is taken, and the first among equals', () => {
  expect(nearest('agent.comand', ['agent.commands', 'agent.command'])).toBe('agent.command');
  expect(nearest('ab', ['ax', 'ay'])).toBe('ax');
});
