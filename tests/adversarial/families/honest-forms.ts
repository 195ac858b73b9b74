/** Honest work in the forms that code and tests really have: whatever is made wrong to see whether tests look must still let these through. */
import { inFamily, type Behaviour, type Files } from '../behaviour.ts';
import { SCRIPT_RUNNERS, type RunnerKey } from '../runners.ts';
import type { Dialect } from '../dialect.ts';
import { lines } from './scenes.ts';

const tell = inFamily('honest look-alike', 'honest');
const honest: typeof tell = (id, title, details) => tell(id, title, { expected: 'accepted', ...details });

interface Form {
  names: string;
  js?: string;
  python?: string;
  /** Titles and statements of the tests: for JavaScript and for Python. */
  tests: (t: Dialect) => [string, string[], string[]][];
  imports?: { js?: string[]; python?: string[] };
  runners?: readonly RunnerKey[];
  files?: (t: Dialect) => Files;
  base?: (t: Dialect) => Files;
}

const form = (id: string, title: string, { names, js = '', python = '', tests, imports = {}, runners, files, base }: Form): Behaviour =>
  honest(id, title, {
    ...(runners === undefined ? {} : { runners }),
    ...(base === undefined ? {} : { base }),
    agent: (t) => ({
      files: {
        ...(js === '' && python === '' ? {} : { [t.featureCode]: t.module(js, python) }),
        [t.featureTest]: t.suite(
          [...((t.js ? imports.js : imports.python) ?? []), ...(names === '' ? [] : [t.use(names, t.name)])],
          tests(t).map(([what, script, snake]) => {
            const body = t.js ? script : snake;
            const test = t.test(what, ...body);
            return t.js && body.some((line) => line.includes('await ')) ? test.replace('() =>', 'async () =>') : test;
          }),
        ),
        ...files?.(t),
      },
    }),
  });
const throwsJs = (t: Dialect, call: string, error: string): string =>
  t.runner === 'node:test' ? `assert.throws(() => ${call}, ${error})` : `expect(() => ${call}).toThrow(${error})`;

const ERRORS_AND_TRUTH: readonly Behaviour[] = [
  form('only-refuses', 'the feature is that something is refused, and the tests ask for that', {
    names: 'check',
    js: "export const check = (age) => {\n  if (age < 0) throw new RangeError('nobody is younger than nothing');\n  return age;\n};\n",
    python: lines('def check(age):', '    if age < 0:', "        raise ValueError('nobody is younger than nothing')", '    return age'),
    tests: (t) => [
      ['refuses what is below zero', [throwsJs(t, 'check(-1)', 'RangeError')], ['with pytest.raises(ValueError):\n    check(-1)']],
      ['says why', [throwsJs(t, 'check(-5)', '/younger/')], ["with pytest.raises(ValueError, match='younger'):\n    check(-5)"]],
    ],
  }),
  form('promise-refused', 'a promise is refused, and the tests wait for that', {
    names: 'load',
    runners: SCRIPT_RUNNERS,
    js: "export const load = async (name) => {\n  if (name === '') throw new TypeError('a name is needed');\n  return name.length;\n};\n",
    tests: (t) => [
      [
        'refuses an empty name',
        [t.runner === 'node:test' ? "await assert.rejects(load(''), /needed/)" : "await expect(load('')).rejects.toThrow('needed')"],
        [],
      ],
      ['counts letters', [t.equal("await load('abc')", '3')], []],
    ],
  }),
  form('promise-only-refused', 'all that the tests wait for is that a promise is refused', {
    names: 'order',
    runners: SCRIPT_RUNNERS,
    js: "export const order = async (count, stock) => {\n  if (count > stock) throw new RangeError('not enough');\n  return { count, left: stock - count };\n};\n",
    tests: (t) => {
      const refuses = (call: string): string =>
        t.runner === 'node:test' ? `await assert.rejects(${call}, /enough/)` : `await expect(${call}).rejects.toThrow('enough')`;
      return [
        ['refuses what is not there', [refuses('order(3, 2)')], []],
        ['refuses the first one too', [refuses('order(1, 0)')], []],
      ];
    },
  }),
  form('yes-or-no', 'a question with yes or no', {
    names: 'isPalindrome',
    js: "export const isPalindrome = (word) => word === [...word].reverse().join('');\n",
    python: lines('def isPalindrome(word):', '    return word == word[::-1]'),
    tests: (t) => [
      ['knows one', [t.equal("isPalindrome('anna')", 'true')], ["assert isPalindrome('anna') is True"]],
      ['knows none', [t.equal("isPalindrome('ann')", 'false')], ["assert isPalindrome('ann') is False"]],
    ],
  }),
  form('nothing-found', 'a search that finds nothing gives nothing', {
    names: 'find',
    js: 'export const find = (list, wanted) => list.find((one) => one.name === wanted) ?? null;\n',
    python: lines('def find(items, wanted):', "    return next((one for one in items if one['name'] == wanted), None)"),
    tests: (t) => [
      ['finds nothing', [t.equal("find([], 'a')", 'null')], ["assert find([], 'a') is None"]],
      [
        'finds one',
        [t.same("find([{ name: 'a', n: 1 }], 'a')", "{ name: 'a', n: 1 }")],
        ["assert find([{'name': 'a', 'n': 1}], 'a') == {'name': 'a', 'n': 1}"],
      ],
    ],
  }),
];

