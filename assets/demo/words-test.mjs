import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countWords } from '../src/words.js';

test('counts words separated by one space', () => assert.equal(countWords('one two three'), 3));
test('takes any white space as one separator', () => assert.equal(countWords('  one\n\n two\t\tthree '), 3));
test('finds no words in an empty text', () => assert.equal(countWords(''), 0));
