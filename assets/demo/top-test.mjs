import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topWords } from '../src/top.js';

test('puts the most frequent word first', () => assert.deepEqual(topWords('b a b', 1), [['b', 2]]));
test('orders ties alphabetically', () =>
  assert.deepEqual(topWords('c b a', 2), [
    ['a', 1],
    ['b', 1],
  ]));
test('ignores upper and lower case', () => assert.deepEqual(topWords('To to TO', 5), [['to', 3]]));
