import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { readSource } from '../source/read-source.ts';
import { allUnits } from './make-wrong.ts';
import { wrongJavascript } from './wrong-javascript.ts';
import type { Wrongness } from './wrongness.ts';

const platform = nodePlatform();
const KINDS: Wrongness['kind'][] = ['one', 'other', 'inside', 'inside-other', 'apart', 'same', 'thrown', 'hollow'];

test.each(KINDS)('%s: nothing is put in that the parser of an old loader could not read', async (kind) => {
  const text = 'export function add(a, b) {\n  return a + b;\n}\n';
  const reading = (await readSource(platform, 'a.js', text))!;
  const made = wrongJavascript({ text, path: 'a.js', reading }, allUnits(reading), { kind, name: 'helper', word: 'word', offset: 1 });
  expect(made).not.toMatch(/\?\.|\?\?|(?:\|\||&&)=|\b\d+n\b|catch \{/);
});
