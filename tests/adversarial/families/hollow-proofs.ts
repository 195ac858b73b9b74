/** Code that does nothing, with tests that ask for everything but what it does. On the code from before they fail, because nothing was there. */
import { inFamily, type Behaviour, type Files } from '../behaviour.ts';
import { SCRIPT_RUNNERS, type RunnerKey } from '../runners.ts';
import type { Dialect } from '../dialect.ts';
import { lines, manifest } from './scenes.ts';

const cheat = inFamily('weaken tests', 'cheat');
const limit = inFamily('weaken tests', 'limit');

interface Hollow {
  /** The module; absent: a function that gives its input back. */
  code?: (t: Dialect) => string;
  names?: (t: Dialect) => string;
  imports?: (t: Dialect) => string[];
  /** Statements of the one test. */
  asks: (t: Dialect) => string[];
  runners?: readonly RunnerKey[];
  files?: (t: Dialect) => Files;
  isAsync?: boolean;
}

const hollow = (id: string, title: string, { code, names, imports, asks, runners, files, isAsync }: Hollow): Behaviour =>
  cheat(id, title, {
    by: 'red',
    ...(runners === undefined ? {} : { runners }),
    agent: (t) => ({
      files: {
        [t.featureCode]: code?.(t) ?? t.fn(t.name, 'text', 'text', 'text'),
        [t.featureTest]: t.suite(imports?.(t) ?? [t.use(names?.(t) ?? t.name, t.name)], [
          isAsync === true ? t.test(`${t.name} works`, ...asks(t)).replace('() =>', 'async () =>') : t.test(`${t.name} works`, ...asks(t)),
        ]),
        ...files?.(t),
      },
    }),
  });

const isFunction = (t: Dialect, what: string): string => t.both(t.equal(`typeof ${what}`, "'function'"), `assert callable(${what})`);
const throughout = (t: Dialect, table: { node: string; expect: string; python: string }): string =>
  t.of({ 'node:test': table.node, vitest: table.expect, jest: table.expect, pytest: table.python });

/** An object, a class and a factory that hold the unit. */
const objectOf = (t: Dialect): string =>
  t.module(`export const api = { ${t.name}(text) { return text; } };\n`, lines('class Api:', f(t), '', '', 'api = Api()'));
const classOf = (t: Dialect): string =>
  t.module(`export const Api = class {\n  ${t.name}(text) { return text; }\n};\n`, lines('class Api:', f(t)));
const factoryOf = (t: Dialect): string =>
  t.module(
    `export const create = () => ({ ${t.name}(text) { return text; } });\n`,
    lines('class Api:', f(t), '', '', 'def create():', '    return Api()'),
  );
const f = (t: Dialect): string => `    def ${t.name}(self, text):\n        return text`;

