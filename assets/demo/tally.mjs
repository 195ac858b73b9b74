#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { countLines } from '../src/lines.js';
import { longestWord } from '../src/longest.js';
import { topWords } from '../src/top.js';
import { countWords } from '../src/words.js';

const file = process.argv[2];
let text = null;
try {
  text = readFileSync(file, 'utf8');
} catch {
  console.error(`tally: cannot read ${file ?? '(no file given)'}`);
  process.exitCode = 1;
}
if (text !== null) {
  const longest = longestWord(text) ?? '';
  console.log(`words    ${countWords(text)}`);
  console.log(`lines    ${countLines(text)}`);
  console.log(
    `frequent ${topWords(text, 3)
      .map(([word, times]) => `${word} (${times})`)
      .join(', ')}`,
  );
  console.log(`longest  ${longest} (${longest.length})`);
}
