/** Work as it comes up in real projects: programs with commands, made things, own errors, golden files, old code that moves on. */
import { inFamily, type Behaviour, type Files } from '../behaviour.ts';
import { SCRIPT_RUNNERS } from '../runners.ts';
import type { Dialect } from '../dialect.ts';

const tell = inFamily('honest work', 'honest');
const honest: typeof tell = (id, title, details) => tell(id, title, { expected: 'accepted', ...details });

/** A module under the feature's name and tests that use what it exports. */
const work = (
  t: Dialect,
  names: string,
  code: readonly [string, string],
  tests: readonly string[],
  imports: readonly string[] = [],
): Files => ({
  [t.featureCode]: t.module(code[0], code[1]),
  [t.featureTest]: t.suite([...imports, t.use(names, t.name)], tests),
});
/** A test of several statements, each in the words of the language. */
const testOf = (t: Dialect, title: string, js: readonly string[], python: readonly string[]): string =>
  t.test(title, ...(t.js ? js : python));
const throwsOf = (t: Dialect, call: readonly [string, string], js: string, python: string): string =>
  t.js
    ? t.runner === 'node:test'
      ? `assert.throws(() => { ${call[0]}; }, ${js})`
      : `expect(() => { ${call[0]}; }).toThrow(${js})`
    : `with pytest.raises(${python}):\n    ${call[1]}`;

const MADE_JS = `export const makeCart = () => {
  const lines = [];
  return Object.freeze({
    add: (name) => {
      if (!name) throw new TypeError('a line needs a name');
      lines.push(name);
      return lines.length;
    },
    names: () => [...lines],
  });
};
`;
const MADE_PYTHON = `from dataclasses import dataclass, field


@dataclass(frozen=True)
class Cart:
    lines: list = field(default_factory=list)

    def add(self, name):
        if not name:
            raise AttributeError('a line needs a name')
        self.lines.append(name)
        return len(self.lines)

    def names(self):
        return list(self.lines)


def makeCart():
    return Cart()
`;

const ERRORS_JS = `export const ShortageError = class extends Error {
  constructor(left) {
    super(\`only \${left} left\`);
    this.left = left;
  }
};
export const take = (stock, count) => {
  if (count > stock) throw new ShortageError(stock);
  return stock - count;
};
`;
const ERRORS_PYTHON = `class ShortageError(Exception):
    def __init__(self, left):
        super().__init__(f'only {left} left')
        self.left = left


def take(stock, count):
    if count > stock:
        raise ShortageError(stock)
    return stock - count
`;

const PROGRAM_JS = `import { sum } from '../src/sum.js';
const [command, ...words] = process.argv.slice(2);
if (command === 'sum') console.log(sum(Number(words[0]), Number(words[1])));
else {
  console.error('unknown command: ' + command);
  process.exitCode = 2;
}
`;
const PROGRAM_PYTHON = `import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from src.sum import sum as add

command, *words = sys.argv[1:]
if command == 'sum':
    print(add(int(words[0]), int(words[1])))
else:
    print('unknown command: ' + command, file=sys.stderr)
    sys.exit(2)
`;
const program = (t: Dialect): string => t.both('bin/shop.js', 'bin/shop.py');