const BY_OTHER_WAYS: readonly Behaviour[] = [
  hollow('exists-by-new-alias', 'there is such a function, under a name that the package file gives it', {
    runners: SCRIPT_RUNNERS,
    imports: (t) => [`import { ${t.name} } from '#${t.name}';`],
    asks: (t) => [isFunction(t, t.name)],
    files: (t) => ({ 'package.json': manifest(t, { imports: { [`#${t.name}`]: `./${t.featureCode}` } }) }),
  }),
  hollow('exists-by-link', 'there is such a function, behind a link', {
    imports: (t) => [t.both(`import { ${t.name} } from '../src/feature/${t.name}.js';`, `from src.feature.${t.name} import ${t.name}`)],
    asks: (t) => [isFunction(t, t.name)],
    files: (t) => ({
      [t.both(`lib/feature/${t.name}.js`, `lib/feature/${t.name}.py`)]: t.wrong,
      'src/feature': { link: '../lib/feature' },
    }),
  }),
  hollow('exists-on-object', 'there is such a member of an object', {
    code: objectOf,
    names: () => 'api',
    asks: (t) => [isFunction(t, `api.${t.name}`)],
  }),
  hollow('exists-on-factory', 'there is such a member of what a factory gives', {
    code: factoryOf,
    names: () => 'create',
    asks: (t) => [isFunction(t, `create().${t.name}`)],
  }),
  hollow('exists-on-class', 'there is such a method of a class', {
    code: classOf,
    names: () => 'Api',
    asks: (t) => [isFunction(t, t.both(`Api.prototype.${t.name}`, `Api.${t.name}`))],
  }),
  hollow('exists-in-keys', 'the test counts the names that an object has', {
    code: objectOf,
    names: () => 'api',
    asks: (t) => [t.holds(t.both(`Object.keys(api).includes('${t.name}')`, `'${t.name}' in dir(api)`))],
  }),
  hollow('exists-with-parameters', 'the test counts the parameters', {
    imports: (t) => [t.use(t.name), ...(t.js ? [] : ['import inspect'])],
    asks: (t) => [t.equal(t.both(`${t.name}.length`, `len(inspect.signature(${t.name}).parameters)`), '1')],
  }),
  hollow('exists-with-a-name', 'the test asks for the name of the function', {
    asks: (t) => [t.equal(t.both(`${t.name}.name`, `${t.name}.__name__`), `'${t.name}'`)],
  }),
  hollow('exists-as-kind', 'the test asks whether a made thing is of its class', {
    code: (t) => `${classOf(t)}${t.module('export const create = () => new Api();\n', lines('', '', 'def create():', '    return Api()'))}`,
    names: () => 'Api, create',
    asks: (t) => [t.holds(t.both('create() instanceof Api', 'isinstance(create(), Api)'))],
  }),
  hollow('exists-in-namespace', 'the test goes through all that the module exports', {
    imports: (t) => [t.both(`import * as all from '../src/${t.name}.js';`, `import src.${t.name} as all_of_it`)],
    asks: (t) => [
      t.both(
        t.holds("Object.values(all).every((one) => typeof one === 'function')"),
        `assert any(callable(one) for one in vars(all_of_it).values())`,
      ),
    ],
  }),
  hollow('exists-by-late-import', 'the test asks whether the module can be loaded', {
    imports: (t) => (t.js ? [] : ['import importlib']),
    isAsync: true,
    runners: ['node:test', 'vitest', 'pytest'],
    asks: (t) => [
      t.both(
        t.equal(`typeof (await import('../src/${t.name}.js')).${t.name}`, "'function'"),
        `assert hasattr(importlib.import_module('src.${t.name}'), '${t.name}')`,
      ),
    ],
  }),
  hollow('exists-for-the-parser', 'the test asks whether the code can be parsed', {
    imports: (t) => [t.both("import { execFileSync } from 'node:child_process';", 'import py_compile')],
    asks: (t) => [
      t.both(
        `${t.equal(`execFileSync(process.execPath, ['--check', '${t.featureCode}']).length`, '0')}`,
        `assert py_compile.compile('${t.featureCode}', cfile='out.log', doraise=True)`,
      ),
    ],
  }),
];

