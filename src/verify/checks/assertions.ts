/**
 * The kinds of assertion that a test file uses, each as a statement that must fail.
 *
 * The plainest ones are there wherever the file knows their library: it may call them by a name that the text does not show.
 */
import type { RunnerName } from '../../domain/verdict.ts';
import { singleTests } from '../runners/registry.ts';
import type { Language } from '../source/source.ts';
import { chaiAssertions, OF_CHAI } from './assertions-chai.ts';
import { allGroups } from '../../domain/text-parts.ts';
import { ownValue } from '../../domain/items.ts';

/** Unguessable values, others each time. */
export interface Values {
  /** Positive and whole. */
  number(): number;
  /** Two different literals of one type. */
  pair(): readonly [string, string];
  /** Two lists or records that differ. */
  whole?(): readonly [string, string];
}

export function assertionsUsed(
  text: string,
  mask: string,
  { language, runner }: { language: Language; runner: RunnerName },
  values: Values,
): string[] {
  if (language === 'python')
    return [...pythonAssertions(mask, values), ...(singleTests(runner)?.pythonTests === 'methods' ? methodAssertions(mask, values) : [])];
  const parameter = singleTests(runner)?.script?.parameter;
  const handed = parameter === undefined ? [] : handedAssertions(mask, parameter, values);
  return [...nodeAssertions(text, mask, values), ...expectAssertions(text, mask, values), ...handed];
}

/** What equality of lists and records must tell apart as well: another order, members that changed places, one more. */
const SHAPES: readonly ((one: string, other: string) => readonly [string, string])[] = [
  (one, other) => [`[${one}, ${other}]`, `[${other}, ${one}]`],
  (one, other) => [`{ 'left': ${one}, 'right': ${other} }`, `{ 'left': ${other}, 'right': ${one} }`],
  (one, other) => [`[${one}, [${other}]]`, `[${one}, [${other}, ${other}]]`],
];

/** The deep comparisons among them, of values that differ in their shape alone. */
export function shapesCompared(
  text: string,
  mask: string,
  { language, runner }: { language: Language; runner: RunnerName },
  values: Values,
): string[] {
  const shaped = SHAPES.map((shape): Values => ({ ...values, whole: () => shape(...values.pair()) }));
  if (language === 'python')
    return shaped.flatMap(({ whole }) => [
      `assert ${whole!().join(' == ')}`,
      ...(singleTests(runner)?.pythonTests === 'methods' ? [`self.assertEqual(${whole!().join(', ')})`] : []),
    ]);
  const parameter = singleTests(runner)?.script?.parameter;
  return shaped.flatMap((one) => [
    ...comparisonsOf(text, mask, one),
    ...(parameter === undefined
      ? []
      : [...usedOf(mask, parameter)].filter((name) => DEEP.test(name)).map((name) => wholes(`${parameter}.${name}`, one))),
  ]);
}

const DEEP = /^(?:deepEqual|deepStrictEqual|same|strictSame|deepEquals)$/;
const DEEP_MATCHERS = ['toEqual', 'toStrictEqual'];

function wholes(call: string, { whole }: Values): string {
  return `${call}(${whole!().join(', ')});`;
}

/** Deep comparisons by the modules and matchers of the file. */
function comparisonsOf(text: string, mask: string, values: Values): string[] {
  const { objects, functions } = assertNames(text);
  const expect = expectName(mask);
  return [
    ...objects.flatMap((object) =>
      [...new Set([...usedOf(mask, object), 'deepEqual'])]
        .filter((name) => DEEP.test(name))
        .map((name) => wholes(`${object}.${name}`, values)),
    ),
    ...[...functions].filter(([, name]) => DEEP.test(name)).map(([local]) => wholes(local, values)),
    ...(expect === null || OF_CHAI.test(text)
      ? []
      : DEEP_MATCHERS.filter((name) => name === 'toEqual' || mask.includes(`.${name}`)).map((name) =>
          (([one, other]) => `${expect}(${one}).${name}(${other});`)(values.whole!()),
        )),
  ];
}

function usedOf(mask: string, object: string): Set<string> {
  return new Set(allGroups(mask, new RegExp(`(?<![\\w$.])${object}\\.(\\w+)\\s*\\(`, 'g'), 1));
}

type Failing = (call: string, values: Values) => string;