const PARTS: readonly Behaviour[] = [
  honest('made-thing-refuses', 'a factory makes things, and a test expects them to refuse', {
    agent: (t) => ({
      files: work(
        t,
        'makeCart',
        [MADE_JS, MADE_PYTHON],
        [
          testOf(
            t,
            'keeps names',
            ['const cart = makeCart()', t.equal("cart.add('pen')", '1'), t.same('cart.names()', "['pen']")],
            ['cart = makeCart()', "assert cart.add('pen') == 1", "assert cart.names() == ['pen']"],
          ),
          t.test('refuses a line without a name', throwsOf(t, ["makeCart().add('')", "makeCart().add('')"], 'TypeError', 'AttributeError')),
        ],
      ),
    }),
  }),
  honest('made-thing-cannot-change', 'a made thing cannot be changed from outside', {
    agent: (t) => ({
      files: work(
        t,
        'makeCart',
        [MADE_JS, MADE_PYTHON],
        [
          testOf(t, 'counts', [t.equal("makeCart().add('ink')", '1')], ["assert makeCart().add('ink') == 1"]),
          t.test(
            'is closed',
            throwsOf(
              t,
              ["'use strict'; Object.defineProperty(makeCart(), 'add', { value: 1 })", 'makeCart().lines = []'],
              'TypeError',
              'AttributeError',
            ),
          ),
        ],
      ),
    }),
  }),
  honest('error-of-its-own', 'an error of its own says what is left', {
    agent: (t) => ({
      files: work(
        t,
        'ShortageError, take',
        [ERRORS_JS, ERRORS_PYTHON],
        [
          t.test('takes', t.equal('take(5, 2)', '3')),
          t.test('refuses more than there is', throwsOf(t, ['take(1, 2)', 'take(1, 2)'], 'ShortageError', 'ShortageError')),
          t.test('says what is left', t.equal(t.both('new ShortageError(4).left', 'ShortageError(4).left'), '4')),
        ],
      ),
    }),
  }),
  honest('values-one-by-one', 'values are given one by one', {
    agent: (t) => ({
      files: work(
        t,
        'pages',
        [
          'export const pages = function* (items, size) {\n  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);\n};\n',
          'def pages(items, size):\n    for at in range(0, len(items), size):\n        yield items[at:at + size]\n',
        ],
        [
          t.test('gives pages', t.same(t.both('[...pages([1, 2, 3], 2)]', 'list(pages([1, 2, 3], 2))'), '[[1, 2], [3]]')),
          t.test('gives the first page first', t.same(t.both('pages([1, 2, 3], 2).next().value', 'next(pages([1, 2, 3], 2))'), '[1, 2]')),
        ],
      ),
    }),
  }),
  honest('listeners', 'listeners are called in their order', {
    agent: (t) => ({
      files: work(
        t,
        'makeBell',
        [
          'export const makeBell = () => {\n  const heard = [];\n  return { on: (f) => { heard.push(f); }, ring: (tone) => { for (const f of heard) f(tone); } };\n};\n',
          'class Bell:\n    def __init__(self):\n        self.heard = []\n\n    def on(self, listener):\n        self.heard.append(listener)\n\n    def ring(self, tone):\n        for listener in self.heard:\n            listener(tone)\n\n\ndef makeBell():\n    return Bell()\n',
        ],
        [
          testOf(
            t,
            'calls in order',
            [
              'const calls = []',
              'const bell = makeBell()',
              "bell.on((tone) => calls.push('first ' + tone))",
              "bell.on((tone) => calls.push('second ' + tone))",
              "bell.ring('low')",
              t.same('calls', "['first low', 'second low']"),
            ],
            [
              'calls = []',
              'bell = makeBell()',
              "bell.on(lambda tone: calls.append('first ' + tone))",
              "bell.on(lambda tone: calls.append('second ' + tone))",
              "bell.ring('low')",
              "assert calls == ['first low', 'second low']",
            ],
          ),
        ],
      ),
    }),
  }),
  honest('variable-of-the-environment', 'a setting comes from the environment', {
    agent: (t) => ({
      files: work(
        t,
        'currency',
        [
          "export const currency = () => process.env.SHOP_CURRENCY ?? 'EUR';\n",
          "import os\n\n\ndef currency():\n    return os.environ.get('SHOP_CURRENCY', 'EUR')\n",
        ],
        [
          t.test('is the euro', t.equal('currency()', "'EUR'")),
          testOf(
            t,
            'can be set',
            ["process.env.SHOP_CURRENCY = 'CHF'", 'const set = currency()', 'delete process.env.SHOP_CURRENCY', t.equal('set', "'CHF'")],
            ["os.environ['SHOP_CURRENCY'] = 'CHF'", 'found = currency()', "del os.environ['SHOP_CURRENCY']", "assert found == 'CHF'"],
          ),
        ],
        t.js ? [] : ['import os'],
      ),
    }),
  }),
];