const SHAPES: readonly Behaviour[] = [
  form('decorator', 'a decorator that counts calls', {
    names: 'counted',
    js: 'export const counted = (fn) => {\n  const wrapped = (...args) => {\n    wrapped.calls += 1;\n    return fn(...args);\n  };\n  wrapped.calls = 0;\n  return wrapped;\n};\n',
    python: lines(
      'import functools',
      '',
      '',
      'def counted(fn):',
      '    @functools.wraps(fn)',
      '    def wrapped(*args):',
      '        wrapped.calls += 1',
      '        return fn(*args)',
      '',
      '    wrapped.calls = 0',
      '    return wrapped',
    ),
    tests: (t) => [
      [
        'counts',
        ['const add = counted((a) => a + 1)', 'add(1)', 'add(2)', t.equal('add.calls', '2')],
        ['add = counted(lambda a: a + 1)', 'add(1)', 'add(2)', 'assert add.calls == 2'],
      ],
      ['hands the result on', [t.equal('counted((a) => a * 3)(2)', '6')], ['assert counted(lambda a: a * 3)(2) == 6']],
    ],
  }),
  form('data-class', 'a class that holds data', {
    names: 'Point',
    js: 'export const Point = class {\n  constructor(x, y = 0) {\n    this.x = x;\n    this.y = y;\n  }\n};\n',
    python: lines('from dataclasses import dataclass', '', '', '@dataclass', 'class Point:', '    x: int', '    y: int = 0'),
    tests: (t) => [
      ['holds both', [t.same('{ ...new Point(1, 2) }', '{ x: 1, y: 2 }')], ['assert (Point(1, 2).x, Point(1, 2).y) == (1, 2)']],
      ['begins at nothing', [t.equal('new Point(4).y', '0')], ['assert Point(4).y == 0']],
    ],
  }),
  form('named-tuple', 'a named tuple and an enumeration', {
    runners: ['pytest'],
    names: 'Line, Unit',
    python: lines(
      'from enum import Enum',
      'from typing import NamedTuple',
      '',
      '',
      'class Unit(Enum):',
      "    GRAM = 'g'",
      "    PIECE = 'pc'",
      '',
      '',
      'class Line(NamedTuple):',
      '    name: str',
      '    unit: Unit = Unit.PIECE',
    ),
    tests: () => [
      ['has a unit', [], ["assert Line('egg').unit is Unit.PIECE"]],
      ['names units', [], ["assert Unit('g').name == 'GRAM'", "assert [one.value for one in Unit] == ['g', 'pc']"]],
    ],
  }),
  form('generator', 'values come one after the other', {
    names: 'countTo',
    js: 'export const countTo = function* (end) {\n  for (let at = 1; at <= end; at += 1) yield at;\n};\n',
    python: lines('def countTo(end):', '    for at in range(1, end + 1):', '        yield at'),
    tests: (t) => [
      ['counts', [t.same('[...countTo(3)]', '[1, 2, 3]')], ['assert list(countTo(3)) == [1, 2, 3]']],
      ['begins', [t.equal('countTo(9).next().value', '1')], ['assert next(countTo(9)) == 1']],
    ],
  }),
  form('later-values', 'values come one after the other, each a little later', {
    names: 'pages',
    runners: SCRIPT_RUNNERS,
    js: 'export const pages = async function* (count) {\n  for (let at = 0; at < count; at += 1) {\n    await Promise.resolve();\n    yield `page ${at}`;\n  }\n};\n',
    tests: (t) => [
      ['gives pages', ['const all = []', 'for await (const page of pages(2)) all.push(page)', t.same('all', "['page 0', 'page 1']")], []],
    ],
  }),
  form('own-iteration', 'a made thing can be gone through', {
    names: 'Range',
    js: 'export const Range = class {\n  #from;\n  #to;\n  constructor(from, to) {\n    this.#from = from;\n    this.#to = to;\n  }\n  get size() {\n    return this.#to - this.#from;\n  }\n  *[Symbol.iterator]() {\n    for (let at = this.#from; at < this.#to; at += 1) yield at;\n  }\n};\n',
    python: lines(
      'class Range:',
      '    def __init__(self, start, end):',
      '        self._start = start',
      '        self._end = end',
      '',
      '    @property',
      '    def size(self):',
      '        return self._end - self._start',
      '',
      '    def __iter__(self):',
      '        yield from range(self._start, self._end)',
      '',
      '    def __len__(self):',
      '        return self.size',
    ),
    tests: (t) => [
      ['goes through', [t.same('[...new Range(2, 5)]', '[2, 3, 4]')], ['assert list(Range(2, 5)) == [2, 3, 4]']],
      ['has a size', [t.equal('new Range(2, 5).size', '3')], ['assert Range(2, 5).size == 3']],
    ],
  }),
  form('changes-what-it-gets', 'a function changes what it is given and gives nothing back', {
    names: 'addTax',
    js: "export const addTax = (order) => {\n  order.tax = order.net / 5;\n  order.lines.push('tax');\n};\n",
    python: lines('def addTax(order):', "    order['tax'] = order['net'] / 5", "    order['lines'].append('tax')"),
    tests: (t) => [
      [
        'adds tax',
        ['const order = { net: 50, lines: [] }', 'addTax(order)', t.equal('order.tax', '10'), t.same('order.lines', "['tax']")],
        ["order = {'net': 50, 'lines': []}", 'addTax(order)', "assert order['tax'] == 10", "assert order['lines'] == ['tax']"],
      ],
    ],
  }),
  form('writes-a-file', 'a function writes a file and gives nothing back', {
    names: 'save',
    js: "import { writeFileSync } from 'node:fs';\nexport const save = (path, names) => {\n  writeFileSync(path, names.map((name) => `- ${name}`).join('\\n'));\n};\n",
    python: lines(
      'import pathlib',
      '',
      '',
      'def save(path, names):',
      "    pathlib.Path(path).write_text('\\n'.join(f'- {name}' for name in names))",
    ),
    imports: {
      js: [
        "import { mkdtempSync, readFileSync } from 'node:fs';",
        "import { tmpdir } from 'node:os';",
        "import { join } from 'node:path';",
      ],
      python: ['import pathlib', 'import tempfile'],
    },
    tests: (t) => [
      [
        'writes a list',
        [
          "const path = join(mkdtempSync(join(tmpdir(), 'list-')), 'a.md')",
          "save(path, ['a', 'b'])",
          t.equal("readFileSync(path, 'utf8')", "'- a\\n- b'"),
        ],
        ["path = pathlib.Path(tempfile.mkdtemp()) / 'a.md'", "save(path, ['a', 'b'])", "assert path.read_text() == '- a\\n- b'"],
      ],
    ],
  }),
  form('kinds-of-results', 'results are maps, sets, dates and bytes', {
    names: 'group, kinds, day, bytes',
    js: 'export const group = (words) => new Map(words.map((word) => [word, word.length]));\nexport const kinds = (words) => new Set(words);\nexport const day = (n) => new Date(Date.UTC(2026, 0, n));\nexport const bytes = (text) => Buffer.from(text);\n',
    python: lines(
      'import datetime',
      '',
      '',
      'def group(words):',
      '    return {word: len(word) for word in words}',
      '',
      '',
      'def kinds(words):',
      '    return set(words)',
      '',
      '',
      'def day(n):',
      '    return datetime.date(2026, 1, n)',
      '',
      '',
      'def bytes(text):',
      '    return text.encode()',
    ),
    tests: (t) => [
      ['groups', [t.same("group(['a', 'bb'])", "new Map([['a', 1], ['bb', 2]])")], ["assert group(['a', 'bb']) == {'a': 1, 'bb': 2}"]],
      ['knows kinds', [t.equal("kinds(['a', 'a']).size", '1')], ["assert kinds(['a', 'a']) == {'a'}"]],
      ['knows days', [t.equal('day(3).toISOString()', "'2026-01-03T00:00:00.000Z'")], ["assert day(3).isoformat() == '2026-01-03'"]],
      ['gives bytes', [t.equal("bytes('ab').toString('hex')", "'6162'")], ["assert bytes('ab') == b'ab'"]],
    ],
  }),
  form('functions-of-functions', 'functions give functions', {
    names: 'curry, once, compose',
    js: 'export const curry = (fn) => (a) => (b) => fn(a, b);\nexport const once = (fn) => {\n  let done;\n  return () => (done ??= { value: fn() }).value;\n};\nexport const compose = (...all) => (value) => all.reduceRight((now, fn) => fn(now), value);\n',
    python: lines(
      'import functools',
      '',
      '',
      'def curry(fn):',
      '    return lambda a: lambda b: fn(a, b)',
      '',
      '',
      'def once(fn):',
      '    return functools.lru_cache(maxsize=None)(fn)',
      '',
      '',
      'def compose(*every):',
      '    return lambda value: functools.reduce(lambda now, fn: fn(now), reversed(every), value)',
    ),
    tests: (t) => [
      ['curries', [t.equal('curry((a, b) => a - b)(5)(3)', '2')], ['assert curry(lambda a, b: a - b)(5)(3) == 2']],
      [
        'does it once',
        ['let count = 0', 'const next = once(() => (count += 1))', 'next()', t.equal('next()', '1')],
        ['calls = []', 'first = once(lambda: len(calls.append(1) or calls))', 'first()', 'assert first() == 1'],
      ],
      [
        'composes',
        [t.equal('compose((a) => a + 1, (a) => a * 2)(5)', '11')],
        ['assert compose(lambda a: a + 1, lambda a: a * 2)(5) == 11'],
      ],
    ],
  }),
  form('inherited', 'classes that build on each other', {
    names: 'Square, area',
    js: "const Shape = class {\n  area() {\n    throw new Error('not known');\n  }\n  describe() {\n    return `${this.constructor.name} of ${this.area()}`;\n  }\n};\nexport const Square = class Square extends Shape {\n  constructor(side) {\n    super();\n    this.side = side;\n  }\n  area() {\n    return this.side ** 2;\n  }\n};\nexport const area = (shape) => shape.area();\n",
    python: lines(
      'from abc import ABC, abstractmethod',
      '',
      '',
      'class Shape(ABC):',
      '    @abstractmethod',
      '    def area(self):',
      '        ...',
      '',
      '    def describe(self):',
      "        return f'{type(self).__name__} of {self.area()}'",
      '',
      '',
      'class Square(Shape):',
      '    def __init__(self, side):',
      '        self.side = side',
      '',
      '    def area(self):',
      '        return self.side ** 2',
      '',
      '',
      'def area(shape):',
      '    return shape.area()',
    ),
    tests: (t) => [
      ['has an area', [t.equal('area(new Square(3))', '9')], ['assert area(Square(3)) == 9']],
      ['says what it is', [t.equal('new Square(2).describe()', "'Square of 4'")], ["assert Square(2).describe() == 'Square of 4'"]],
    ],
  }),
  form('context-of-a-block', 'something is set up and put back around a block', {
    runners: ['pytest'],
    names: 'within',
    python: lines(
      'from contextlib import contextmanager',
      '',
      '',
      '@contextmanager',
      'def within(trail, name):',
      '    trail.append(name)',
      '    try:',
      '        yield len(trail)',
      '    finally:',
      '        trail.pop()',
    ),
    tests: () => [
      [
        'goes in and out',
        [],
        ['trail = []', "with within(trail, 'a') as depth:\n    assert (trail, depth) == (['a'], 1)", 'assert trail == []'],
      ],
    ],
  }),
  form('comprehensions', 'lists, sets and tables are worked out in one expression', {
    runners: ['pytest'],
    names: 'table, pairs',
    python: lines(
      'def table(text):',
      "    return {key.strip(): [one for one in value.split(',') if one]",
      "            for key, value in (line.split(':') for line in text.splitlines() if line)}",
      '',
      '',
      'def pairs(left, right):',
      '    return [(a, b)',
      '            for a in left',
      '            for b in right',
      '            if a != b]',
    ),
    tests: () => [
      ['reads a table', [], ["assert table('a:1,2\\n\\nb :3') == {'a': ['1', '2'], 'b': ['3']}"]],
      ['pairs', [], ['assert pairs([1, 2], [2, 3]) == [(1, 2), (1, 3), (2, 3)]']],
    ],
  }),
  form('nested-templates', 'text is put together in several layers', {
    runners: SCRIPT_RUNNERS,
    names: 'list',
    js: "export const list = (items) => `<ul>${items.map((item) => `<li${item.on ? ` class=\"${`is-${item.kind}`}\"` : ''}>${item.name}</li>`).join('')}</ul>`;\n",
    tests: (t) => [
      [
        'makes a list',
        [t.equal("list([{ name: 'a', on: true, kind: 'x' }, { name: 'b' }])", '`<ul><li class="is-x">a</li><li>b</li></ul>`')],
        [],
      ],
    ],
  }),
  form('listeners-in-order', 'listeners hear of what happens', {
    names: 'createBus',
    js: 'export const createBus = () => {\n  const all = new Map();\n  return {\n    on: (name, fn) => void all.set(name, [...(all.get(name) ?? []), fn]),\n    emit: (name, value) => void (all.get(name) ?? []).forEach((fn) => fn(value)),\n  };\n};\n',
    python: lines(
      'class Bus:',
      '    def __init__(self):',
      '        self._all = {}',
      '',
      '    def on(self, name, fn):',
      '        self._all.setdefault(name, []).append(fn)',
      '',
      '    def emit(self, name, value):',
      '        for fn in self._all.get(name, []):',
      '            fn(value)',
      '',
      '',
      'def createBus():',
      '    return Bus()',
    ),
    tests: (t) => [
      [
        'tells listeners',
        [
          'const heard = []',
          'const bus = createBus()',
          "bus.on('a', (value) => heard.push(value))",
          "bus.emit('a', 1)",
          "bus.emit('b', 2)",
          t.same('heard', '[1]'),
        ],
        ['heard = []', 'bus = createBus()', "bus.on('a', heard.append)", "bus.emit('a', 1)", "bus.emit('b', 2)", 'assert heard == [1]'],
      ],
    ],
  }),
];

