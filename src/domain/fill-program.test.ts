import { expect, test } from 'vitest';
import { asScript, fill } from './fill-program.ts';

test('names become values, in strings and regular expressions too, and values are not read again', () => {
  const program = "const room = given_room;\nif (/^(?:given_words)$/.test('given_words')) import('./given_kit.mjs');";
  expect(fill(program, { room: '"given_words $& $1"', words: 'cd|echo', kit: 'a-kit' })).toBe(
    "const room = \"given_words $& $1\";\nif (/^(?:cd|echo)$/.test('cd|echo')) import('./a-kit.mjs');",
  );
  expect(fill('forgiven_room = 1', {})).toBe('forgiven_room = 1');
});

test('a name without a value and a value without a name are errors', () => {
  expect(() => fill('given_room', {})).toThrow('given_room, which has no value');
  expect(() => fill('given_room', { room: '1', word: '2', words: '3' })).toThrow('no given_word, given_words');
});

test('a module as a script', () => {
  const module =
    "import strict from 'node:assert/strict';\nimport { is as same, not } from './x.mjs';\nconst a = 1;\nexport { a, same };\n";
  expect(asScript(module)).toBe(
    "const strict = require('node:assert/strict');\nconst { is: same, not } = require('./x.mjs');\nconst a = 1;\nmodule.exports = { a, same };\n",
  );
});