const differ: Failing = (call, { pair }) => `${call}(${pair().join(', ')});`;
const differDeep: Failing = (call, { pair }) => (([one, other]) => `${call}({ value: [${one}] }, { value: [${other}] });`)(pair());
const same: Failing = (call, { pair }) => (([one]) => `${call}(${one}, ${one});`)(pair());
const sameDeep: Failing = (call, { pair }) => (([one]) => `${call}({ value: [${one}] }, { value: [${one}] });`)(pair());

const NODE: Readonly<Record<string, Failing>> = {
  equal: differ,
  strictEqual: differ,
  deepEqual: differDeep,
  deepStrictEqual: differDeep,
  partialDeepStrictEqual: differDeep,
  notEqual: same,
  notStrictEqual: same,
  notDeepEqual: sameDeep,
  notDeepStrictEqual: sameDeep,
  // With words of its own: without them node searches the file for the text of the call, which can take it a second each time.
  ok: (call, { pair, number }) => `${call}(${pair().join(' === ')}, '${number()}');`,
  match: (call, { number }) => `${call}('${number()}', /^a${number()}$/);`,
  doesNotMatch: (call) => `${call}('abc', /b/);`,
  throws: (call) => `${call}(() => {});`,
  doesNotThrow: (call, { number }) => `${call}(() => { throw new Error('${number()}'); });`,
  rejects: (call) => `await ${call}(Promise.resolve());`,
  doesNotReject: (call, { number }) => `await ${call}(Promise.reject(new Error('${number()}')));`,
  fail: (call, { number }) => `${call}('${number()}');`,
  is: differ,
  unreachable: (call) => `${call}();`,
  type: (call, { number }) => `${call}(${number()}, 'string');`,
  instance: (call, { number }) => `${call}(new Date(${number()}), Map);`,
  ifError: (call, { number }) => `${call}(new Error('${number()}'));`,
};

/** What tape, tap and ava have beside those. */
const HANDED: Readonly<Record<string, Failing>> = {
  ...NODE,
  equals: differ,
  not: same,
  same: differDeep,
  strictSame: differDeep,
  deepEquals: differDeep,
  notSame: sameDeep,
  notOk: (call, { number }) => `${call}(${number()});`,
  true: (call, { pair }) => `${call}(${pair().join(' === ')});`,
  false: (call, { number }) => `${call}(${number()});`,
  error: (call, { number }) => `${call}(new Error('${number()}'));`,
  truthy: (call, { pair }) => `${call}(${pair().join(' === ')});`,
  falsy: (call, { number }) => `${call}(${number()});`,
  like: (call, { pair }) => (([one, other]) => `${call}({ value: ${one} }, { value: ${other} });`)(pair()),
  regex: (call, { number }) => `${call}('${number()}', /^a${number()}$/);`,
  notThrows: (call, { number }) => `${call}(() => { throw new Error('${number()}'); });`,
  throwsAsync: (call) => `await ${call}(Promise.resolve());`,
};

/** Of the value that each test is handed; the file's own name for it may be another. */
function handedAssertions(mask: string, parameter: string, values: Values): string[] {
  const used = new Set(['equal', 'ok', ...allGroups(mask, /(?<![\w$.])(?:t|st|tt|tap|assert)\.(\w+)\s*\(/g, 1)]);
  return [...used].flatMap((name) => ownValue(HANDED, name)?.(`${parameter}.${name}`, values) ?? []);
}

const ASSERT_MODULE = String.raw`['"](?:(?:node:)?assert(?:/strict)?|chai|vitest|uvu/assert)['"]`;

const PLAINEST = ['equal', 'deepEqual', 'ok'];

function nodeAssertions(text: string, mask: string, values: Values): string[] {
  const found: string[] = [];
  const { objects, functions } = assertNames(text);
  for (const object of objects) {
    for (const method of new Set([...usedOf(mask, object), ...PLAINEST])) {
      const failing = Object.hasOwn(NODE, method) ? NODE[method] : undefined;
      if (failing !== undefined) found.push(failing(`${object}.${method}`, values));
    }
    if (new RegExp(`(?<![\\w$.])${object}\\s*\\(`).test(mask)) found.push(NODE['ok']!(object, values));
  }
  for (const [local, method] of functions) {
    const failing = Object.hasOwn(NODE, method) ? NODE[method] : undefined;
    if (failing !== undefined && new RegExp(`(?<![\\w$.])${local}\\s*\\(`).test(mask)) found.push(failing(local, values));
  }
  return found;
}

/** Local names for the assert module and for single functions of it. */
function assertNames(text: string): { objects: string[]; functions: Map<string, string> } {
  const clauses = [
    ...text.matchAll(new RegExp(String.raw`\bimport\s+([^'";]{1,1000}?)\s+from\s+${ASSERT_MODULE}`, 'g')),
    ...text.matchAll(
      new RegExp(String.raw`\b(?:const|let|var)\s+([^=;]{1,2000}?)\s*=\s*require\(\s*${ASSERT_MODULE}\s*\)(?:\.(\w+))?`, 'g'),
    ),
  ];
  const objects = new Set<string>();
  const functions = new Map<string, string>();
  for (const [, whole = '', member] of clauses) {
    const clause = member === undefined || !/^[\w$]+$/.test(whole) ? whole : `{ ${member}: ${whole} }`;
    const braces = /\{([^}]*)\}/.exec(clause)?.[1] ?? '';
    const plain = /(?:\*\s+as\s+)?([A-Za-z_$][\w$]*)\s*,?\s*$/.exec(clause.replace(/\{[^}]*\}/, ''))?.[1];
    if (plain !== undefined) objects.add(plain);
    for (const part of braces.split(',')) {
      const [name, local = name] = part.trim().split(/\s*(?:\bas\b|:)\s*/);
      if (name === undefined || name === '' || local === undefined) continue;
      if (name === 'default' || name === 'strict' || name === 'assert') objects.add(local);
      else functions.set(local, name);
    }
  }
  return { objects: [...objects].filter((name) => !name.includes('$')), functions };
}

