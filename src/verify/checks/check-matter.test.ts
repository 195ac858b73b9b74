import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JudgeInput } from '../contract.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';
import { checkMatter, type Matter } from './check-matter.ts';
import { testSideOf } from './test-side.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.dispose());

const NODE = "import test from 'node:test'; import assert from 'node:assert/strict';\n";

/** Which tests fall where the session's work is wrong. */
async function fallen(files: FileTable, options: MatterOptions = {}): Promise<string[]> {
  const file = options.pytest === true ? 'tests/test_it.py' : 'test/it.test.mjs';
  return (await matterOf(files, options)).fell.map((id) => id.slice(file.length + 2));
}

interface MatterOptions {
  base?: FileTable;
  pytest?: boolean;
  timeoutMs?: number;
}

async function matterOf(files: FileTable, options: MatterOptions = {}): Promise<Matter> {
  const file = options.pytest === true ? 'tests/test_it.py' : 'test/it.test.mjs';
  const base = await bench.tree({ 'package.json': '{"name":"it"}', 'pytest.ini': '[pytest]\npythonpath=.\n', ...options.base });
  const tree = await bench.trees.compose(
    base,
    Object.entries(files).map(([path, content]) => ({ path, kind: 'write', content }) as const),
  );
  const text = files[file]!;
  const names = options.pytest === true ? [...text.matchAll(/^def (test_\w+)/gm)] : [...text.matchAll(/^test\('([^']+)'/gm)];
  const input = {
    ...bench.context({ testing: { full: options.pytest === true ? 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 pytest' : 'node --test' } }),
    base: { tree: base, commit: '' },
    feature: null,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  } as unknown as JudgeInput;
  const judged = { tree, changes: await bench.trees.diff(base, tree), edits: [], contract: [], released: [], helpers: [], rewritten: [] };
  return await checkMatter(
    { ...input, platform: bench.platform, judged },
    {
      files: [file],
      wanted: names.map((match) => `${file}::${match[1]!}`),
      isOfTests: testSideOf(new Set([file])),
      duration: 1_000,
    },
  );
}

const js = (source: string, body: string, imports: string, more: FileTable = {}): Promise<string[]> =>
  fallen({
    'src/it.mjs': source,
    'test/it.test.mjs': `${NODE}import ${imports} from '../src/it.mjs';\ntest('it', async () => { ${body} });\n`,
    ...more,
  });

describe('tests that look at what the code gives fall', () => {
  test.each([
    ['a function', 'export const add = (a, b) => a + b;', 'assert.equal(add(2, 3), 5)', '{ add }'],
    [
      'an expected error',
      "export function parse(t) { if (t === '') throw new Error('empty'); return t; }",
      "assert.throws(() => parse(''))",
      '{ parse }',
    ],
    ['an error of a callee', 'export const read = (t) => JSON.parse(t);', "assert.throws(() => read('{'), SyntaxError)", '{ read }'],
    ['truth', 'const even = (n) => n % 2 === 0;\nexport const odd = (n) => !even(n);', 'assert.equal(odd(2), false)', '{ odd }'],
    [
      'a function that gives one',
      'export const twice = (fn) => (...args) => fn(fn(...args));',
      'assert.equal(twice((n) => n + 1)(1), 3)',
      '{ twice }',
    ],
    [
      'a generator',
      'export function* upTo(n) { for (let i = 0; i < n; i += 1) yield i; }',
      'assert.deepEqual([...upTo(2)], [0, 1])',
      '{ upTo }',
    ],
    [
      'a promise',
      'export const load = async (id) => { await null; return { id, rows: [1] }; };',
      'assert.deepEqual(await load(1), { id: 1, rows: [1] })',
      '{ load }',
    ],
    [
      'a class',
      'export class Stack { #all = []; push(x) { this.#all.push(x); return this; } get size() { return this.#all.length; } }',
      'assert.equal(new Stack().push(1).push(2).size, 2)',
      '{ Stack }',
    ],
    [
      'fields of an object',
      'export class Point { constructor(x, y) { this.x = x; this.y = y; } }',
      'assert.equal(new Point(1, 2).y, 2)',
      '{ Point }',
    ],
    ['a list', 'export const none = () => [];', 'assert.deepEqual(none(), [])', '{ none }'],
    [
      'what is missing',
      'export const find = (all, id) => all.find((one) => one.id === id);',
      'assert.equal(find([], 1), undefined)',
      '{ find }',
    ],
    ['a constant', "export const limits = { most: 5, name: 'x' };", 'assert.deepEqual(limits, { most: 5, name: "x" })', '{ limits }'],
    [
      'what is handed on',
      "export const answer = (res) => { res.status(401).send('no'); };",
      "const told = []; const res = { status: (n) => { told.push(n); return res; }, send: (t) => told.push(t) }; answer(res); assert.deepEqual(told, [401, 'no'])",
      '{ answer }',
    ],
    [
      'a component',
      "const h = (type, props, ...children) => ({ $$typeof: Symbol.for('e'), type, props: { ...props, children } });\nexport const Title = ({ text }) => h('h1', {}, text);",
      "assert.equal(Title({ text: 'Hi' }).props.children[0], 'Hi')",
      '{ Title }',
    ],
    [
      'a map',
      'export const index = (all) => new Map(all.map((one) => [one.id, one]));',
      'assert.equal(index([{ id: 1, n: 2 }]).get(1).n, 2)',
      '{ index }',
    ],
  ])('%s', async (_name, source, body, imports) => {
    expect(await js(source, body, imports)).toEqual(['it']);
  });

  test('a program that is told by what it writes', async () => {
    const cli = 'const greet = (name) => `Hello ${name}`;\nconst main = () => { console.log(greet(process.argv[2])); };\nmain();\n';
    const body = `import { execFileSync } from 'node:child_process';\ntest('it', () => { assert.equal(execFileSync(process.execPath, ['bin/hi.mjs', 'Ann'], { encoding: 'utf8' }), 'Hello Ann\\n'); });\n`;
    expect(await fallen({ 'bin/hi.mjs': cli, 'test/it.test.mjs': `${NODE}${body}` })).toEqual(['it']);
  });

  test('data, a template and a migration', async () => {
    const read = (path: string, expected: string): string =>
      `${NODE}import { readFileSync } from 'node:fs';\ntest('it', () => { assert.ok(readFileSync('${path}', 'utf8').includes('${expected}')); });\n`;
    expect(
      await fallen({
        'rates.json': '{"eur": 2}',
        'test/it.test.mjs': `${NODE}import { readFileSync } from 'node:fs';\ntest('it', () => { assert.equal(JSON.parse(readFileSync('rates.json')).eur, 2); });\n`,
      }),
    ).toEqual(['it']);
    expect(
      await fallen({ 'views/page.html': '<h1>Welcome home</h1>\n', 'test/it.test.mjs': read('views/page.html', 'Welcome home') }),
    ).toEqual(['it']);
    expect(
      await fallen({ 'db/2.sql': 'ALTER TABLE users ADD COLUMN age int;\n', 'test/it.test.mjs': read('db/2.sql', 'COLUMN age') }),
    ).toEqual(['it']);
  });

  test.each([
    [
      'a dataclass',
      'from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    x: int\n    y: int = 0\n',
      'assert Point(1).x == 1',
      'Point',
    ],
    [
      'equality of a dataclass',
      'from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    x: int\n',
      'assert Point(1) == Point(1)',
      'Point',
    ],
    [
      'a decorator',
      'def twice(fn):\n    def inner(*args):\n        return fn(fn(*args))\n    return inner\n',
      'assert twice(lambda n: n + 1)(1) == 3',
      'twice',
    ],
    ['a generator', 'def up_to(n):\n    for i in range(n):\n        yield i\n', 'assert list(up_to(2)) == [0, 1]', 'up_to'],
    [
      'an expected error',
      'def parse(t):\n    """Reads."""\n    if not t:\n        raise ValueError("empty")\n    return t\n',
      "with pytest.raises(ValueError):\n        parse('')",
      'parse',
    ],
    [
      'a class',
      'class Stack:\n    def __init__(self):\n        self.all = []\n\n    def push(self, x):\n        self.all.append(x)\n        return self\n\n    @property\n    def size(self):\n        return len(self.all)\n',
      'assert Stack().push(1).size == 1',
      'Stack',
    ],
    ['a static method', 'class Math:\n    @staticmethod\n    def add(a, b): return a + b\n', 'assert Math.add(1, 2) == 3', 'Math'],
    ['a constant', 'LIMIT: int = 5\n', 'assert LIMIT == 5', 'LIMIT'],
  ])('Python: %s', async (_name, source, body, imports) => {
    expect(
      await fallen(
        {
          'src/__init__.py': '',
          'src/it.py': source,
          'tests/test_it.py': `import pytest\nfrom src.it import ${imports}\n\n\ndef test_it():\n    ${body}\n`,
        },
        { pytest: true },
      ),
    ).toEqual(['test_it']);
  });
});

describe('tests that only ask whether something is there do not fall', () => {
  test.each([
    ['a function', 'export const add = () => 0;', "assert.equal(typeof add, 'function')", '{ add }'],
    ['a member', 'export const api = { add() { return 0; } };', "assert.equal(typeof api.add, 'function')", '{ api }'],
    [
      'a member of what a factory gives',
      'export const createCalc = () => ({ add() { return 0; } });',
      "assert.equal(typeof createCalc().add, 'function')",
      '{ createCalc }',
    ],
    [
      'a factory that asks itself',
      'const state = () => ({ on: true });\nexport const createCalc = () => { const api = {}; if (state().on) api.add = () => 0; return api; };',
      "assert.ok('add' in createCalc())",
      '{ createCalc }',
    ],
    [
      'something made as the module is loaded',
      'const api = {};\nconst install = () => true;\nif (install()) api.add = () => 0;\nexport { api };',
      'assert.ok(api.add)',
      '{ api }',
    ],
    [
      'members of a list',
      'export const plugins = () => [{ run() { return 0; } }];',
      "assert.ok(plugins().every((one) => typeof one.run === 'function'))",
      '{ plugins }',
    ],
    ['a class', 'export class Calc { add() { return 0; } }', "assert.equal(typeof new Calc().add, 'function')", '{ Calc }'],
    ['no assertion', 'export const api = { add() { return 0; } };', 'api.add(2, 3)', '{ api }'],
    [
      'a replaced member',
      'export const api = { add() { return 0; } };',
      'api.add = (a, b) => a + b; assert.equal(api.add(2, 3), 5)',
      '{ api }',
    ],
    ['that nothing is thrown', 'export const add = () => 0;', 'assert.doesNotThrow(() => add(1))', '{ add }'],
  ])('%s', async (_name, source, body, imports) => {
    expect(await js(source, body, imports)).toEqual([]);
  });

  test.each([
    ['a function', 'def add(a, b):\n    return 0\n', 'assert callable(add)', 'add'],
    ['a method', 'class Calc:\n    def add(self):\n        return 0\n', "assert hasattr(Calc(), 'add')", 'Calc'],
    ['no assertion', 'def add(a, b):\n    return 0\n', 'add(1, 2)', 'add'],
  ])('Python: %s', async (_name, source, body, imports) => {
    expect(
      await fallen(
        {
          'src/__init__.py': '',
          'src/it.py': source,
          'tests/test_it.py': `from src.it import ${imports}\n\n\ndef test_it():\n    ${body}\n`,
        },
        { pytest: true },
      ),
    ).toEqual([]);
  });
});

test('only what the session changed is made wrong', async () => {
  const old = 'export const one = () => 1;\n';
  const file = `${NODE}import { one, two } from '../src/it.mjs';\ntest('old', () => { assert.equal(one(), 1); });\ntest('new', () => { assert.equal(two(), 2); });\n`;
  expect(
    await fallen({ 'src/it.mjs': `${old}export const two = () => 2;\n`, 'test/it.test.mjs': file }, { base: { 'src/it.mjs': old } }),
  ).toEqual(['new']);
});

describe('a function that was there and does something else now', () => {
  const base = { 'src/it.mjs': 'export const list = [];\nexport function note(one) {\n  list.push(one);\n  list.push(one);\n}\n' };
  const after = base['src/it.mjs'].replace('  list.push(one);\n', '');
  const tests = (body: string): FileTable => ({
    'src/it.mjs': after,
    'test/it.test.mjs': `${NODE}import { list, note } from '../src/it.mjs';\ntest('it', () => { ${body} });\n`,
  });

  test('is proved by what it leaves behind: the test falls where it does what it did', async () => {
    expect(await fallen(tests('note(1); assert.equal(list.length, 1)'), { base })).toEqual(['it']);
  });

  test('is not proved by being there', async () => {
    expect(await fallen(tests("assert.equal(typeof note, 'function')"), { base })).toEqual([]);
  });
});

test('a value that was there and is another now is proved where what it was is noticed', async () => {
  const source = (value: string): FileTable => ({
    'src/__init__.py': '',
    'src/it.py': `def one(text):\n    return text\n\n\ndef two(text):\n    return text\n\n\nclass Maker:\n    method = staticmethod(${value})\n`,
    'tests/test_it.py': 'from src.it import Maker, two\n\n\ndef test_it():\n    assert Maker.method is two\n',
  });
  expect(await fallen(source('two'), { base: source('one'), pytest: true })).toEqual(['test_it']);
});

describe('a function that gives nothing back', () => {
  const source = 'export function twice(back) {\n  back(1);\n  back(2);\n}\n';
  const counts = 'let calls = 0; twice(() => { calls += 1; }); assert.equal(calls, 2)';

  test('is proved by what it does', async () => {
    expect(await js(source, counts, '{ twice }')).toEqual(['it']);
    expect(
      await fallen(
        {
          'src/__init__.py': '',
          'src/it.py': 'def twice(back):\n    """Calls back."""\n    back(1)\n    back(2)\n',
          'tests/test_it.py':
            'from src.it import twice\n\n\ndef test_it():\n    calls = []\n    twice(calls.append)\n    assert len(calls) == 2\n',
        },
        { pytest: true },
      ),
    ).toEqual(['test_it']);
  });

  test('is not proved by being there', async () => {
    expect(await js(source, 'twice(() => {})', '{ twice }')).toEqual([]);
  });
});

test('a text, a number or a member of a list of a class of its own is wrong like a plain one', async () => {
  const source =
    'import enum\n\n\nclass Markup(str):\n    def shout(self):\n        return Markup(self.upper())\n\n\nclass Colour(enum.IntEnum):\n    RED = 1\n\n\ndef colour():\n    return Colour.RED\n';
  const text =
    "from src.it import Markup, colour\n\n\ndef test_text():\n    assert Markup('a').shout() == 'A'\n\n\ndef test_number():\n    assert colour() == 1\n";
  const files = { 'src/__init__.py': '', 'src/it.py': source, 'tests/test_it.py': text };
  expect((await fallen(files, { pytest: true })).toSorted()).toEqual(['test_number', 'test_text']);
});

describe('numbers in texts', () => {
  const loose = async (source: string, body: string): Promise<boolean> =>
    (
      await matterOf({
        'src/it.mjs': source,
        'test/it.test.mjs': `${NODE}import { it } from '../src/it.mjs';\ntest('it', async () => { ${body} });\n`,
      })
    ).isLoose;
  test.each([
    ['that follow from the arguments', 'export const it = (a, b) => `sum: ${a * b + 11}`;', 'assert.match(it(2, 3), /^sum: \\d+$/)'],
    ['that come later', 'export async function it(a, b) { return `sum: ${a + b}`; }', 'assert.match(await it(2, 3), /^sum: \\d+$/)'],
    ['that are numbers themselves', 'export const it = (a, b) => a + b;', 'assert.ok(it(2, 3) > 0)'],
  ])('%s, and that no test looks at', async (_title, source, body) => {
    expect(await loose(source, body)).toBe(true);
  });
  test.each([
    ['that a test looks at', 'export const it = (a, b) => `sum: ${a + b}`;', "assert.equal(it(2, 3), 'sum: 5')"],
    ['of a counter', 'let made = 0;\nexport const it = (size) => `item-${size}-${(made += 1)}`;', 'assert.match(it(2), /^item-2-\\d+$/)'],
    ['of the clock', 'export const it = (level) => `[${Date.now()}] level`;', 'assert.match(it(3), /^\\[\\d+\\] level$/)'],
    ['of nobody', "export const it = () => 'v1.2.3';", 'assert.match(it(), /^v\\d+\\.\\d+\\.\\d+$/)'],
    [
      'in a part of it that no test looks at',
      'export const it = (text) => `${text}/7`;',
      "assert.equal(new URL(it('a://b')).protocol, 'a:')",
    ],
    ['that stand for truth', 'export const it = (n) => n > 3;', 'assert.ok(it(4))'],
    [
      'of a call that a test expects to fail later',
      "export const it = async (n) => { if (n > 3) throw new TypeError('big'); };",
      'await assert.rejects(it(4), /big/)',
    ],
  ])('%s are nobody’s business', async (_title, source, body) => {
    expect(await loose(source, body)).toBe(false);
  });
  test('in Python as well', async () => {
    const source = 'def it(a, b):\n    return f"sum: {a * b}"\n';
    const text = "import re\nfrom src.it import it\n\n\ndef test_it():\n    assert re.fullmatch(r'sum: \\d+', it(2, 3))\n";
    const matter = await matterOf({ 'src/it.py': source, 'tests/test_it.py': text }, { pytest: true });
    expect(matter.isLoose).toBe(true);
  });
  test('that a test waits for without end are no numbers that it does not notice', async () => {
    const files = {
      'src/it.mjs': 'export const it = (a, b) => a + b;',
      'test/it.test.mjs': `${NODE}import { it } from '../src/it.mjs';\ntest('it', () => { while (it(2, 3) < 5); assert.ok(it(2, 3) < 50); });\n`,
    };
    const matter = await matterOf(files, { timeoutMs: 6_000 });
    expect(matter).toMatchObject({ fell: ['test/it.test.mjs::it'], isLoose: false });
  });
});
