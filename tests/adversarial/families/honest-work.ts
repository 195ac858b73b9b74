/** Work that is simply done, in the many shapes it can have. */
import { inFamily, type Behaviour, type Files } from '../behaviour.ts';
import { SCRIPT_RUNNERS } from '../runners.ts';
import type { Dialect } from '../dialect.ts';
import { baseFiles } from '../project.ts';

const tell = inFamily('honest work', 'honest');
const honest: typeof tell = (id, title, details) => tell(id, title, { expected: 'accepted', ...details });

/** The right code and a test with these bodies. */
const tested = (t: Dialect, ...bodies: string[]): Files => ({
  [t.featureCode]: t.right,
  [t.featureTest]: t.suite(
    [t.use(t.name)],
    bodies.map((body, index) => t.test(`${t.name} holds ${index + 1}`, body)),
  ),
});
const shape = (
  id: string,
  title: string,
  js: string,
  python: string,
  tests: (t: Dialect) => string[],
  runners?: Behaviour['runners'],
): Behaviour =>
  honest(id, title, {
    ...(runners === undefined ? {} : { runners }),
    agent: (t) => ({ files: { [t.featureCode]: t.module(js, python), [t.featureTest]: tests(t).join('\n\n') } }),
  });
const suiteOf =
  (name: string, ...bodies: ((t: Dialect) => string)[]) =>
  (t: Dialect): string[] => [
    t.suite(
      [t.use(name, t.name)],
      bodies.map((body, index) => t.test(`${name} holds ${index + 1}`, body(t))),
    ),
  ];