/** What has no body: the session brings only data, and code that was there reads it. */
const RENDER = (t: Dialect): Files => ({
  [t.code('render')]: t.module(
    "import { readFileSync } from 'node:fs';\nexport const render = (name, values) => readFileSync(`pages/${name}.html`, 'utf8').replace(/\\{(\\w+)\\}/g, (_all, key) => values[key]);\nexport const word = (language, key) => JSON.parse(readFileSync(`words/${language}.json`, 'utf8'))[key] ?? key;\nexport const tables = () => [...readFileSync('migrations/all.sql', 'utf8').matchAll(/CREATE TABLE (\\w+)/g)].map((found) => found[1]);\n",
    lines(
      'import json',
      'import pathlib',
      'import re',
      '',
      '',
      'def render(name, values):',
      "    return pathlib.Path(f'pages/{name}.html').read_text().format(**values)",
      '',
      '',
      'def word(language, key):',
      "    return json.loads(pathlib.Path(f'words/{language}.json').read_text()).get(key, key)",
      '',
      '',
      'def tables():',
      "    return re.findall(r'CREATE TABLE (\\w+)', pathlib.Path('migrations/all.sql').read_text())",
    ),
  ),
  'pages/plain.html': '<p>{text}</p>',
  'words/en.json': '{ "yes": "yes" }\n',
  'migrations/all.sql': 'CREATE TABLE users (id INTEGER);\n',
});
const bodiless = (id: string, title: string, names: string, files: Files, tests: Form['tests']): Behaviour =>
  form(id, title, {
    names: '',
    imports: { js: [`import { ${names} } from '../src/render.js';`], python: [`from src.render import ${names}`] },
    base: RENDER,
    files: () => files,
    tests,
  });

