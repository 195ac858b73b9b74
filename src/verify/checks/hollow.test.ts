import { describe, expect, test } from 'vitest';
import { hollowAddition, hollowModule } from './hollow.ts';

async function load(text: string): Promise<Record<string, unknown>> {
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Record<string, unknown>;
}

describe('a stand-in for a module', () => {
  test('has the exports of the real one, and they do nothing', async () => {
    const text = `import x from '../x.js';
export async function one(a) { return a; }
export const two = (a, b) => a + b;
export const table = { a: 1 }, LIMIT = 3;
export const { left, right: other } = x;
export class Cart extends Base { items = []; static of() { return 1; } async add(item) { if (item) { this.items.push(item); } } get size() { return 1; } }
function hidden() {}
const made = make(3);
export { hidden as shown, made };
export default class Main { run() { return 1; } }
const text = 'export const fake = 1';
`;
    const module = await load(hollowModule(text, 'src/a.js', 'nothing')!);
    expect(Object.keys(module).toSorted()).toEqual(['Cart', 'LIMIT', 'default', 'left', 'made', 'one', 'other', 'shown', 'table', 'two']);
    expect([
      (module['two'] as (a: number) => unknown)(1),
      module['table'],
      new (module['Cart'] as new () => { add(): unknown })().add(),
      new (module['default'] as new () => { run(): unknown })().run(),
    ]).toEqual([undefined, undefined, undefined, undefined]);
    const other = await load(hollowModule(text, 'src/a.js', 'something')!);
    expect((other['two'] as () => unknown)()).not.toEqual(undefined);
  });

  test.each([
    ['a.js', 'export function make(a) { return a; }\nexport class Cart { add(item) { return item; } }\nexport const api = { get() {} };\n'],
    ['a.cjs', 'exports.make = (a) => a;\nexports.Cart = class { add(item) { return item; } };\nexports.api = { get() {} };\n'],
  ])('can be or give a value that breaks nowhere: %s', async (path, text) => {
    interface Anything {
      (...given: unknown[]): Anything;
      [member: string]: Anything;
    }
    const hollow = hollowModule(text, path, 'anything')!;
    const module = path === 'a.js' ? await load(hollow) : {};
    if (path === 'a.cjs') new Function('module', 'exports', hollow)({ exports: module }, module);
    const { make, Cart, api } = module as { make: Anything; Cart: new () => Anything; api: Anything };
    expect(() => make().add!('').items![0]!.label!()).not.toThrow();
    expect(() => new Cart().add!(1).total!.cents).not.toThrow();
    expect([...(api.get!('x') as unknown as Iterable<unknown>), `${String(api)}`]).toEqual(['']);
    expect((await make()) === api.get!() && make() !== undefined).toBe(true);
  });

  test('holds the words of the real module in comments, and a function for each constant, where functions give something', async () => {
    const text = "export const LIMIT = 5;\r\nexport const { slug } = all; // it's `here`\u2028more();\n";
    const hollow = hollowModule(text, 'src/a.js', 'something')!;
    expect(hollow).toContain("// export const { slug } = all; // it's `here`\n// more();");
    const module = await load(hollow);
    expect([typeof module['LIMIT'], typeof module['slug']]).toEqual(['function', 'function']);
    expect(hollowModule(text, 'src/a.js', 'nothing')).not.toContain('all');
  });

  test('has whatever it is asked for where the exports cannot be told', () => {
    for (const text of [
      'module.exports = { a, ...rest };',
      "Object.defineProperty(exports, 'slug', { get: () => f });",
      'Object.assign(module.exports, rest);',
      "module.exports = require('./b');",
    ]) {
      const module = { exports: {} as Record<string, () => unknown> };
      new Function('module', 'exports', hollowModule(text, 'src/a.cjs', 'nothing')!)(module, module.exports);
      expect([typeof module.exports['slug'], module.exports['slug']!(), module.exports['__esModule']]).toEqual([
        'function',
        undefined,
        undefined,
      ]);
    }
  });

  test('passes on what a module only hands through', () => {
    expect(hollowModule("export * from '../b.js';\nexport { a } from '../c.js';\n", 'src/a.ts', 'nothing')).toBe(
      "export * from '../b.js';\nexport function a() {}\n",
    );
  });

  test.each([
    ['exports.f = (a) => a;\nmodule.exports.g = async function () {};\nexports.N = 3;', ['f', 'g', 'N']],
    ['function f() {}\nclass C { go() {} }\nmodule.exports = { f, C, h: () => 1, n: 2, m() {} };', ['f', 'C', 'h', 'n', 'm']],
  ])('speaks CommonJS: %s', (text, names) => {
    const module = { exports: {} as Record<string, unknown> };
    new Function('module', 'exports', hollowModule(text, 'a.cjs', 'nothing')!)(module, module.exports);
    expect(Object.keys(module.exports).toSorted()).toEqual(names.toSorted());
  });

  test('stands in for a single CommonJS function', () => {
    expect(hollowModule('module.exports = function go(a) { return a; };', 'a.js', 'nothing')).toBe('module.exports = function () {};\n');
  });

  test('speaks Python', () => {
    const text =
      'from .b import helper\nimport os\nLIMIT: int = 3\nkey = lambda x: x\n@cache\ndef one(a):\n    def inner(): pass\n    return a\nasync def two(): pass\nclass Cart(dict):\n    """def fake(): """\n    def __init__(self, a): self.a = a\n\n    def add(self, item):\n        return item\n\ndef three(): pass\n';
    expect(hollowModule(text, 'src/a.py', 'nothing')).toBe(
      'from .b import helper\ndef one(*args, **kwargs):\n    return None\nasync def two(*args, **kwargs):\n    return None\ndef three(*args, **kwargs):\n    return None\nLIMIT = None\ndef key(*args, **kwargs):\n    return None\nclass Cart:\n    def __init__(self, *args, **kwargs):\n        pass\n    def add(*args, **kwargs):\n        return None\n',
    );
  });
});

describe('a module that was there before', () => {
  test('keeps its text and gets what is new', () => {
    expect(
      hollowAddition(
        'export const a = 1;\nfunction b() {}\n',
        'export const a = 2;\nexport function b() {}\nexport const c = () => 1;\n',
        'a.mjs',
        'nothing',
      ),
    ).toBe('export const a = 1;\nfunction b() {}\n\nexport { b };\nexport function c() {}\n');
    expect(hollowAddition('exports.a = 1;\n', 'exports.a = 1;\nexports.b = () => 2;\n', 'a.js', 'nothing')).toBe(
      'exports.a = 1;\n\nmodule.exports.b = function () {};\n',
    );
    expect(hollowAddition('A = 1\n', 'A = 2\ndef f(): pass\n', 'a.py', 'nothing')).toBe(
      'A = 1\n\ndef f(*args, **kwargs):\n    return None\n',
    );
  });

  test('is left alone where it exports nothing new', () => {
    expect(hollowAddition('export const a = 1;\n', 'export const a = 2;\n', 'a.js', 'nothing')).toBeNull();
  });
});
