/** The bundled example: a small text-counting tool, its specification, and the files that honest sessions write. */

import cliTest from '../../../assets/demo/cli-test.mjs';
import linesTest from '../../../assets/demo/lines-test.mjs';
import lines from '../../../assets/demo/lines.mjs';
import longestTest from '../../../assets/demo/longest-test.mjs';
import longest from '../../../assets/demo/longest.mjs';
import tally from '../../../assets/demo/tally.mjs';
import topTest from '../../../assets/demo/top-test.mjs';
import top from '../../../assets/demo/top.mjs';
import wordsTest from '../../../assets/demo/words-test.mjs';
import words from '../../../assets/demo/words.mjs';

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
      content: words,
    },
    test: wordsTest,
  },
  {
    id: 2,
    title: 'count lines',
    description: 'A program can count the lines of a text',
    test_file: 'tests/lines.test.js',
    steps: ['Lines are counted', 'A final newline starts no new line', 'An empty text has no lines'],
    source: {
      path: 'src/lines.js',
      content: lines,
    },
    test: linesTest,
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
      content: top,
    },
    test: topTest,
  },
  {
    id: 4,
    title: 'longest word',
    description: 'A program can find the longest word of a text',
    test_file: 'tests/longest.test.js',
    steps: ['The longest word is found', 'The first of several longest words wins', 'A text without words has none'],
    source: {
      path: 'src/longest.js',
      content: longest,
    },
    test: longestTest,
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
      content: tally,
    },
    test: cliTest,
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