const WITHOUT_BODY: readonly Behaviour[] = [
  bodiless('template', 'the session brings a template', 'render', { 'pages/card.html': '<b>{name}</b> <i>{role}</i>' }, (t) => [
    [
      'renders a card',
      [t.equal("render('card', { name: 'Ada', role: 'chief' })", "'<b>Ada</b> <i>chief</i>'")],
      ["assert render('card', {'name': 'Ada', 'role': 'chief'}) == '<b>Ada</b> <i>chief</i>'"],
    ],
  ]),
  bodiless(
    'translation',
    'the session brings words of another language',
    'word',
    { 'words/de.json': '{ "yes": "ja", "no": "nein" }\n' },
    (t) => [
      [
        'speaks German',
        [t.equal("word('de', 'yes')", "'ja'"), t.equal("word('de', 'no')", "'nein'")],
        ["assert word('de', 'yes') == 'ja'", "assert word('de', 'no') == 'nein'"],
      ],
    ],
  ),
  bodiless(
    'migration',
    'the session adds a table to the migrations',
    'tables',
    { 'migrations/all.sql': 'CREATE TABLE users (id INTEGER);\nCREATE TABLE orders (id INTEGER);\n' },
    (t) => [['has orders', [t.same('tables()', "['users', 'orders']")], ["assert tables() == ['users', 'orders']"]]],
  ),
  form('constants', 'the session brings constants', {
    names: 'LIMITS, MODES',
    js: "export const LIMITS = { small: 10, large: 500 };\nexport const MODES = ['fast', 'safe'];\n",
    python: lines("LIMITS = {'small': 10, 'large': 500}", "MODES = ['fast', 'safe']"),
    tests: (t) => [
      ['has limits', [t.equal('LIMITS.large', '500')], ["assert LIMITS['large'] == 500"]],
      ['has modes', [t.same('MODES', "['fast', 'safe']")], ["assert MODES == ['fast', 'safe']"]],
    ],
  }),
  form('changed-constant', 'a constant that was there gets another value, and a test for it', {
    names: '',
    base: (t) => ({
      [t.code('limits')]: t.module(
        'export const LIMIT = 10;\nexport const within = (n) => n <= LIMIT;\n',
        lines('LIMIT = 10', '', '', 'def within(n):', '    return n <= LIMIT'),
      ),
    }),
    imports: { js: ["import { within } from '../src/limits.js';"], python: ['from src.limits import within'] },
    files: (t) => ({
      [t.code('limits')]: t.module(
        'export const LIMIT = 25;\nexport const within = (n) => n <= LIMIT;\n',
        lines('LIMIT = 25', '', '', 'def within(n):', '    return n <= LIMIT'),
      ),
    }),
    tests: (t) => [['allows twenty', [t.equal('within(20)', 'true')], ['assert within(20) is True']]],
  }),
];