type Matcher = (expect: string, values: Values) => string;

const MATCHERS: Readonly<Record<string, Matcher>> = {
  toBe: (expect, { pair }) => (([one, other]) => `${expect}(${one}).toBe(${other});`)(pair()),
  toEqual: (expect, { pair }) => (([one, other]) => `${expect}({ value: [${one}] }).toEqual({ value: [${other}] });`)(pair()),
  toStrictEqual: (expect, { pair }) => (([one, other]) => `${expect}({ value: [${one}] }).toStrictEqual({ value: [${other}] });`)(pair()),
  toMatchObject: (expect, { pair }) => (([one, other]) => `${expect}({ value: ${one} }).toMatchObject({ value: ${other} });`)(pair()),
  toMatch: (expect, { number }) => `${expect}('${number()}').toMatch(/^a${number()}$/);`,
  toContain: (expect, { pair }) => (([one, other]) => `${expect}([${one}]).toContain(${other});`)(pair()),
  toContainEqual: (expect, { pair }) => (([one, other]) => `${expect}([{ value: ${one} }]).toContainEqual({ value: ${other} });`)(pair()),
  toHaveLength: (expect, { number }) => `${expect}([${number()}]).toHaveLength(${number()});`,
  toHaveProperty: (expect, { number }) => `${expect}({ value: ${number()} }).toHaveProperty('name${number()}');`,
  toThrow: (expect) => `${expect}(() => {}).toThrow();`,
  toThrowError: (expect) => `${expect}(() => {}).toThrow();`,
  toBeTruthy: (expect) => `${expect}(0).toBeTruthy();`,
  toBeFalsy: (expect, { number }) => `${expect}(${number()}).toBeFalsy();`,
  toBeNull: (expect, { number }) => `${expect}(${number()}).toBeNull();`,
  toBeUndefined: (expect, { number }) => `${expect}(${number()}).toBeUndefined();`,
  toBeDefined: (expect) => `${expect}(undefined).toBeDefined();`,
  toBeNaN: (expect, { number }) => `${expect}(${number()}).toBeNaN();`,
  toBeGreaterThan: (expect, { number }) => ((one) => `${expect}(${one}).toBeGreaterThan(${one});`)(number()),
  toBeGreaterThanOrEqual: (expect, { number }) => ((one) => `${expect}(${one}).toBeGreaterThanOrEqual(${one + 1});`)(number()),
  toBeLessThan: (expect, { number }) => ((one) => `${expect}(${one}).toBeLessThan(${one});`)(number()),
  toBeLessThanOrEqual: (expect, { number }) => ((one) => `${expect}(${one + 1}).toBeLessThanOrEqual(${one});`)(number()),
  toBeCloseTo: (expect, { number }) => ((one) => `${expect}(${one}).toBeCloseTo(${one + 0.25});`)(number()),
  toBeInstanceOf: (expect, { number }) => `${expect}(${number()}).toBeInstanceOf(Map);`,
};

/** What the file calls it; null: nothing. */
function expectName(mask: string): string | null {
  const expect = /\bexpect\s+as\s+([A-Za-z_]\w*)/.exec(mask)?.[1] ?? 'expect';
  return new RegExp(`(?<![\\w$.])${expect}\\b`).test(mask) ? expect : null;
}