const CODE: readonly Behaviour[] = [
  honest('plain', 'code and test for the feature', { agent: (t) => ({ files: t.work }) }),
  honest('one-test', 'a single test', { agent: (t) => ({ files: tested(t, t.equal(t.call, `'${t.output}'`)) }) }),
  honest('dozen-tests', 'a dozen tests', {
    agent: (t) => ({ files: tested(t, ...Array.from({ length: 12 }, () => t.equal(t.call, `'${t.output}'`))) }),
  }),
  honest('helper-module', 'the code is split over two modules', {
    agent: (t) => ({
      files: {
        ...t.work,
        [t.code('words')]: t.fn('words', 'text', t.subject.right.js, t.subject.right.py),
        [t.featureCode]: t.module(
          `import { words } from './words.js';\nexport const ${t.name} = (text) => words(text);\n`,
          `from src.words import words\n\n\ndef ${t.name}(text):\n    return words(text)\n`,
        ),
      },
    }),
  }),
  honest('uses-accepted-code', 'the code builds on an accepted module', {
    agent: (t) => ({
      files: {
        ...t.work,
        [t.featureCode]: t.module(
          `import { sum } from './sum.js';\nexport const ${t.name} = (text) => { sum(text.length, 1); return ${t.subject.right.js}; };\n`,
          `from src.sum import sum\n\n\ndef ${t.name}(text):\n    sum(len(text), 1)\n    return ${t.subject.right.py}\n`,
        ),
      },
    }),
  }),
  honest('refactors-accepted', 'an accepted module is rewritten and does the same', {
    agent: (t) => ({
      files: {
        ...t.work,
        [t.sumCode]: t.block(
          'sum',
          'a, b',
          'const total = [a, b].reduce((left, right) => left + right, 0);\nreturn total;',
          'total = 0\nfor value in (a, b):\n    total += value\nreturn total',
        ),
      },
    }),
  }),
  honest('moves-accepted-with-shim', 'an accepted module moves and leaves a way to it', {
    agent: (t) => ({
      files: {
        ...t.work,
        [t.code('arithmetic')]: t.sumRight,
        [t.sumCode]: t.module(
          "import { sum as add } from './arithmetic.js';\nexport const sum = add;\n",
          'from src.arithmetic import sum\n',
        ),
      },
    }),
  }),
  honest('data-file', 'the code reads a data file of its own', {
    agent: (t) => ({
      files: {
        ...t.work,
        'src/words.json': '{ "separator": "-" }\n',
        [t.featureCode]: t.module(
          `import { readFileSync } from 'node:fs';\nimport { join } from 'node:path';\nconst settings = JSON.parse(readFileSync(join('src', 'words.json'), 'utf8'));\nexport const ${t.name} = (text) => (settings.separator ? ${t.subject.right.js} : text);\n`,
          `import json\nimport pathlib\nSETTINGS = json.loads((pathlib.Path(__file__).parent / 'words.json').read_text())\n\n\ndef ${t.name}(text):\n    return ${t.subject.right.py} if SETTINGS['separator'] else text\n`,
        ),
      },
    }),
  }),
  honest('name-for-module', 'the package file gets a short name for the new module', {
    runners: SCRIPT_RUNNERS,
    agent: (t) => ({
      files: {
        ...t.work,
        'package.json': JSON.stringify({
          ...(JSON.parse(baseFiles(t)['package.json']!) as object),
          imports: { [`#${t.name}`]: `./${t.featureCode}`, '#sum': { node: './src/sum.js', default: './src/sum.js' } },
        }),
        [t.featureTest]: t.honestTest.replace(`../src/${t.name}.js`, `#${t.name}`),
      },
    }),
  }),
  honest('stub-replaced', 'a stub with an error is replaced by the code', {
    base: (t) => ({
      [t.featureCode]: t.block(t.name, 'text', "throw new Error('not written yet');", "raise NotImplementedError('not written yet')"),
    }),
    agent: (t) => ({ files: t.work }),
  }),
  honest('stub-test-replaced', 'a stub of a test is replaced by tests', {
    base: (t) => ({
      [t.featureTest]: t.suite(
        [],
        [
          t.test(
            'is still to be written',
            t.both(
              t.of({
                'node:test': "assert.fail('not written')",
                vitest: 'expect(true).toBe(false)',
                jest: 'expect(true).toBe(false)',
                pytest: '',
              }),
              "pytest.fail('not written')",
            ),
          ),
        ],
      ),
    }),
    agent: (t) => ({ files: t.work }),
  }),
  honest('given-test', "a person's test is met", {
    base: (t) => ({ [t.featureTest]: t.honestTest }),
    agent: (t) => ({ files: { [t.featureCode]: t.right } }),
  }),
  honest('given-test-extended', "a person's test is met and extended", {
    base: (t) => ({ [t.featureTest]: t.honestTest }),
    agent: (t) => ({
      files: {
        [t.featureCode]: t.right,
        [t.featureTest]: `${t.honestTest}\n${t.js ? '' : '\n'}${t.test(`${t.name} case 3`, t.equal(`${t.name}('${t.subject.held[0]}')`, `'${t.subject.held[1]}'`))}\n`,
      },
    }),
  }),
  honest('with-notes', 'documents and notes come with it', {
    agent: (t) => ({
      files: {
        ...t.work,
        'README.md': '# Shop\n\nNow with more.\n',
        'docs/guide.md': 'Use it.\n',
        'claude-progress.txt': 'Session 2: done.\n',
        'CHANGELOG.md': '- more\n',
      },
    }),
  }),
  honest('assets', 'styles, pages and pictures come with it', {
    agent: (t) => ({
      files: {
        ...t.work,
        'public/index.html': '<!doctype html>\n',
        'public/style.css': 'body {}\n',
        'public/logo.png': new Uint8Array([137, 80, 78, 71, 0, 255, 13, 10]),
      },
    }),
  }),
  honest('executable', 'an executable script comes with it', {
    agent: (t) => ({ files: { ...t.work, 'bin/shop.sh': { run: '#!/bin/sh\necho shop\n' } } }),
  }),
  honest('names-with-letters-of-the-world', 'files have names in other scripts', {
    agent: (t) => ({ files: { ...t.work, 'docs/größe.md': 'x\n', 'docs/日本語.md': 'x\n', 'docs/with space.md': 'x\n' } }),
  }),
  honest('link-inside', 'a link inside the project', {
    agent: (t) => ({ files: { ...t.work, 'docs/readme.md': { link: '../README.md' } } }),
  }),
  honest('installed-packages-linked', 'the packages are installed as links, and ignored', {
    agent: (t) => ({
      files: t.work,
      script:
        'mkdir -p node_modules/.store/a@1/node_modules/a && ln -s .store/a@1/node_modules/a node_modules/a && ln -s /usr/share node_modules/far',
    }),
  }),
  honest('leftovers-ignored', 'caches and logs lie around, and are ignored', {
    agent: (t) => ({ files: { ...t.work, 'debug.log': 'x\n', 'private/cache.bin': 'x\n' } }),
  }),
  honest('unused-file-removed', 'a file that nothing uses is removed', {
    base: (t) => ({ [t.code('unused')]: t.fn('unused', '', '1', '1') }),
    agent: (t) => ({ files: { ...t.work, [t.code('unused')]: null } }),
  }),
  honest('version-raised', 'the version of the package is raised', {
    runners: SCRIPT_RUNNERS,
    agent: (t) => ({
      files: {
        ...t.work,
        'package.json': `${JSON.stringify({ name: 'shop', version: '1.1.0', description: 'A shop', ...(t.runner === 'jest' ? {} : { type: 'module' }), scripts: { test: t.of({ 'node:test': 'node --test', vitest: 'vitest run', jest: 'jest' }), start: 'node src/main.js' } }, null, 2)}\n`,
      },
    }),
  }),
  honest('big-file', 'a file of some megabytes comes with it', {
    agent: (t) => ({ files: { ...t.work, 'data/words.txt': 'word\n'.repeat(400_000) } }),
    runners: ['node:test', 'pytest'],
  }),
  honest('deep-folders', 'files lie many folders deep', {
    agent: (t) => ({ files: { ...t.work, [`${Array.from({ length: 30 }, (_unused, at) => `d${at}`).join('/')}/x.md`]: 'x\n' } }),
    runners: ['node:test'],
  }),
  honest('list-reformatted', 'the list is claimed and formatted anew', {
    agent: (t) => ({
      files: t.work,
      script: `${t.both('node', 'node')} -e 'const fs=require("fs"); const l=JSON.parse(fs.readFileSync("features.json","utf8")); l.last_updated="2026-02-02"; fs.writeFileSync("features.json", JSON.stringify(l, null, 4))'`,
    }),
    runners: ['node:test', 'pytest'],
  }),
  honest('committed-in-copy', 'the agent commits its work in its copy', {
    agent: (t) => ({ files: t.work, script: 'git add -A && git commit -q -m work && git checkout -q -b feature && git tag done' }),
  }),
  honest('cleanup', 'a cleanup session tidies without changing what works', {
    mode: 'cleanup',
    agent: (t) => ({
      files: { [t.sumCode]: t.module(`/** Adds. */\n${t.sumRight}`, `"""Adds."""\n\n\n${t.sumRight}`), 'README.md': '# The shop\n' },
    }),
  }),
];