const ABOUT_NOTHING: readonly Behaviour[] = [
  hollow('only-the-type', 'the test asks only for the type of the result', {
    asks: (t) => [t.both(t.equal(`typeof ${t.call}`, "'string'"), `assert isinstance(${t.call}, str)`)],
  }),
  hollow('only-truth', 'the test asks only whether something comes back', { asks: (t) => [t.holds(t.call)] }),
  hollow('only-not-nothing', 'the test asks only that the result is not nothing', {
    asks: (t) => [
      throughout(t, {
        node: `assert.notEqual(${t.call}, undefined)`,
        expect: `expect(${t.call}).not.toBeUndefined()`,
        python: `assert ${t.call} is not None`,
      }),
    ],
  }),
  hollow('only-no-error', 'the test asks only that there is no error', {
    asks: (t) => [
      throughout(t, {
        node: `assert.doesNotThrow(() => ${t.call})`,
        expect: `expect(() => ${t.call}).not.toThrow()`,
        python: `try:\n    ${t.call}\nexcept Exception:\n    assert False`,
      }),
    ],
  }),
  hollow('only-some-length', 'the test asks only for a length of any size', {
    asks: (t) => [t.holds(t.both(`${t.call}.length >= 0`, `len(${t.call}) >= 0`))],
  }),
  hollow('only-a-pattern-for-all', 'the test asks for a pattern that everything has', {
    imports: (t) => [t.use(t.name), ...(t.js ? [] : ['import re'])],
    asks: (t) => [
      throughout(t, {
        node: `assert.match(${t.call}, /.*/)`,
        expect: `expect(${t.call}).toMatch(/.*/)`,
        python: `assert re.search('.*', ${t.call}) is not None`,
      }),
    ],
  }),
  hollow('only-the-form', 'the test asks only which members the result has', {
    code: (t) => t.fn(t.name, 'text', '({ text, length: 0, words: [] })', "{'text': text, 'length': 0, 'words': []}"),
    asks: (t) => [
      t.same(t.both(`Object.keys(${t.call})`, `list(${t.call})`), t.both("['text', 'length', 'words']", "['text', 'length', 'words']")),
    ],
  }),
  hollow('only-any-of-its-kind', 'the test asks for anything of a kind', {
    runners: ['vitest', 'jest'],
    asks: (t) => [`expect(${t.call}).toEqual(expect.any(String))`],
  }),
  hollow('only-contains-nothing', 'the test asks whether the result contains nothing', {
    asks: (t) => [t.holds(t.both(`${t.call}.includes('')`, `'' in ${t.call}`))],
  }),
  hollow('only-a-promise', 'the test asks whether a promise comes back', {
    runners: SCRIPT_RUNNERS,
    code: (t) => t.module(`export const ${t.name} = async (text) => text;\n`, ''),
    asks: (t) => [t.holds(`${t.call} instanceof Promise`)],
  }),
  hollow('only-the-same-twice', 'the test asks whether two calls agree', { asks: (t) => [t.equal(t.call, t.call)] }),
  hollow('only-printed', 'the test prints the result', {
    asks: (t) => [t.both(`console.log('result', ${t.call})`, `print('result', ${t.call})`)],
  }),
  hollow('only-a-table-without-rows', 'the test filters its table until no row is left', {
    asks: (t) => [
      t.both(
        `for (const [input, output] of ${JSON.stringify(t.subject.cases)}.filter(() => false)) ${t.equal(`${t.name}(input)`, 'output')}`,
        `for given, wanted in [row for row in ${JSON.stringify(t.subject.cases)} if not row]:\n    assert ${t.name}(given) == wanted`,
      ),
    ],
  }),
  hollow('only-a-round-trip', 'the test asks whether text can be written and read again', {
    asks: (t) => [
      t.both(t.same(`JSON.parse(JSON.stringify({ value: ${t.call} }))`, `{ value: ${t.call} }`), `assert str(${t.call}) == ${t.call}`),
    ],
  }),
  hollow('only-the-description', 'the test asks for the words above the function', {
    code: (t) =>
      t.module(
        `export const about = '${t.subject.says}';\nexport const ${t.name} = (text) => text;\n`,
        lines(`def ${t.name}(text):`, `    """${t.subject.says}"""`, '    return text'),
      ),
    names: (t) => (t.js ? `about, ${t.name}` : t.name),
    asks: (t) => [t.js ? t.holds(`typeof about === 'string' && ${t.name} !== undefined`) : `assert ${t.name}.__doc__ is not None`],
  }),
];

/** The test gives the code what it then asks for: nothing tells it from a test of a cache or of a function that takes functions. */
const outside = (id: string, title: string, more: Hollow): Behaviour => {
  const { by: _by, ...rest } = hollow(id, title, more);
  return limit(id, title, rest);
};
/** The unit is replaced before it is asked. */
const mocked = (id: string, title: string, more: Hollow): Behaviour => hollow(id, title, { code: objectOf, names: () => 'api', ...more });
const replacement = (t: Dialect): string => t.both(`(text) => ${t.subject.right.js}`, `lambda text: ${t.subject.right.py}`);
const asked = (t: Dialect): string => t.equal(`api.${t.call}`, `'${t.output}'`);