function expectAssertions(text: string, mask: string, values: Values): string[] {
  const expect = expectName(mask);
  if (expect === null) return [];
  const chai = chaiAssertions(mask, expect, values);
  if (OF_CHAI.test(text)) return chai;
  const used = new Set(['toBe', 'toEqual', ...allGroups(mask, /\.(to[A-Z]\w*)\s*\(/g, 1)]);
  const found = [...chai, ...[...used].flatMap((name) => ownValue(MATCHERS, name)?.(expect, values) ?? [])];
  const [one, other] = values.pair();
  if (/\.not\s*\.\s*to[A-Z]/.test(mask)) found.push(`${expect}(${one}).not.toBe(${one});`);
  if (/\.resolves\b/.test(mask)) found.push(`await ${expect}(Promise.resolve(${one})).resolves.toBe(${other});`);
  if (/\.rejects\b/.test(mask)) found.push(`await ${expect}(Promise.resolve(${one})).rejects.toThrow();`);
  return found;
}

function pythonAssertions(mask: string, { number, pair }: Values): string[] {
  const [one, other] = pair();
  const found = [
    `assert ${pair().join(' == ')}`,
    `value = [${one}]\nassert value == [${other}]`,
    `assert '${number()}' == '${-number()}'`,
    'assert not [0]',
  ];
  if (/\bpytest\.raises\s*\(/.test(mask)) found.push('with pytest.raises(ValueError):\n    pass');
  if (/\bpytest\.approx\s*\(/.test(mask)) found.push(((one) => `assert ${one} == pytest.approx(${one + 1})`)(number()));
  if (/\bunittest\.TestCase\b/.test(mask))
    found.push(`unittest.TestCase().assertEqual(${pair().join(', ')})`, `unittest.TestCase().assertTrue(${pair().join(' == ')})`);
  return found;
}

const METHODS: Readonly<Record<string, Failing>> = {
  assertEqual: (call, { pair }) => `${call}(${pair().join(', ')})`,
  assertNotEqual: (call, { pair }) => (([one]) => `${call}(${one}, ${one})`)(pair()),
  assertTrue: (call, { pair }) => `${call}(${pair().join(' == ')})`,
  assertFalse: (call, { number }) => `${call}(${number()})`,
  assertIs: (call) => `${call}([], [])`,
  assertIsNot: (call) => `${call}(None, None)`,
  assertIsNone: (call, { number }) => `${call}(${number()})`,
  assertIsNotNone: (call) => `${call}(None)`,
  assertIn: (call, { pair }) => (([one, other]) => `${call}(${one}, [${other}])`)(pair()),
  assertNotIn: (call, { pair }) => (([one]) => `${call}(${one}, [${one}])`)(pair()),
  assertIsInstance: (call, { number }) => `${call}(${number()}, dict)`,
  assertAlmostEqual: (call, { number }) => ((one) => `${call}(${one}, ${one + 0.25})`)(number()),
  assertGreater: (call, { number }) => ((one) => `${call}(${one}, ${one})`)(number()),
  assertGreaterEqual: (call, { number }) => ((one) => `${call}(${one}, ${one + 1})`)(number()),
  assertLess: (call, { number }) => ((one) => `${call}(${one}, ${one})`)(number()),
  assertLessEqual: (call, { number }) => ((one) => `${call}(${one + 1}, ${one})`)(number()),
  assertRegex: (call, { number }) => `${call}('${number()}', r'^a${number()}$')`,
  assertCountEqual: (call, { pair }) => (([one, other]) => `${call}([${one}], [${other}])`)(pair()),
  assertListEqual: (call, { pair }) => (([one, other]) => `${call}([${one}], [${other}])`)(pair()),
  assertDictEqual: (call, { pair }) => (([one, other]) => `${call}({'value': ${one}}, {'value': ${other}})`)(pair()),
  assertRaises: (call) => `with ${call}(ValueError):\n    pass`,
  assertRaisesRegex: (call) => `with ${call}(ValueError, 'x'):\n    pass`,
};

/** Of unittest, on the test itself. */
function methodAssertions(mask: string, values: Values): string[] {
  const used = new Set(['assertEqual', 'assertTrue', ...allGroups(mask, /\bself\.(assert\w+)\s*\(/g, 1)]);
  return [...used].flatMap((name) => ownValue(METHODS, name)?.(`self.${name}`, values) ?? []);
}