const TESTS: readonly Behaviour[] = [
  honest('tests-made-in-a-loop', 'tests are made in a loop over cases', {
    runners: SCRIPT_RUNNERS,
    agent: (t) => ({
      files: {
        [t.featureCode]: t.right,
        [t.featureTest]: t.suite(
          [t.use(t.name)],
          [
            `const cases = [['${t.input}', '${t.output}'], ['${t.otherInput}', '${t.otherOutput}']];\nfor (const [given, wanted] of cases) {\n  test(\`${t.name} of \${given}\`, () => {\n    ${t.equal(`${t.name}(given)`, 'wanted')};\n  });\n}`,
          ],
        ),
      },
    }),
  }),
  honest('parts-of-a-test', 'one test has several parts', {
    runners: ['node:test', 'pytest'],
    agent: (t) => ({
      files: {
        [t.featureCode]: t.right,
        [t.featureTest]: t.js
          ? t.suite(
              [t.use(t.name)],
              [
                `test('parts', async (t) => {\n  await t.test('first', () => {\n    ${t.equal(t.call, `'${t.output}'`)};\n  });\n  await t.test('second', () => {\n    ${t.equal(`${t.name}('${t.otherInput}')`, `'${t.otherOutput}'`)};\n  });\n});`,
              ],
            )
          : `import unittest\n\nfrom src.${t.name} import ${t.name}\n\n\nclass PartsTest(unittest.TestCase):\n    def test_parts(self):\n        for given, wanted in [('${t.input}', '${t.output}'), ('${t.otherInput}', '${t.otherOutput}')]:\n            with self.subTest(given=given):\n                self.assertEqual(${t.name}(given), wanted)\n`,
      },
    }),
  }),
  honest('golden-files', 'each file of a folder is a case', {
    agent: (t) => ({
      files: {
        [t.featureCode]: t.right,
        [`${t.folder}/golden/first.json`]: `${JSON.stringify({ given: t.input, wanted: t.output })}\n`,
        [`${t.folder}/golden/second.json`]: `${JSON.stringify({ given: t.otherInput, wanted: t.otherOutput })}\n`,
        [t.featureTest]: t.suite(
          t.js ? ["import { readdirSync, readFileSync } from 'node:fs';", t.use(t.name)] : ['import json', 'import pathlib', t.use(t.name)],
          [
            t.js
              ? t.test(
                  'every golden file holds',
                  "const files = readdirSync('test/golden')",
                  t.equal('files.length', '2'),
                  `for (const file of files) { const { given, wanted } = JSON.parse(readFileSync('test/golden/' + file, 'utf8')); ${t.equal(`${t.name}(given)`, 'wanted')}; }`,
                )
              : `def test_every_golden_file_holds():\n    files = sorted((pathlib.Path(__file__).parent / 'golden').iterdir())\n    assert len(files) == 2\n    for file in files:\n        case = json.loads(file.read_text())\n        assert ${t.name}(case['given']) == case['wanted']`,
          ],
        ),
      },
    }),
  }),
  honest('assertions-behind-a-word', 'a word of the test file stands for its assertions', {
    agent: (t) => ({
      files: {
        [t.featureCode]: t.right,
        [t.featureTest]: t.suite(
          [t.use(t.name)],
          [
            t.js
              ? `const becomes = (given, wanted) => {\n  ${t.equal(`${t.name}(given)`, 'wanted')};\n};`
              : `def becomes(given, wanted):\n    assert ${t.name}(given) == wanted`,
            t.test('first', `becomes('${t.input}', '${t.output}')`),
            t.test('second', `becomes('${t.otherInput}', '${t.otherOutput}')`),
          ],
        ),
      },
    }),
  }),
  honest('test-with-a-name-of-the-world', 'the test has a name with spaces and letters of the world', {
    runners: SCRIPT_RUNNERS,
    feature: { test_file: 'test/größe und maß.test.js' },
    agent: (t) => ({ files: { [t.featureCode]: t.right, 'test/größe und maß.test.js': t.honestTest } }),
  }),
  honest('test-beside-the-source', 'the test stands beside its source', {
    runners: SCRIPT_RUNNERS,
    feature: { test_file: 'src/words/words.test.js' },
    agent: (t) => ({
      files: {
        'src/words/words.js': t.right,
        'src/words/words.test.js': t.honestTest.replace(`../src/${t.name}.js`, './words.js'),
      },
    }),
  }),
];