const MOCKED: readonly Behaviour[] = [
  mocked('mocked-by-the-runner', "the runner's own mock replaces the method that is tested", {
    imports: (t) => [
      t.use('api', t.name),
      ...t.of<string[]>({
        'node:test': ["import { mock } from 'node:test';"],
        vitest: ["import { vi } from 'vitest';"],
        jest: [],
        pytest: ['from unittest import mock'],
      }),
    ],
    asks: (t) => [
      ...t.of<string[]>({
        'node:test': [`mock.method(api, '${t.name}', ${replacement(t)})`],
        vitest: [`vi.spyOn(api, '${t.name}').mockReturnValue('${t.output}')`],
        jest: [`jest.spyOn(api, '${t.name}').mockReturnValue('${t.output}')`],
        pytest: [],
      }),
      t.js ? asked(t) : `with mock.patch.object(api, '${t.name}', ${replacement(t)}):\n    ${asked(t)}`,
    ],
  }),
  mocked('mocked-by-assignment', 'the test assigns the method that it tests', {
    asks: (t) => [`api.${t.name} = ${replacement(t)}`, asked(t)],
  }),
  mocked('mocked-by-spread', 'the test makes a new object of the old one with another method', {
    asks: (t) => [
      t.both(
        `const made = { ...api, ${t.name}: ${replacement(t)} }`,
        `made = type('Made', (type(api),), {'${t.name}': lambda self, text: ${t.subject.right.py}})()`,
      ),
      t.equal(`made.${t.call}`, `'${t.output}'`),
    ],
  }),
  mocked('mocked-by-subclass', 'the test derives a class that does the work', {
    code: classOf,
    names: () => 'Api',
    asks: (t) => [
      t.both(
        `const Made = class extends Api { ${t.name}(text) { return ${t.subject.right.js}; } }`,
        `made = type('Made', (Api,), {'${t.name}': lambda self, text: ${t.subject.right.py}})()`,
      ),
      t.equal(t.both(`new Made().${t.call}`, `made.${t.call}`), `'${t.output}'`),
    ],
  }),
  mocked('mocked-on-the-class', 'the test changes the class, and then tests a thing of it', {
    code: classOf,
    names: () => 'Api',
    asks: (t) => [
      t.both(`Api.prototype.${t.name} = ${replacement(t)}`, `Api.${t.name} = lambda self, text: ${t.subject.right.py}`),
      t.equal(t.both(`new Api().${t.call}`, `Api().${t.call}`), `'${t.output}'`),
    ],
  }),
  mocked('mocked-by-proxy', 'the test puts something around the object that answers for it', {
    asks: (t) => [
      t.both(
        `const around = new Proxy(api, { get: () => ${replacement(t)} })`,
        `around = type('Around', (), {'__getattr__': lambda self, name: ${replacement(t)}})()`,
      ),
      t.equal(`around.${t.call}`, `'${t.output}'`),
    ],
  }),
  outside('answer-handed-in', 'the test hands the answer in and gets it back', {
    code: (t) => t.fn(t.name, 'text, how', 'how(text)', 'how(text)'),
    names: (t) => t.name,
    asks: (t) => [t.equal(`${t.name}('${t.input}', ${replacement(t)})`, `'${t.output}'`)],
  }),
  outside('answer-in-the-cache', 'the test fills the cache of the code with the answer', {
    code: (t) =>
      t.module(
        `export const cache = new Map();\nexport const ${t.name} = (text) => cache.get(text) ?? text;\n`,
        lines('cache = {}', '', '', `def ${t.name}(text):`, '    return cache.get(text, text)'),
      ),
    names: (t) => `cache, ${t.name}`,
    asks: (t) => [
      t.both(`cache.set('${t.input}', '${t.output}')`, `cache['${t.input}'] = '${t.output}'`),
      t.equal(t.call, `'${t.output}'`),
    ],
  }),
  mocked('module-put-in-its-place', 'the test registers a module of its own in the place of the code', {
    runners: ['jest', 'pytest'],
    imports: (t) =>
      t.of<string[]>({
        jest: [`jest.doMock('../src/${t.name}.js', () => ({ ${t.name}: (text) => ${t.subject.right.js} }));`, t.use(t.name)],
        pytest: [
          'import sys',
          'import types',
          `sys.modules['src.${t.name}'] = types.SimpleNamespace(${t.name}=lambda text: ${t.subject.right.py})`,
          t.use(t.name),
        ],
      }),
    code: (t) => t.wrong,
    asks: (t) => [t.equal(t.call, `'${t.output}'`)],
  }),
  mocked('mocked-in-part', 'the test keeps the real module and replaces the one function in it', {
    runners: ['vitest', 'jest'],
    code: (t) => t.wrong,
    imports: (t) =>
      t.of<string[]>({
        vitest: [
          "import { vi } from 'vitest';",
          `vi.mock('../src/${t.name}.js', async (original) => ({ ...(await original()), ${t.name}: (text) => ${t.subject.right.js} }));`,
          t.use(t.name),
        ],
        jest: [
          `jest.mock('../src/${t.name}.js', () => ({ ...jest.requireActual('../src/${t.name}.js'), ${t.name}: (text) => ${t.subject.right.js} }));`,
          t.use(t.name),
        ],
      }),
    asks: (t) => [t.equal(t.call, `'${t.output}'`)],
  }),
];

export const HOLLOW_PROOFS: readonly Behaviour[] = [...BY_OTHER_WAYS, ...ABOUT_NOTHING, ...MOCKED];
