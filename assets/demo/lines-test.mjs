import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countLines } from '../src/lines.js';

test('counts lines', () => assert.equal(countLines('a\nb\nc'), 3));
test('starts no new line at a final newline', () => assert.equal(countLines('a\nb\n'), 2));
test('finds no lines in an empty text', () => assert.equal(countLines(''), 0));