const OLD_CODE: readonly Behaviour[] = [
  honest('command-of-the-program', 'the program gets another command', {
    base: (t) => ({ [program(t)]: t.module(PROGRAM_JS, PROGRAM_PYTHON) }),
    agent: (t) => ({
      files: {
        [t.featureCode]: t.right,
        [program(t)]: t.js
          ? t
              .module(`import { ${t.name} } from '../src/${t.name}.js';\n${PROGRAM_JS}`, '')
              .replace('else {', `else if (command === '${t.name}') console.log(${t.name}(words[0]));\nelse {`)
          : PROGRAM_PYTHON.replace('import sum as add\n', `import sum as add\nfrom src.${t.name} import ${t.name}\n`).replace(
              'else:',
              `elif command == '${t.name}':\n    print(${t.name}(words[0]))\nelse:`,
            ),
        [t.featureTest]: t.suite(t.js ? ["import { spawnSync } from 'node:child_process';"] : ['import subprocess', 'import sys'], [
          testOf(
            t,
            'the program does it',
            [
              `const done = spawnSync(process.execPath, ['bin/shop.js', '${t.name}', '${t.input}'], { encoding: 'utf8' })`,
              t.equal('done.stdout.trim()', `'${t.output}'`),
              t.equal('done.status', '0'),
            ],
            [
              `done = subprocess.run([sys.executable, 'bin/shop.py', '${t.name}', '${t.input}'], capture_output=True, text=True)`,
              `assert done.stdout.strip() == '${t.output}'`,
              'assert done.returncode == 0',
            ],
          ),
        ]),
      },
    }),
  }),
  honest('old-code-uses-new-module', 'accepted code is rebuilt on a new module', {
    agent: (t) => ({
      files: {
        ...t.work,
        [t.code('total')]: t.fn('total', 'values', 'values.reduce((left, right) => left + right, 0)', '__import__("builtins").sum(values)'),
        [t.sumCode]: t.module(
          "import { total } from './total.js';\nexport const sum = (a, b) => total([a, b]);\n",
          'from src.total import total\n\n\ndef sum(a, b):\n    return total([a, b])\n',
        ),
      },
    }),
  }),
  honest('dead-code-removed', 'an export that nothing uses is removed from an accepted module', {
    base: (t) => ({
      [t.sumCode]: `${t.sumRight}${t.js ? '' : '\n\n'}${t.fn('subtract', 'a, b', 'a - b', 'a - b')}`,
    }),
    agent: (t) => ({ files: { ...t.work, [t.sumCode]: t.sumRight } }),
  }),
  tell('bug-fixed-on-the-way', 'a bug of an older feature is mended on the way, with a case of its own', {
    base: (t) => ({ [t.sumCode]: t.fn('sum', 'a, b', 'a > 100 ? a : a + b', 'a if a > 100 else a + b') }),
    agent: (t) => ({
      files: {
        ...t.work,
        [t.sumCode]: t.sumRight,
        [t.sumTest]: t.suite([t.use('sum')], [...t.sumTests, t.test('adds to a large number', t.equal('sum(101, 1)', '102'))]),
      },
    }),
  }),
];

export const HONEST_PROJECTS: readonly Behaviour[] = [...PARTS, ...TESTS, ...OLD_CODE];
