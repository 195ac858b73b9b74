import { describe, expect, test } from 'vitest';
import { importedPaths, keyFiles, type KeyFileFacts } from './key-files.ts';

function facts(paths: string[], more: Partial<KeyFileFacts> = {}): KeyFileFacts {
  return { paths: new Set(paths), tests: [], history: [], ...more };
}

describe('key files', () => {
  test('are the test, what it imports, then what was touched last', () => {
    const found = keyFiles(
      facts(['tests/cart.test.js', 'src/cart.js', 'src/price.js', 'src/old.js'], {
        tests: [{ path: 'tests/cart.test.js', text: "import { add } from '../src/cart.js';" }],
        history: [
          { session: 7, files: ['src/price.js', 'src/cart.js', 'gone.js'] },
          { session: null, files: ['src/old.js'] },
        ],
      }),
    );
    expect(found).toEqual([
      { path: 'tests/cart.test.js', note: 'the test file' },
      { path: 'src/cart.js', note: 'imported by the test; last modified in session 7' },
      { path: 'src/price.js', note: 'last modified in session 7' },
      { path: 'src/old.js', note: 'in the project' },
    ]);
  });

  test('begin with what the interface of the feature names', () => {
    const found = keyFiles(
      facts(['src/cli.js', 'src/price.js'], {
        interface: "run(['list'], file) in src/cli.js: text; src/list.js is new",
        history: [{ session: 7, files: ['src/price.js'] }],
      }),
    );
    expect(found.map(({ path, note }) => `${path} (${note})`)).toEqual([
      'src/cli.js (named by the feature; in the project)',
      'src/price.js (last modified in session 7)',
    ]);
  });

  test('leave out the books of the harness, lockfiles, other tests and what is gone', () => {
    const files = [
      'features.json',
      'claude-progress.txt',
      'package-lock.json',
      'init.sh',
      'tests/other.test.js',
      'src/a.spec.ts',
      'gone.js',
    ];
    expect(
      keyFiles(
        facts(
          files.filter((file) => file !== 'gone.js'),
          { history: [{ session: 1, files }] },
        ),
      ),
    ).toEqual([]);
  });

  test('are at most eight', () => {
    const files = Array.from({ length: 100 }, (_, index) => `src/${index}.js`);
    expect(keyFiles(facts(files, { history: [{ session: 1, files }] }))).toHaveLength(8);
  });
});

describe('imports', () => {
  const paths = new Set(['src/a.ts', 'src/b.js', 'src/c/index.ts', 'lib/d.mjs', 'shop/cart.py', 'src/shop/price.py', 'shop/__init__.py']);

  test.each([
    ["import { a } from '../src/a.js';", ['src/a.ts']],
    ["import '../src/a';", ['src/a.ts']],
    ['export * from "../src/b.js"', ['src/b.js']],
    ["const b = require('../src/b')", ['src/b.js']],
    ["await import( '../lib/d.mjs' )", ['lib/d.mjs']],
    ["import c from '../src/c'", ['src/c/index.ts']],
    ['from shop.cart import add', ['shop/cart.py']],
    ['  import shop', ['shop/__init__.py']],
    ['from shop.price import total', ['src/shop/price.py']],
    ["import fs from 'node:fs'", []],
    ["import x from '../../../etc/passwd'", []],
  ])('of %j name files of the project', (text, expected) => {
    expect(importedPaths('tests/x.test.js', text, paths)).toEqual(expected);
  });

  test('of a test in the root folder are found too', () => {
    expect(importedPaths('x.test.js', "import './src/b.js'", paths)).toEqual(['src/b.js']);
  });

  test('are read in a moment from a file that was written to be slow', () => {
    const before = performance.now();
    for (const hostile of [
      `import${' '.repeat(200_000)}x`,
      '\n'.repeat(200_000),
      `require (${' '.repeat(200_000)}x`,
      `from ${'a.'.repeat(100_000)}`,
      "from './".repeat(25_000),
    ])
      importedPaths('tests/x.js', hostile, paths);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
