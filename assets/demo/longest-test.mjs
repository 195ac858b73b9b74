import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestWord } from '../src/longest.js';

test('finds the longest word', () => assert.equal(longestWord('a short sentence'), 'sentence'));
test('keeps the first of several longest words', () => assert.equal(longestWord('four five'), 'four'));
test('finds none in a text without words', () => assert.equal(longestWord(' -- '), null));