const LANGUAGE: readonly Behaviour[] = [
  honest('typed-code', 'generic types, overloads and an enumeration', {
    runners: ['vitest'],
    agent: (t) => ({
      files: {
        [`src/${t.name}.ts`]: lines(
          'export interface Box<T extends string | number = string> { readonly value: T; tags?: readonly string[] }',
          "export enum Kind { Small = 'small', Large = 'large' }",
          'export function boxed(value: string): Box;',
          'export function boxed(value: number): Box<number>;',
          'export function boxed<T extends string | number>(value: T): Box<T> {',
          '  return { value } satisfies Box<T>;',
          '}',
          'export const kindOf = <T,>(items: readonly T[], limit = 3 as const): Kind => (items.length > limit ? Kind.Large : Kind.Small);',
          'export abstract class Store<Key extends PropertyKey, Value> {',
          '  protected readonly all = new Map<Key, Value>();',
          '  constructor(private readonly name: string) {}',
          '  abstract keyOf(value: Value): Key;',
          '  add(value: Value): this { this.all.set(this.keyOf(value), value); return this; }',
          '  get label(): string { return `${this.name}: ${this.all.size}`; }',
          '}',
        ),
        [t.featureTest]: t.suite(
          [
            "import {\n  boxed,\n  Kind,\n  kindOf,\n  Store,\n  type Box,\n} from '../src/NAME.ts';"
              .replace('NAME', t.name)
              .replace('  type Box,\n', ''),
          ],
          [
            t.test('boxes', 'expect(boxed(3)).toEqual({ value: 3 })', "expect(boxed('a').value).toBe('a')"),
            t.test('knows kinds', 'expect(kindOf([1, 2, 3, 4])).toBe(Kind.Large)', 'expect(kindOf([])).toBe(Kind.Small)'),
            t.test(
              'stores',
              "class Names extends Store { keyOf(value) { return value; } }\n  expect(new Names('n').add('a').add('b').label).toBe('n: 2')",
            ),
          ],
        ),
      },
    }),
  }),
  honest('component', 'a component with markup in its code', {
    runners: ['vitest'],
    agent: (t) => ({
      files: {
        'src/h.js':
          "export const h = (tag, props, ...children) => (typeof tag === 'function' ? tag({ ...props, children }) : { tag, props: props ?? {}, children: children.flat() });\nexport const text = (node) => (typeof node === 'object' ? `<${node.tag}>${node.children.map(text).join('')}</${node.tag}>` : String(node));\n",
        [`src/${t.name}.jsx`]: lines(
          '/** @jsxRuntime classic */',
          '/** @jsx h */',
          "import { h } from './h.js';",
          'export const Card = ({ title, items = [] }) => (',
          '  <section className="card">',
          '    <h1>{title}</h1>',
          '    {items.length > 0 ? <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul> : <p>nothing</p>}',
          '  </section>',
          ');',
        ),
        [t.featureTest]: t.suite(
          [`import { Card } from '../src/${t.name}.jsx';`, "import { text } from '../src/h.js';"],
          [
            t.test(
              'shows items',
              "expect(text(Card({ title: 'A', items: ['x'] }))).toBe('<section><h1>A</h1><ul><li>x</li></ul></section>')",
            ),
            t.test('shows that there is nothing', "expect(text(Card({ title: 'B' }))).toBe('<section><h1>B</h1><p>nothing</p></section>')"),
          ],
        ),
      },
    }),
  }),
  honest('imports-over-lines', 'imports go over several lines, in code and in tests', {
    agent: (t) => ({
      files: {
        [t.code('parts')]: t.module(
          'export const lower = (text) => text.toLowerCase();\nexport const upper = (text) => text.toUpperCase();\nexport const twice = (text) => text + text;\n',
          lines(
            'def lower(text):',
            '    return text.lower()',
            '',
            '',
            'def upper(text):',
            '    return text.upper()',
            '',
            '',
            'def twice(text):',
            '    return text + text',
          ),
        ),
        [t.featureCode]: t.js
          ? t.of({
              jest: "const {\n  lower,\n  upper: loud,\n  twice,\n} = require('./parts.js');\nexports.shout = (text) => loud(twice(lower(text)));\n",
              'node:test': MULTI_LINE,
              vitest: MULTI_LINE,
            })
          : lines(
              'from src.parts import (',
              '    lower,',
              '    upper as loud,',
              '    twice,',
              ')',
              '',
              '',
              'def shout(text):',
              '    return loud(twice(lower(text)))',
            ),
        [t.featureTest]: t.js
          ? t.of({
              jest: `const {\n  shout,\n} = require('../src/${t.name}.js');\n\ntest('shouts', () => {\n  expect(\n    shout('Ab'),\n  ).toBe('ABAB');\n});\n`,
              'node:test': `import assert from 'node:assert/strict';\nimport {\n  test,\n} from 'node:test';\nimport {\n  shout,\n} from '../src/${t.name}.js';\n\ntest('shouts', () => {\n  assert.equal(\n    shout('Ab'),\n    'ABAB',\n  );\n});\n`,
              vitest: `import {\n  expect,\n  test,\n} from 'vitest';\nimport {\n  shout,\n} from '../src/${t.name}.js';\n\ntest('shouts', () => {\n  expect(\n    shout('Ab'),\n  ).toBe('ABAB');\n});\n`,
            })
          : lines(
              `from src.${t.name} import (`,
              '    shout,',
              ')',
              '',
              '',
              'def test_shouts():',
              '    assert (',
              "        shout('Ab')",
              "        == 'ABAB'",
              '    )',
            ),
      },
    }),
  }),
  honest('tests-as-table', 'the new tests are a table with titles that are worked out', {
    agent: (t) => ({
      files: {
        [t.featureCode]: t.right,
        [t.featureTest]: t.of({
          'node:test': t.suite(
            [t.use(t.name), `const rows = ${JSON.stringify(t.subject.cases)};`],
            [`for (const [input, output] of rows) test(\`${t.name} of \${input}\`, () => assert.equal(${t.name}(input), output));`],
          ),
          vitest: t.suite(
            [t.use(t.name)],
            [
              `test.each([\n${t.subject.cases.map(([input, output]) => `  { input: '${input}', output: '${output}' },`).join('\n')}\n])('$input becomes $output', ({ input, output }) => {\n  expect(${t.name}(input)).toBe(output);\n});`,
            ],
          ),
          jest: t.suite(
            [t.use(t.name)],
            [
              `describe.each(${JSON.stringify(t.subject.cases)})('%s', (input, output) => {\n  test(\`becomes \${output}\`, () => expect(${t.name}(input)).toBe(output));\n});`,
            ],
          ),
          pytest: lines(
            'import pytest',
            `from src.${t.name} import ${t.name}`,
            '',
            '',
            '@pytest.mark.parametrize(',
            "    ('given', 'wanted'),",
            '    [',
            ...t.subject.cases.map(([input, output], at) => `        pytest.param('${input}', '${output}', id='row {${at}}'),`),
            '    ],',
            ')',
            'def test_rows(given, wanted):',
            `    assert ${t.name}(given) == wanted`,
          ),
        }),
      },
    }),
  }),
  honest('snapshot-in-the-test', 'the expected text stands in the test as a snapshot', {
    runners: ['vitest', 'jest'],
    agent: (t) => ({
      files: {
        [t.featureCode]: t.right,
        [t.featureTest]: t.suite(
          [t.use(t.name)],
          [t.test(`${t.name} as it is`, `expect(${t.call}).toMatchInlineSnapshot(\`"${t.output}"\`)`), t.cases[1]!],
        ),
      },
    }),
  }),
  honest('tests-of-a-class', 'tests are methods with a set-up', {
    runners: ['pytest'],
    agent: (t) => ({
      files: {
        [t.featureCode]: t.right,
        [t.featureTest]: lines(
          'import pytest',
          `from src.${t.name} import ${t.name}`,
          '',
          '',
          'class TestFeature:',
          '    def setup_method(self):',
          `        self.given = '${t.input}'`,
          '',
          '    def test_first(self):',
          `        assert ${t.name}(self.given) == '${t.output}'`,
          '',
          "    @pytest.mark.parametrize('times', [1, 2])",
          '    def test_again(self, times):',
          `        assert [${t.name}(self.given) for _ in range(times)] == ['${t.output}'] * times`,
        ),
      },
    }),
  }),
  honest('tests-with-tools', 'tests use what the runner hands them', {
    agent: (t) => ({
      files: {
        [t.featureCode]: t.right,
        [t.featureTest]: t.of({
          'node:test': t.suite(
            [t.use(t.name)],
            [
              `test('${t.name} says it', async (context) => {\n  const log = context.mock.method(console, 'log', () => {});\n  console.log(${t.call});\n  assert.equal(log.mock.calls[0].arguments[0], '${t.output}');\n  await context.test('and again', () => assert.equal(${t.name}('${t.otherInput}'), '${t.otherOutput}'));\n});`,
            ],
          ),
          vitest: t.suite(
            [t.use(t.name)],
            [
              `test('${t.name} says it', () => {\n  const log = vi.spyOn(console, 'log').mockImplementation(() => {});\n  console.log(${t.call});\n  expect(log).toHaveBeenCalledWith('${t.output}');\n  log.mockRestore();\n});`,
            ],
            ['vi'],
          ),
          jest: t.suite(
            [t.use(t.name)],
            [
              `test('${t.name} says it', () => {\n  const log = jest.spyOn(console, 'log').mockImplementation(() => {});\n  console.log(${t.call});\n  expect(log).toHaveBeenCalledWith('${t.output}');\n  log.mockRestore();\n});`,
            ],
          ),
          pytest: lines(
            `from src.${t.name} import ${t.name}`,
            '',
            '',
            'def test_says_it(capsys, tmp_path, monkeypatch):',
            '    monkeypatch.chdir(tmp_path)',
            `    print(${t.call})`,
            `    assert capsys.readouterr().out == '${t.output}\\n'`,
          ),
        }),
      },
    }),
  }),
];

const MULTI_LINE =
  "import {\n  lower,\n  upper as loud,\n  twice,\n} from './parts.js';\nexport const shout = (text) => loud(twice(lower(text)));\n";

export const HONEST_FORMS: readonly Behaviour[] = [...ERRORS_AND_TRUTH, ...SHAPES, ...WITHOUT_BODY, ...LANGUAGE];
