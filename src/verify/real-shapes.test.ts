/** Shapes that commits of real projects have: what is changed beside the code is shown to a person, and honest work is not refused for it. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '../domain/feature.ts';
import type { Verdict } from '../domain/verdict.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { judge } from './judge.ts';
import { passingIds } from './memory/baseline.ts';
import { runSuite } from './run/suite.ts';
import { findPython } from './run/programs.ts';
import { createBench, type Bench, type FileTable, type SettingsPatch } from './test-support.ts';

const hasCargo = spawnSync('cargo', ['--version']).status === 0;
const hasPython = (await findPython(nodePlatform())) !== null;

let bench: Bench;
beforeAll(async () => {
  bench = await createBench({ dependencies: true });
});
afterAll(() => bench.dispose());

interface Session {
  base: FileTable;
  work: FileTable;
  tests: string | string[];
  settings?: SettingsPatch;
}

const list = (tests: string | string[], passes: boolean): string =>
  JSON.stringify({ project: 'shapes', features: [{ id: 1, description: 'adds', test_file: tests, passes }] });

async function verdictOf({ base, work, tests, settings }: Session): Promise<Verdict> {
  const feature: Feature = { id: 1, description: 'adds', test_file: tests, passes: false };
  const before = {
    'package.json': '{"name":"shapes","type":"module","scripts":{"test":"node --test"}}',
    'features.json': list(tests, false),
    ...base,
  };
  const after = { ...before, ...work, 'features.json': list(tests, true) };
  const [baseTree, tree] = [await bench.tree(before), await bench.tree(after)];
  const context = bench.context(settings);
  const run = await runSuite(bench.platform, { ...context, tree: baseTree });
  const passing = passingIds(run.tests);
  return await judge(bench.platform, {
    ...context,
    session: 2,
    mode: 'feature',
    feature,
    base: { commit: 'c'.repeat(40), tree: baseTree },
    candidate: { tree, findings: [] },
    features: { trusted: before['features.json'], candidate: after['features.json'] },
    evidence: { mentionsTestFile: true, passingSummary: 'node:test', endedFailing: false, shown: true },
    baseline: {
      schema_version: 1,
      harness_version: '0',
      session: 1,
      timestamp: '',
      commit: '',
      tree: baseTree,
      runner: run.runner,
      passing_tests: passing,
      total_passing: passing.length,
      total_tests: run.tests.length,
    },
  });
}

const told = ({ decision, findings }: Verdict): string[] => [
  decision,
  ...findings.filter((one) => one.weight !== 'warn').map((one) => `${one.weight} ${one.reason}: ${one.message}`),
];

const NODE = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
const ADD = 'export const add = (a, b) => a + b;\n';
const OLD = "test('adds', () => {\n  const wanted = 3;\n  assert.equal(add(1, 2), wanted);\n});\n";
const tested = (...parts: string[]): string => `${NODE}import { add } from '../src/add.js';\n${parts.join('')}`;
const DOUBLED = "test('adds words', () => {\n  assert.equal(add('a', 'b'), 'a b');\n});\n";
const WORDS = "export const add = (a, b) => (typeof a === 'string' ? `${a} ${b}` : a + b);\n";

describe('in the file that the feature may write in', () => {
  test('an expectation that stands in a variable and changed with the code is shown to a person', async () => {
    const verdict = await verdictOf({
      base: { 'src/add.js': ADD, 'test/add.test.js': tested(OLD) },
      work: {
        'src/add.js': 'export const add = (a, b) => a + b + 0.5;\n',
        'test/add.test.js': tested(OLD.replace('wanted = 3', 'wanted = 3.5')),
      },
      tests: 'test/add.test.js',
    });
    expect(told(verdict)).toEqual([
      'needs_human',
      'ask tamper.tests: accepted tests were changed',
      expect.stringContaining('ask accepted.failed: the work changes accepted tests, and an earlier version of them fails'),
      'ask tamper.tests: expected values changed along with the code: 1 test that passed on base fails in its earlier version',
    ]);
  });

  test('tests that a function of the file makes, from names that changed with the code, are shown to a person', async () => {
    const made = (...calls: string[]): string =>
      tested(
        'function run(values, sum) {\n  test(`adds ${Object.keys(values)}`, () => {\n    assert.equal(add(values), sum);\n  });\n}\n',
        `${calls.join(';\n')};\n`,
      );
    const words = "test('adds words', () => {\n  assert.equal(add({ first: 'a', second: 'b' }), 'ab');\n});\n";
    const verdict = await verdictOf({
      base: {
        'src/add.js': 'export const add = ({ a = 0, rest = 0 }) => a + rest;\n',
        'test/add.test.js': made('run({ a: 1 }, 1)', 'run({ a: 1, rest: 2 }, 3)'),
      },
      work: {
        'src/add.js':
          "export const add = ({ a = 0, '*': rest = 0, first = null, second }) => (first === null ? a + rest : first + second);\n",
        'test/add.test.js': `${made('run({ a: 1 }, 1)', "run({ a: 1, '*': 2 }, 3)")}${words}`,
      },
      tests: 'test/add.test.js',
    });
    expect(told(verdict)[0]).toBe('needs_human');
  });

  test('tests that another file loads and tells as its own count as well', async () => {
    const parts = (...tests: string[]): string =>
      `const assert = require('node:assert/strict');\nconst { add } = require('../../src/add.cjs');\n${tests.join('').replaceAll("test('", "it('")}`;
    const source = (text: string): string => text.replace('export const add =', 'exports.add =');
    const base = {
      'src/add.cjs': source(ADD),
      'test/all.cjs':
        "const { readdirSync } = require('node:fs');\ndescribe('all', () => {\n  for (const one of readdirSync(`${__dirname}/parts`)) require(`./parts/${one}`);\n});\n",
      'test/parts/add.cjs': parts(OLD),
    };
    const settings = { testing: { full: 'npx mocha test/all.cjs' } };
    const session = (old: string): Promise<Verdict> =>
      verdictOf({
        base,
        work: { 'src/add.cjs': source(WORDS), 'test/parts/add.cjs': parts(old, DOUBLED) },
        tests: 'test/parts/add.cjs',
        settings,
      });
    expect(told(await session(OLD))).toEqual(['accepted']);
    expect(told(await session("test('adds', () => {\n});\n"))).toContain('ask tamper.tests: accepted tests were changed');
  });

  test('tests that the suite runs more than once because other files load them are one test each', async () => {
    const verdict = await verdictOf({
      base: {
        'src/add.js': ADD,
        'test/index.js': "import './add.js';\nimport './more.js';\n",
        'test/more.js': "import './add.js';\n",
        'test/add.js': tested(OLD),
      },
      work: { 'src/add.js': WORDS, 'test/add.js': tested(OLD, DOUBLED) },
      tests: 'test/add.js',
      settings: { testing: { full: 'node --test test/' } },
    });
    expect(told(verdict)).toEqual(['accepted']);
  });

  test('a test that is taken out is shown to a person', async () => {
    const gone = "test('adds nothing', () => {\n  assert.equal(add(1, 0), 1);\n});\n";
    const verdict = await verdictOf({
      base: { 'src/add.js': ADD, 'test/add.test.js': tested(OLD, gone) },
      work: { 'src/add.js': WORDS, 'test/add.test.js': tested(OLD, DOUBLED) },
      tests: 'test/add.test.js',
    });
    expect(told(verdict)[0]).toBe('needs_human');
    expect(told(verdict)).toContain('ask tamper.tests: 1 test that passed on base was removed');
  });

  test('a test that failed before and still fails is shown to a person; one that broke is refused', async () => {
    const red = "test('knows the weather', () => {\n  assert.equal(add(1, 1), 'sunny');\n});\n";
    const base = { 'src/add.js': ADD, 'test/add.test.js': tested(OLD, red) };
    const honest = await verdictOf({
      base,
      work: { 'src/add.js': WORDS, 'test/add.test.js': tested(OLD, red, DOUBLED) },
      tests: 'test/add.test.js',
    });
    expect(told(honest)).toEqual(['needs_human', 'ask test.failed: 1 of 3 tests of test/add.test.js failed, as before the session']);
    const touched = await verdictOf({
      base,
      work: { 'src/add.js': WORDS, 'test/add.test.js': tested(OLD, red.replace('sunny', 'rainy'), DOUBLED) },
      tests: 'test/add.test.js',
    });
    expect(touched.decision).toBe('rejected');
  });

  test('a test that was skipped before is told; one that failed before and is skipped now is shown to a person', async () => {
    const later = (body: string): string => `test('knows the weather', ${body});\n`;
    const skipped = later('{ skip: true }, () => {}');
    const red = later("() => {\n  assert.equal(add(1, 1), 'sunny');\n}");
    const session = (before: string): Session => ({
      base: { 'src/add.js': ADD, 'test/add.test.js': tested(OLD, before) },
      work: { 'src/add.js': WORDS, 'test/add.test.js': tested(OLD, skipped, DOUBLED) },
      tests: 'test/add.test.js',
    });
    expect(told(await verdictOf(session(skipped)))).toEqual(['accepted']);
    expect(told(await verdictOf(session(red)))).toContain('ask test.skipped: 1 test in test/add.test.js did not pass at the first attempt');
  });

  test('tests that were given and are still red are refused, also where one of them passes', async () => {
    const given = tested("test('one', () => assert.equal(add(1, 2), 3));\n", "test('two', () => assert.equal(add('a', 'b'), 'a b'));\n");
    const verdict = await verdictOf({
      base: { 'src/add.js': 'export const add = () => 0;\n', 'test/add.test.js': given },
      work: { 'src/add.js': ADD },
      tests: 'test/add.test.js',
    });
    expect(told(verdict)).toEqual(['rejected', 'reject test.failed: 1 of 2 tests of test/add.test.js failed']);
  });
});

test('what a test asks may stand in what it relies on: a check that became stricter is red on the old code', async () => {
  const check = (strict: boolean): string =>
    `import assert from 'node:assert/strict';\nexport const isSum = (got, wanted) => assert.${strict ? 'deepStrictEqual' : 'deepEqual'}(${strict ? '[got]' : '[Number(got)]'}, [wanted]);\n`;
  const text = `${NODE}import { add } from '../src/add.js';\nimport { isSum } from './check.js';\ntest('adds', () => isSum(add(1, 2), 3));\n`;
  const verdict = await verdictOf({
    base: { 'src/add.js': 'export const add = (a, b) => String(a + b);\n', 'test/check.js': check(false), 'test/add.test.js': text },
    work: { 'src/add.js': ADD, 'test/check.js': check(true), 'test/add.test.js': `${text}// strictly\n` },
    tests: 'test/add.test.js',
  });
  expect(verdict.decision).not.toBe('rejected');
  expect(told(verdict).join('\n')).not.toContain('fails on base');
});

test('a stricter check that only tests of other files are red by is shown to a person; a check that is red by nothing is refused', async () => {
  const check = (asked: string): string => `import assert from 'node:assert/strict';\nexport const isSum = (got, wanted) => ${asked};\n`;
  const text = (title: string, call: string): string =>
    `${NODE}import { add } from '../src/add.js';\nimport { isSum } from './check.js';\ntest('${title}', () => isSum(${call}));\n`;
  const session = (asked: string): Session => ({
    base: {
      'src/add.js': 'export const add = (a, b) => (a < 0 ? String(a + b) : a + b);\n',
      'test/check.js': check('assert.equal(Number(got), wanted)'),
      'test/add.test.js': text('adds', 'add(1, 2), 3'),
      'test/below.test.js': text('adds below nothing', 'add(-1, 2), 1'),
    },
    work: { 'src/add.js': ADD, 'test/check.js': check(asked), 'test/add.test.js': `${text('adds', 'add(1, 2), 3')}// strictly\n` },
    tests: 'test/add.test.js',
  });
  expect(told(await verdictOf(session('assert.equal(got, wanted)')))).toEqual([
    'needs_human',
    'ask test.not_red: no test in test/add.test.js fails on base; with a changed helper, tests in other files do',
  ]);
  expect((await verdictOf(session('assert.deepEqual(Number(got), wanted)'))).decision).toBe('rejected');
});

test.runIf(hasPython)(
  'code with examples in its documentation is code: it may change, and a changed example is shown to a person',
  async () => {
    const code = (example: string, body: string): string => `def add(a, b):\n    """Adds.\n\n    >>> ${example}\n    """\n    ${body}\n`;
    const test = (...more: string[]): string => `from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n${more.join('')}`;
    const work = 'if isinstance(a, str):\n        return a + " " + b\n    return a + b';
    const session = (example: string): Session => ({
      base: { 'calc.py': code('add(1, 1)\n    2', 'return a + b'), 'tests/test_calc.py': test() },
      work: { 'calc.py': code(example, work), 'tests/test_calc.py': test('\n\ndef test_words():\n    assert add("a", "b") == "a b"\n') },
      tests: 'tests/test_calc.py',
      settings: { testing: { full: 'python3 -m pytest --doctest-modules' } },
    });
    expect(told(await verdictOf(session('add(1, 1)\n    2')))).toEqual(['accepted']);
    expect(told(await verdictOf(session('add(2, 2)\n    4')))).toEqual([
      'needs_human',
      'ask tamper.tests: a source file was changed together with the tests in it',
    ]);
  },
);

describe('a test that no wrong value moves', () => {
  const named = (names: string, ...parts: string[]): string => `${NODE}import { ${names} } from '../src/add.js';\n${parts.join('')}`;
  const CALM = "test('does not mind nothing', () => {\n  assert.doesNotThrow(() => add(null));\n});\n";
  const OLD_LIST = "test('adds', () => {\n  assert.equal(add([1, 2]), 3);\n});\n";
  const SUM = 'export function add(all) {\n  return all.reduce((sum, one) => sum + one, 0);\n}\n';

  test('is proof where it falls with the function as it was: nothing is thrown any more', async () => {
    const verdict = await verdictOf({
      base: { 'src/add.js': SUM, 'test/add.test.js': tested(OLD_LIST) },
      work: { 'src/add.js': SUM.replace('all.reduce', '(all ?? []).reduce'), 'test/add.test.js': tested(OLD_LIST, CALM) },
      tests: 'test/add.test.js',
    });
    expect(told(verdict)).toEqual(['accepted']);
  });

  test('is proof where it falls with the function as it was: a callback is not called any more', async () => {
    const eager =
      'export function add(all, key) {\n  const seen = all.map((one) => key(one));\n  return seen.length > 0 ? all[0] : 0;\n}\n';
    const lazy = 'export function add(all, key) {\n  const seen = all.map((one) => one);\n  return seen.length > 0 ? all[0] : 0;\n}\n';
    const old = "test('adds', () => {\n  assert.equal(add([1, 2], (one) => one), 1);\n});\n";
    const calls =
      "test('asks for no key', () => {\n  const asked = [];\n  add([1], (one) => asked.push(one));\n  assert.deepEqual(asked, []);\n});\n";
    const verdict = await verdictOf({
      base: { 'src/add.js': eager, 'test/add.test.js': tested(old) },
      work: { 'src/add.js': lazy, 'test/add.test.js': tested(old, calls) },
      tests: 'test/add.test.js',
    });
    expect(told(verdict)).toEqual(['accepted']);
  });

  test('of a function that gives nothing back is shown to a person: one that does nothing would do', async () => {
    const push = (all: string): string => `export function add(all, into) {\n  for (const one of ${all}) into.push(one);\n}\n`;
    const old = "test('adds', () => {\n  const into = [];\n  add([1], into);\n  assert.deepEqual(into, [1]);\n});\n";
    const verdict = await verdictOf({
      base: { 'src/add.js': push('all'), 'test/add.test.js': tested(old) },
      work: { 'src/add.js': push('all ?? []'), 'test/add.test.js': tested(old, CALM) },
      tests: 'test/add.test.js',
    });
    expect(told(verdict)).toEqual([
      'needs_human',
      'ask test.not_red: the tests in test/add.test.js also pass when the changed code does nothing',
    ]);
  });

  test('proves nothing of new code, also where functions beside it lost what they rely on', async () => {
    const before = `const start = () => 0;\n${SUM.replace('one, 0', 'one, start()')}`;
    const stub = 'export function take() {\n  return add([]) && null;\n}\n';
    const calm = CALM.replace('add(null)', 'take(null)');
    const verdict = await verdictOf({
      base: { 'src/add.js': before, 'test/add.test.js': named('add', OLD_LIST) },
      work: { 'src/add.js': `${SUM}${stub}`, 'test/add.test.js': named('add, take', OLD_LIST, calm) },
      tests: 'test/add.test.js',
    });
    expect(verdict.decision).toBe('rejected');
  });
});

test('a file whose titles hold the time may gain a test, and may not lose one', async () => {
  const at = (name: string, body: string): string => `test(\`${name} \${process.hrtime.bigint()}\`, () => {\n  ${body}\n});\n`;
  const [one, two, three] = [
    at('adds', 'assert.equal(add(1, 2), 3);'),
    at('takes', 'assert.equal(add(-4, 1), -3);'),
    at('keeps', 'assert.equal(add(0, 7), 7);'),
  ];
  const session = (code: string, ...parts: string[]): Promise<Verdict> =>
    verdictOf({
      base: { 'src/add.js': ADD, 'test/add.test.js': tested(one, two) },
      work: { 'src/add.js': code, 'test/add.test.js': tested(...parts), 'test/words.test.js': tested(DOUBLED) },
      tests: 'test/words.test.js',
    });
  expect(told(await session(WORDS, one, two, three))).toEqual(['accepted']);
  expect(told(await session(WORDS.replace('a + b', 'Math.abs(a) + b'), one, three))[0]).not.toBe('accepted');
});

test('tests of packages that run before those of the project and notice wrong code too do not take the proof away', async () => {
  const first = `${NODE}import { first } from '../src/first.js';\ntest('takes the first', () => assert.equal(first(['tea', 'ink']), 'tea'));\n`;
  const old = `${NODE}import { count } from '../src/count.js';\ntest('counts', () => assert.equal(count(['tea']), 1));\n`;
  const verdict = await verdictOf({
    base: {
      'package.json':
        '{"name":"shapes","type":"module","workspaces":["packages/*"],"scripts":{"test":"npm test --workspaces && node --test test/"}}',
      'packages/cart/package.json': '{"name":"cart","version":"1.0.0","type":"module","scripts":{"test":"node --test"}}',
      'packages/cart/src/count.js': 'export const count = (items) => items.length;\n',
      'packages/cart/test/count.test.js': old,
      'src/add.js': ADD,
      'test/add.test.js': tested(OLD),
    },
    work: {
      'packages/cart/src/first.js': 'export const first = (items) => items[0];\n',
      'packages/cart/test/first.test.js': first,
      'src/join.js': "export const join = (a, b) => a + ' ' + b;\n",
      'test/join.test.js': `${NODE}import { join } from '../src/join.js';\ntest('joins', () => assert.equal(join('a', 'b'), 'a b'));\n`,
    },
    tests: 'test/join.test.js',
    settings: { testing: { full: 'npm test' } },
  });
  expect(told(verdict)).toEqual(['accepted']);
});

test.runIf(hasPython)('a package file that begins to say where its modules lie is shown to a person', async () => {
  const led = (text: string): Promise<Verdict> =>
    verdictOf({
      base: {
        'pyproject.toml': '[project]\nname = "shop"\n',
        'src/shop/__init__.py': '',
        'src/shop/add.py': 'def add(a, b):\n    return a + b\n',
        'old/add.py': 'def add(a, b):\n    return a + b\n',
        'tests/test_add.py': 'from shop.add import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
      },
      work: {
        'src/shop/__init__.py': text,
        'src/shop/words.py': "def words(a, b):\n    return a + ' ' + b\n",
        'tests/test_words.py': "from shop.words import words\n\n\ndef test_words():\n    assert words('a', 'b') == 'a b'\n",
      },
      tests: 'tests/test_words.py',
      settings: { testing: { full: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest' } },
    });
  expect(told(await led("VERSION = '2'.strip()\n"))).toEqual(['accepted']);
  const verdict = await led("__path__.insert(0, 'old')\n");
  expect(verdict.decision).toBe('needs_human');
  expect(JSON.stringify(verdict.findings)).toContain('src/shop/__init__.py: changes where modules of its package are found');
});

test('a file that loads the test files of a folder does not run their tests where they were loaded before it, and nobody is to blame', async () => {
  const index =
    "const { readdirSync } = require('node:fs');\nconst { join } = require('node:path');\ndescribe('all', () => {\n  for (const file of readdirSync(join(__dirname, 'parts'))) require(join(__dirname, 'parts', file));\n});\n";
  const part = (...parts: string[]): string =>
    `const assert = require('node:assert');\nconst { add } = require('../../src/add');\n${parts.join('').replaceAll('test(', 'it(')}`;
  const verdict = await verdictOf({
    base: {
      'package.json': '{"name":"shapes","scripts":{"test":"mocha"}}',
      'src/add.js': 'exports.add = (a, b) => a + b;\n',
      'test/index.js': index,
      'test/parts/add.js': part(OLD),
    },
    work: {
      'src/add.js': "exports.add = (a, b) => (typeof a === 'string' ? `${a} ${b}` : a + b);\n",
      'test/parts/add.js': part(OLD, DOUBLED),
    },
    tests: 'test/parts/add.js',
    settings: { testing: { full: 'npx mocha' } },
  });
  expect(told(verdict)).toEqual(['accepted']);
});

test.runIf(hasCargo)(
  'a test in Rust that was extended and cannot be compiled with the code from before the session is red there',
  async () => {
    const tested = (line: string): string => `#[test]\nfn adds() {\n    assert_eq!(shapes::add(1, 2), 3);\n${line}}\n`;
    const verdict = await verdictOf({
      base: {
        'Cargo.toml': '[package]\nname = "shapes"\nversion = "0.1.0"\nedition = "2018"\n',
        'Cargo.lock': 'version = 3\n\n[[package]]\nname = "shapes"\nversion = "0.1.0"\n',
        'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
        'tests/add.rs': tested(''),
      },
      work: {
        'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn twice(a: i32) -> i32 {\n    a * 2\n}\n',
        'tests/add.rs': tested('    assert_eq!(shapes::twice(4), 8);\n'),
      },
      tests: 'tests/add.rs',
      settings: { testing: { full: 'cargo test' } },
    });
    expect(told(verdict).filter((line) => line.includes('not_red'))).toEqual([
      'ask test.not_red: the change could not be mutated, so it is unknown whether the tests in tests/add.rs test it',
    ]);
    expect(verdict.decision).toBe('needs_human');
  },
);

test('titles that say where the project lies are the same tests wherever it lies', async () => {
  const placed = (...parts: string[]): string =>
    tested('test(`adds below ${process.cwd()}`, () => assert.equal(add(1, 2), 3));\n', ...parts);
  const verdict = await verdictOf({
    base: { 'src/add.js': ADD, 'test/add.test.js': placed() },
    work: { 'src/add.js': WORDS, 'test/add.test.js': placed(DOUBLED) },
    tests: 'test/add.test.js',
  });
  expect(told(verdict)).toEqual(['accepted']);
  expect(verdict.feature_tests).toContain('test/add.test.js::adds below <project>');
});

test('of a large file, what held whatever it expected is asked of the same assertions on the base', async () => {
  const pairs = (count: number, body: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => `test('case ${count} ${at}', () => {\n${body(at)}});\n`).join('');
  const steady = pairs(90, (at) => `  assert.equal(add(${at}, 1), ${at + 1});\n  assert.equal(add(${at}, 2), ${at + 2});\n`);
  const swallowed = pairs(12, (at) => `  try { assert.equal(add(${at}, 5), 70); assert.equal(add(${at}, 6), 71); } catch {}\n`);
  const verdict = await verdictOf({
    base: { 'src/add.js': ADD, 'test/add.test.js': tested(steady, swallowed) },
    work: { 'src/add.js': WORDS, 'test/add.test.js': tested(steady, swallowed, DOUBLED) },
    tests: 'test/add.test.js',
  });
  expect(told(verdict)).toEqual(['accepted']);
});

test('an entry of a package that has values and hands on the rest is code and no data of its tests', async () => {
  const suite = (...parts: string[]): string =>
    `${NODE}import { add, kinds } from '../src/index.js';\n${OLD}test('has kinds', () => assert.equal(kinds.length, 1));\n${parts.join('')}`;
  const words = "test('adds words', () => assert.equal(add('a', 'b'), 'a b'));\n";
  const verdict = await verdictOf({
    base: {
      'src/path.js': ADD,
      'src/index.js': "export * from './path.js';\nexport const kinds = ['number'];\n",
      'test/add.test.js': suite(),
    },
    work: {
      'src/path.js': 'export {};\n',
      'src/inner/path.js': WORDS,
      'src/index.js': "export * from './inner/path.js';\nexport const kinds = ['number'];\n",
      'test/add.test.js': suite(words),
    },
    tests: 'test/add.test.js',
  });
  expect(told(verdict)).toEqual(['accepted']);
});

test('a name that is only handed on, with a test that asks for the name, is a question: nothing of it can be made wrong', async () => {
  const asks = (name: string): string => `test('has ${name}', () => assert.ok(Object.keys(api).includes('${name}')));\n`;
  const asked = (...parts: string[]): string => [NODE, "import * as api from '../index.js';\n", ...parts].join('');
  const base = {
    'src/add.js': ADD,
    'index.js': "export { add } from './src/add.js';\n",
    'readme.md': '# Sums\n',
    'test/api.test.js': asked(asks('add')),
  };
  const read = { 'readme.md': '# Sums\n\nAlso as `sum`.\n', 'test/api.test.js': asked(asks('add'), asks('sum')) };
  const verdict = await verdictOf({
    base,
    work: { ...read, 'index.js': "export { add } from './src/add.js';\nexport { add as sum } from './src/add.js';\n" },
    tests: 'test/api.test.js',
  });
  expect(told(verdict)).toEqual([
    'needs_human',
    'ask test.not_red: the change could not be mutated, so it is unknown whether the tests in test/api.test.js test it',
  ]);
});

test('a comment in the code beside words that no test looks at does not make a question of a refusal', async () => {
  const counted = (count: number): string =>
    `${NODE}import { readdirSync } from 'node:fs';\ntest('has parts', () => assert.ok(readdirSync('words').length >= ${count}));\n`;
  const verdict = await verdictOf({
    base: { 'src/add.js': ADD, 'words/one.txt': 'one\n', 'test/words.test.js': counted(1) },
    work: { 'src/add.js': `// Sums.\n${ADD}`, 'words/two.txt': 'two\n', 'test/words.test.js': counted(2) },
    tests: 'test/words.test.js',
  });
  expect(told(verdict)).toContain(
    'reject test.not_red: the tests in test/words.test.js still pass when the new code returns wrong values, so they do not test it',
  );
  expect(verdict.decision).toBe('rejected');
});

test.runIf(hasCargo)('tests in Rust that stand in the code cannot be asked about the code from before: a question', async () => {
  const lib = (body: string, tests: string): string =>
    `pub fn add(a: i32, b: i32) -> i32 {\n    ${body}\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n${tests}}\n`;
  const verdict = await verdictOf({
    base: {
      'Cargo.toml': '[package]\nname = "shapes"\nversion = "0.1.0"\nedition = "2018"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "shapes"\nversion = "0.1.0"\n',
      'src/lib.rs': lib('a + b', ''),
    },
    work: {
      'src/lib.rs': lib('a.saturating_add(b)', '\n    #[test]\n    fn stops() {\n        assert_eq!(add(i32::MAX, 1), i32::MAX);\n    }\n'),
    },
    tests: 'src/lib.rs',
    settings: { testing: { full: 'cargo test' } },
  });
  expect(told(verdict).filter((line) => line.includes('not_red'))).toEqual([
    'ask test.not_red: the tests in src/lib.rs are part of a source file, so they cannot run on base',
  ]);
  expect(verdict.decision).toBe('needs_human');
});

test('a test file that is started as a program and uses node’s own tests is read test by test', async () => {
  const program = (...parts: string[]): string => [NODE, "import { add } from './src/add.js';\n", ...parts].join('');
  const verdict = await verdictOf({
    base: {
      'package.json': '{"name":"shapes","type":"module","scripts":{"test":"npm run unit","unit":"node --conditions development test.js"}}',
      'src/add.js': ADD,
      'test.js': program(OLD),
    },
    work: { 'src/add.js': WORDS, 'test.js': program(OLD, DOUBLED) },
    tests: 'test.js',
    settings: { testing: { full: 'npm test' } },
  });
  expect(told(verdict)).toEqual(['accepted']);
  expect(verdict.runner).toBe('node:test');
  expect(verdict.feature_tests).toContain('test.js::adds');
});

test('a test that notices wrong code only after others have run says so in its earlier version too, and has lost nothing', async () => {
  const few = "it('counts few', () => {\n  note('one');\n  assert.ok(count() < 3);\n});\n";
  const noticed = (...parts: string[]): string =>
    `const assert = require('node:assert');\nconst { add } = require('../src/add');\nconst { note, count } = require('../src/log');\n${parts.join('').replaceAll('test(', 'it(')}`;
  const played = (now: string): Promise<Verdict> =>
    verdictOf({
      base: {
        'package.json': '{"name":"shapes","scripts":{"test":"mocha"}}',
        'src/add.js': 'exports.add = (a, b) => a + b;\n',
        'src/log.js':
          'const seen = [];\nexports.note = (word) => {\n  seen.push(word);\n};\nexports.count = () => {\n  return seen.length;\n};\n',
        'test/add.js': noticed(OLD, few),
      },
      work: {
        'src/add.js': "exports.add = (a, b) => (typeof a === 'string' ? `${a} ${b}` : a + b);\n",
        'test/add.js': noticed(OLD, now, DOUBLED),
      },
      tests: 'test/add.js',
      settings: { testing: { full: 'npx mocha' } },
    });
  expect(told(await played(few))).toEqual(['accepted']);
  const weaker = await played(few.replace('assert.ok(count() < 3)', 'assert.ok(count() < 3 || true)'));
  expect(told(weaker)).toContain('ask tamper.tests: accepted tests were changed');
});

test('titles that name the temporary directory or the home of a run are the same tests in every run', async () => {
  const placed = (...parts: string[]): string =>
    tested(
      "import { homedir, tmpdir } from 'node:os';\ntest(`adds in ${tmpdir()}/a and ${homedir()}/b`, () => assert.equal(add(1, 2), 3));\n",
      ...parts,
    );
  const verdict = await verdictOf({
    base: { 'src/add.js': ADD, 'test/add.test.js': placed() },
    work: { 'src/add.js': WORDS, 'test/add.test.js': placed(DOUBLED) },
    tests: 'test/add.test.js',
  });
  expect(told(verdict)).toEqual(['accepted']);
  expect(verdict.feature_tests).toContain('test/add.test.js::adds in <temporary>/a and <home>/b');
});

describe.runIf(hasPython)('a file that names its tests itself', () => {
  const loading = 'def load_tests(loader, tests, pattern):\n    return loader.loadTestsFromTestCase(Adding)\n';
  const head = 'import unittest\n\nfrom src.add import add\n\n\nclass Adding(unittest.TestCase):\n';
  const adds = '    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n\n';
  const many = '    def test_many(self):\n        self.assertEqual(add(1, 2, 3), 6)\n\n';
  const session = (before: string, now: string): Session => ({
    settings: { testing: { full: 'python3 -m unittest discover -s tests -t .' } },
    base: {
      'src/__init__.py': '',
      'tests/__init__.py': '',
      'src/add.py': 'def add(a, b):\n    return a + b\n',
      'tests/test_add.py': before,
    },
    work: { 'src/add.py': 'def add(*all):\n    return sum(all)\n', 'tests/test_add.py': now },
    tests: 'tests/test_add.py',
  });

  test('names the harness’s own as well where it did so before the session', async () => {
    const { decision, findings } = await verdictOf(session(`${head}${adds}\n${loading}`, `${head}${adds}${many}\n${loading}`));
    expect({ decision, findings: findings.map((one) => one.message) }).toEqual({ decision: 'accepted', findings: [] });
  });

  test('is refused where the session began it', async () => {
    const { decision, reasons } = await verdictOf(session(`${head}${adds}`, `${head}${adds}${many}\n${loading}`));
    expect(decision).not.toBe('accepted');
    expect(reasons).toContain('tamper.toolchain');
  });
});

test('a set-up that tests import themselves makes no configuration of the product that it imports', async () => {
  const helper = "import { add } from '../../src/add.js';\nexport { add };\n";
  const head = "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from './helpers/setup-tests.js';\n";
  const adds = "test('adds', () => assert.equal(add(1, 2), 3));\n";
  const { decision, findings } = await verdictOf({
    base: {
      'src/add.js': 'export const add = (a, b) => a + b;\n',
      'test/helpers/setup-tests.js': helper,
      'test/add.test.js': `${head}${adds}`,
    },
    work: {
      'src/add.js': 'export const add = (...all) => all.reduce((sum, one) => sum + one, 0);\n',
      'test/add.test.js': `${head}${adds}test('adds many', () => assert.equal(add(1, 2, 3), 6));\n`,
    },
    tests: 'test/add.test.js',
  });
  expect({ decision, findings: findings.map((one) => one.message) }).toEqual({ decision: 'accepted', findings: [] });
});

test('an accepted file in which the harness’s own tests never run as others do is held against nobody', async () => {
  const asks = (call: string, sum: number): string => `  assert.equal(${call}, ${sum});\n`;
  const head = "import * as runner from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/add.js';\n";
  const old = `${head}const { test: it } = runner;\nconst test = (name, body) => (name === 'adds' ? it(name, body) : undefined);\ntest('adds', () => {\n${asks('add(1, 2)', 3)}});\n`;
  const fresh = "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/add.js';\n";
  const { decision, findings } = await verdictOf({
    base: { 'src/add.js': 'export const add = (a, b) => a + b;\n', 'test/old.test.js': old },
    work: {
      'src/add.js': 'export const add = (...all) => all.reduce((sum, one) => sum + one, 0);\n',
      'test/many.test.js': `${fresh}test('adds many', () => {\n${asks('add(1, 2, 3)', 6)}});\n`,
    },
    tests: 'test/many.test.js',
  });
  expect({ decision, findings: findings.map((one) => one.message) }).toEqual({ decision: 'accepted', findings: [] });
});

test('a set-up that tests import themselves may not be loosened by way of the product', async () => {
  const helper = "import { same } from '../../src/same.js';\nexport { same };\n";
  const strict = 'export function same(a, b) {\n  if (a !== b) throw new Error(`${a} is not ${b}`);\n}\n';
  const head = "import test from 'node:test';\nimport { add } from '../src/add.js';\nimport { same } from './helpers/setup-tests.js';\n";
  const old = `${head}test('adds', () => same(add(1, 2), 3));\ntest('adds nothing', () => same(add(1, 0), 1));\n`;
  const { decision } = await verdictOf({
    base: {
      'src/add.js': 'export const add = (a, b) => a + b;\n',
      'src/same.js': strict,
      'test/helpers/setup-tests.js': helper,
      'test/old.test.js': old,
    },
    work: {
      'src/add.js': 'export const add = (...all) => all.reduce((sum, one) => sum + one, 0);\n',
      'src/same.js': 'export function same(a, b) {\n  if (typeof a !== typeof b) throw new Error(`${a} is not ${b}`);\n}\n',
      'test/many.test.js':
        "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/add.js';\ntest('adds many', () => assert.equal(add(1, 2, 3), 6));\n",
    },
    tests: 'test/many.test.js',
  });
  expect(decision).not.toBe('accepted');
});

test('a file that did not stand another date before the session is not held against its new tests', async () => {
  const today = `if (Math.abs(Date.now() - ${Date.now()}) > 43_200_000) process.exit(7);\n`;
  const head = "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/add.js';\n";
  const adds = "test('adds', () => assert.equal(add(1, 2), 3));\n";
  const more = "test('adds many', () => assert.equal(add(1, 2, 3), 6));\n";
  const session = (before: string, now: string): Session => ({
    base: { 'src/add.js': 'export const add = (a, b) => a + b;\n', 'test/add.test.js': before },
    work: { 'src/add.js': 'export const add = (...all) => all.reduce((sum, one) => sum + one, 0);\n', 'test/add.test.js': now },
    tests: 'test/add.test.js',
  });
  const known = await verdictOf(session(`${head}${today}${adds}`, `${head}${today}${adds}${more}`));
  expect({ decision: known.decision, reasons: known.reasons }).toEqual({ decision: 'accepted', reasons: [] });
  const fresh = await verdictOf(session(`${head}${adds}`, `${head}${today}${adds}${more}`));
  expect(fresh.decision).not.toBe('accepted');
});

test('a test file that imports under another name what has another name now is shown to a person', async () => {
  const head = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
  const adds = "test('adds', () => assert.equal(add(1, 2), 3));\n";
  const { decision, findings } = await verdictOf({
    base: {
      'src/add.js': 'export default (a, b) => a + b;\n',
      'test/add.test.js': `${head}import add from '../src/add.js';\n${adds}`,
    },
    work: {
      'src/add.js': 'export const add = (...all) => all.reduce((sum, one) => sum + one, 0);\n',
      'test/add.test.js': `${head}import { add } from '../src/add.js';\n${adds}test('adds many', () => assert.equal(add(1, 2, 3), 6));\n`,
    },
    tests: 'test/add.test.js',
  });
  expect(decision).toBe('needs_human');
  expect(findings.map((one) => one.message)).toContain(
    'modules that tests import were removed: 1 test that passed on base fails in its earlier version',
  );
});
