/** The bundled example: a small text-counting tool, its specification, and the files that honest sessions write. */

export const SPEC = `# tally

A command-line tool that describes a text: how many words and lines it has, which words are the most frequent,
which word is the longest. Plain JavaScript on Node, no dependencies.

- words are separated by any white space
- lines are counted with and without a final newline
- the most frequent words come first, ties in alphabetical order, letters in lower case
- the longest word is shown with its length
- \`tally FILE\` prints all of it as a short report
`;

interface DemoFeature {
  id: number;
  /** Few enough letters for a table on a narrow terminal. */
  title: string;
  description: string;
  test_file: string;
  steps: string[];
  depends_on?: number[];
  source: { path: string; content: string };
  test: string;
}

const HEADER = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";

export const FEATURES: readonly DemoFeature[] = [
  {
    id: 1,
    title: 'count words',
    description: 'A program can count the words of a text',
    test_file: 'tests/words.test.js',
    steps: [
      'Words separated by one space are counted',
      'Several spaces and line breaks count as one separator',
      'An empty text has no words',
    ],
    source: {
      path: 'src/words.js',
      content: "export function countWords(text) {\n  return text.split(/\\s+/).filter((word) => word !== '').length;\n}\n",
    },
    test: `${HEADER}import { countWords } from '../src/words.js';

test('counts words separated by one space', () => assert.equal(countWords('one two three'), 3));
test('takes any white space as one separator', () => assert.equal(countWords('  one\\n\\n two\\t\\tthree '), 3));
test('finds no words in an empty text', () => assert.equal(countWords(''), 0));
`,
  },
  {
    id: 2,
    title: 'count lines',
    description: 'A program can count the lines of a text',
    test_file: 'tests/lines.test.js',
    steps: ['Lines are counted', 'A final newline starts no new line', 'An empty text has no lines'],
    source: {
      path: 'src/lines.js',
      content:
        "export function countLines(text) {\n  if (text === '') return 0;\n  return text.replace(/\\n$/, '').split('\\n').length;\n}\n",
    },
    test: `${HEADER}import { countLines } from '../src/lines.js';

test('counts lines', () => assert.equal(countLines('a\\nb\\nc'), 3));
test('starts no new line at a final newline', () => assert.equal(countLines('a\\nb\\n'), 2));
test('finds no lines in an empty text', () => assert.equal(countLines(''), 0));
`,
  },
  {
    id: 3,
    title: 'frequent words',
    description: 'A program can list the most frequent words of a text',
    test_file: 'tests/top.test.js',
    steps: ['The most frequent word comes first', 'Ties are in alphabetical order', 'Upper and lower case are the same word'],
    depends_on: [1],
    source: {
      path: 'src/top.js',
      content: `export function topWords(text, count) {
  const times = new Map();
  for (const word of text.toLowerCase().match(/[\\p{L}\\p{N}']+/gu) ?? []) times.set(word, (times.get(word) ?? 0) + 1);
  return [...times].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1)).slice(0, count);
}
`,
    },
    test: `${HEADER}import { topWords } from '../src/top.js';

test('puts the most frequent word first', () => assert.deepEqual(topWords('b a b', 1), [['b', 2]]));
test('orders ties alphabetically', () => assert.deepEqual(topWords('c b a', 2), [['a', 1], ['b', 1]]));
test('ignores upper and lower case', () => assert.deepEqual(topWords('To to TO', 5), [['to', 3]]));
`,
  },
  {
    id: 4,
    title: 'longest word',
    description: 'A program can find the longest word of a text',
    test_file: 'tests/longest.test.js',
    steps: ['The longest word is found', 'The first of several longest words wins', 'A text without words has none'],
    source: {
      path: 'src/longest.js',
      content: `export function longestWord(text) {
  let longest = null;
  for (const word of text.match(/[\\p{L}\\p{N}']+/gu) ?? []) if (longest === null || word.length > longest.length) longest = word;
  return longest;
}
`,
    },
    test: `${HEADER}import { longestWord } from '../src/longest.js';

test('finds the longest word', () => assert.equal(longestWord('a short sentence'), 'sentence'));
test('keeps the first of several longest words', () => assert.equal(longestWord('four five'), 'four'));
test('finds none in a text without words', () => assert.equal(longestWord(' -- '), null));
`,
  },
  {
    id: 5,
    title: 'command line',
    description: 'A user can print a report about a file on the command line',
    test_file: 'tests/cli.test.js',
    steps: ['The report has words, lines, frequent words and the longest word', 'A missing file gives a message and status 1'],
    depends_on: [1, 2, 3, 4],
    source: {
      path: 'bin/tally.js',
      content: `#!/usr/bin/env node
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
  console.error(\`tally: cannot read \${file ?? '(no file given)'}\`);
  process.exitCode = 1;
}
if (text !== null) {
  const longest = longestWord(text) ?? '';
  console.log(\`words    \${countWords(text)}\`);
  console.log(\`lines    \${countLines(text)}\`);
  console.log(\`frequent \${topWords(text, 3).map(([word, times]) => \`\${word} (\${times})\`).join(', ')}\`);
  console.log(\`longest  \${longest} (\${longest.length})\`);
}
`,
    },
    test: `${HEADER}import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tally = (...args) => spawnSync(process.execPath, ['bin/tally.js', ...args], { encoding: 'utf8' });

test('prints words, lines, frequent words and the longest word', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-'));
  try {
    writeFileSync(join(folder, 'text.txt'), 'the cat and the hat\\n');
    assert.equal(tally(join(folder, 'text.txt')).stdout, 'words    5\\nlines    1\\nfrequent the (2), and (1), cat (1)\\nlongest  the (3)\\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('says that a file is missing and ends with status 1', () => {
  const result = tally('no-such-file.txt');
  assert.equal(result.status, 1);
  assert.match(result.stderr, /cannot read no-such-file\\.txt/);
});
`,
  },
];

export function featureListText(): string {
  const features = FEATURES.map(({ id, description, test_file, steps, depends_on }) => ({
    id,
    category: id === 5 ? 'cli' : 'core',
    description,
    test_file,
    verification_steps: steps,
    size_estimate: 'small',
    ...(depends_on === undefined ? {} : { depends_on }),
    passes: false,
  }));
  return `${JSON.stringify({ project: 'tally', generated_by: 'initializer', features }, null, 2)}\n`;
}