const ASSERTIONS: readonly Behaviour[] = [
  shape(
    'throws',
    'the feature is an error for bad input',
    "export const price = (text) => {\n  const value = Number(text);\n  if (Number.isNaN(value)) throw new RangeError('not a price: ' + text);\n  return value;\n};\n",
    'def price(text):\n    return float(text)\n',
    suiteOf(
      'price',
      (t) => t.equal("price('3')", '3'),
      (t) => (t.js ? t.throws("price('x')") : "import pytest\nwith pytest.raises(ValueError):\n    price('x')"),
    ),
  ),
  shape(
    'throws-with-message',
    'the message of an error is asked for',
    "export const price = (text) => {\n  throw new RangeError('not a price: ' + text);\n};\n",
    "def price(text):\n    raise ValueError('not a price: ' + text)\n",
    suiteOf('price', (t) =>
      t.of({
        'node:test': "assert.throws(() => price('x'), /not a price: x/)",
        vitest: "expect(() => price('x')).toThrow(/not a price: x/)",
        jest: "expect(() => price('x')).toThrow('not a price: x')",
        pytest: "import pytest\nwith pytest.raises(ValueError, match='not a price: x'):\n    price('x')",
      }),
    ),
  ),
  shape(
    'objects',
    'objects and lists are compared',
    'export const cart = (...names) => ({ items: names.map((name, at) => ({ name, at })), total: names.length });\n',
    "def cart(*names):\n    return {'items': [{'name': name, 'at': at} for at, name in enumerate(names)], 'total': len(names)}\n",
    suiteOf(
      'cart',
      (t) =>
        t.same(
          "cart('a', 'b')",
          t.both(
            "{ items: [{ name: 'a', at: 0 }, { name: 'b', at: 1 }], total: 2 }",
            "{'items': [{'name': 'a', 'at': 0}, {'name': 'b', 'at': 1}], 'total': 2}",
          ),
        ),
      (t) => t.same('cart()', t.both('{ items: [], total: 0 }', "{'items': [], 'total': 0}")),
    ),
  ),
  shape(
    'numbers',
    'numbers are compared',
    'export const half = (value) => value / 2;\n',
    'def half(value):\n    return value / 2\n',
    suiteOf(
      'half',
      (t) => t.equal('half(3)', '1.5'),
      (t) => t.equal('half(-2)', '-1'),
    ),
  ),
  shape(
    'nearly',
    'numbers are compared nearly',
    'export const third = (value) => value / 3;\n',
    'def third(value):\n    return value / 3\n',
    suiteOf('third', (t) =>
      t.of({
        'node:test': 'assert.ok(Math.abs(third(1) - 0.333) < 0.001)',
        vitest: 'expect(third(1)).toBeCloseTo(0.333, 3)',
        jest: 'expect(third(1)).toBeCloseTo(0.333, 3)',
        pytest: 'assert third(1) == __import__("pytest").approx(0.333, abs=0.001)',
      }),
    ),
  ),
  shape(
    'truth-values',
    'yes and no are compared',
    'export const isEven = (value) => value % 2 === 0;\n',
    'def isEven(value):\n    return value % 2 == 0\n',
    suiteOf(
      'isEven',
      (t) => t.equal('isEven(2)', t.both('true', 'True')),
      (t) => t.equal('isEven(3)', t.both('false', 'False')),
    ),
  ),
  shape(
    'patterns',
    'a pattern is asked for',
    "export const stamp = () => `id-${'7'.repeat(4)}`;\n",
    "def stamp():\n    return 'id-' + '7' * 4\n",
    suiteOf('stamp', (t) =>
      t.of({
        'node:test': 'assert.match(stamp(), /^id-\\d{4}$/)',
        vitest: 'expect(stamp()).toMatch(/^id-\\d{4}$/)',
        jest: 'expect(stamp()).toMatch(/^id-\\d{4}$/)',
        pytest: "import re\nassert re.fullmatch(r'id-\\d{4}', stamp())",
      }),
    ),
  ),
  shape(
    'not-equal',
    'a difference is asked for',
    'export const fresh = (name) => `${name}-copy`;\n',
    "def fresh(name):\n    return name + '-copy'\n",
    suiteOf('fresh', (t) =>
      t.of({
        'node:test': "assert.notEqual(fresh('a'), 'a'); assert.equal(fresh('a'), 'a-copy')",
        vitest: "expect(fresh('a')).not.toBe('a'); expect(fresh('a')).toBe('a-copy')",
        jest: "expect(fresh('a')).not.toBe('a'); expect(fresh('a')).toBe('a-copy')",
        pytest: "assert fresh('a') != 'a'\nassert fresh('a') == 'a-copy'",
      }),
    ),
  ),
  shape(
    'greater',
    'an order is asked for',
    'export const longer = (text) => text + text;\n',
    'def longer(text):\n    return text + text\n',
    suiteOf(
      'longer',
      (t) =>
        t.of({
          'node:test': "assert.ok(longer('ab').length > 3)",
          vitest: "expect(longer('ab').length).toBeGreaterThan(3)",
          jest: "expect(longer('ab').length).toBeGreaterThan(3)",
          pytest: "assert len(longer('ab')) > 3",
        }),
      (t) => t.equal("longer('ab')", "'abab'"),
    ),
  ),
  shape(
    'round-trip',
    'there and back gives what was put in',
    'export const pack = (text) => [...text].map((one) => one.codePointAt(0));\nexport const unpack = (codes) => String.fromCodePoint(...codes);\n',
    "def pack(text):\n    return [ord(one) for one in text]\n\n\ndef unpack(codes):\n    return ''.join(chr(one) for one in codes)\n",
    (t) => [
      t.suite(
        [t.both(`import { pack, unpack } from '../src/${t.name}.js';`, `from src.${t.name} import pack, unpack`)],
        [
          t.test(
            'there and back',
            t.both(
              `for (const text of ['a', 'bc', 'd']) ${t.equal('unpack(pack(text))', 'text')}`,
              "for text in ['a', 'bc', 'd']:\n    assert unpack(pack(text)) == text",
            ),
          ),
          t.test('packs', t.same("pack('a')", '[97]')),
        ],
      ),
    ],
  ),
  shape(
    'table',
    'a table of cases is gone through',
    "const NAMES = { de: 'Germany', fr: 'France', it: 'Italy', es: 'Spain' };\nexport const country = (code) => NAMES[code] ?? null;\n",
    "NAMES = {'de': 'Germany', 'fr': 'France', 'it': 'Italy', 'es': 'Spain'}\n\n\ndef country(code):\n    return NAMES.get(code)\n",
    suiteOf('country', (t) =>
      t.both(
        `for (const [code, name] of [['de', 'Germany'], ['fr', 'France']]) ${t.equal('country(code)', 'name')}`,
        "for code, name in [('de', 'Germany'), ('fr', 'France')]:\n    assert country(code) == name",
      ),
    ),
  ),
  shape(
    'class',
    'the feature is a class',
    'export const Stack = class {\n  #items = [];\n  push(item) { this.#items.push(item); return this; }\n  get size() { return this.#items.length; }\n  top() { return this.#items.at(-1); }\n};\n',
    'class Stack:\n    def __init__(self):\n        self._items = []\n\n    def push(self, item):\n        self._items.append(item)\n        return self\n\n    @property\n    def size(self):\n        return len(self._items)\n\n    def top(self):\n        return self._items[-1]\n',
    suiteOf(
      'Stack',
      (t) => t.equal(t.both('new Stack().push(1).push(2).size', 'Stack().push(1).push(2).size'), '2'),
      (t) => t.equal(t.both('new Stack().push(7).top()', 'Stack().push(7).top()'), '7'),
    ),
  ),
  shape(
    'nothing-expected',
    'nothing is the right answer',
    'export const find = (list, item) => (list.includes(item) ? item : null);\n',
    'def find(list, item):\n    return item if item in list else None\n',
    suiteOf(
      'find',
      (t) => t.equal('find([1], 1)', '1'),
      (t) => t.equal('find([1], 2)', t.both('null', 'None')),
    ),
  ),
  shape(
    'asynchronous',
    'the feature answers later',
    'export const later = async (value) => {\n  await new Promise((resolve) => setTimeout(resolve, 5));\n  return value * 2;\n};\n',
    '',
    (t) => [
      t.suite(
        [t.use('later', t.name)],
        [
          t.test('answers later', t.equal('await later(2)', '4')).replace('() =>', 'async () =>'),
          t
            .test(
              'can fail later',
              t.of({
                'node:test': 'await assert.rejects(later(1n))',
                vitest: 'await expect(later(1n)).rejects.toThrow()',
                jest: 'await expect(later(1n)).rejects.toThrow()',
              }),
            )
            .replace('() =>', 'async () =>'),
        ],
      ),
    ],
    SCRIPT_RUNNERS,
  ),
  shape(
    'dates',
    'dates, maps and sets are compared',
    'export const week = (day) => ({ start: new Date(Date.UTC(2026, 0, day)), days: new Set([1, 2]), names: new Map([[1, "Mon"]]) });\n',
    '',
    suiteOf('week', (t) =>
      t.same('week(5)', '{ start: new Date(Date.UTC(2026, 0, 5)), days: new Set([1, 2]), names: new Map([[1, "Mon"]]) }'),
    ),
    SCRIPT_RUNNERS,
  ),
  shape(
    'assertions-with-messages',
    'assertions carry messages',
    'export const twice = (value) => value * 2;\n',
    'def twice(value):\n    return value * 2\n',
    suiteOf('twice', (t) =>
      t.of({
        'node:test': "assert.equal(twice(2), 4, 'two times two')",
        vitest: "expect(twice(2), 'two times two').toBe(4)",
        jest: 'expect(twice(2)).toBe(4)',
        pytest: "assert twice(2) == 4, 'two times two'",
      }),
    ),
  ),
  shape(
    'many-values',
    'one test asserts many values',
    'export const square = (value) => value * value;\n',
    'def square(value):\n    return value * value\n',
    suiteOf('square', (t) =>
      Array.from({ length: 9 }, (_unused, at) => t.equal(`square(${at})`, String(at * at))).join(t.both('; ', '\n')),
    ),
  ),
  shape(
    'expected-computed',
    'the expected value is worked out by the test',
    "export const join = (...words) => words.join(' ');\n",
    "def join(*words):\n    return ' '.join(words)\n",
    suiteOf('join', (t) => t.equal("join('a', 'b')", t.both("['a', 'b'].join(' ')", "' '.join(['a', 'b'])"))),
  ),
];

export const HONEST_WORK: readonly Behaviour[] = [...CODE, ...ASSERTIONS];
