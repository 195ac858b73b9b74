/** The kinds of assertion that a test file uses, each as a statement that must fail. */
import type { Language } from './mask.ts';

/** `number` gives another value each time. */
export function assertionsUsed(text: string, mask: string, language: Language, number: () => number): string[] {
  if (language === 'python') return pythonAssertions(mask, number);
  return [...nodeAssertions(text, mask, number), ...expectAssertions(mask, number)];
}

type Failing = (call: string, number: () => number) => string;

const differ: Failing = (call, number) => `${call}(${number()}, ${-number()});`;
const differDeep: Failing = (call, number) => `${call}({ value: [${number()}] }, { value: [${-number()}] });`;
const same: Failing = (call, number) => ((value) => `${call}(${value}, ${value});`)(number());
const sameDeep: Failing = (call, number) => ((value) => `${call}({ value: [${value}] }, { value: [${value}] });`)(number());

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
  ok: (call, number) => `${call}(${number()} === ${-number()});`,
  match: (call, number) => `${call}('${number()}', /^a${number()}$/);`,
  doesNotMatch: (call) => `${call}('abc', /b/);`,
  throws: (call) => `${call}(() => {});`,
  doesNotThrow: (call, number) => `${call}(() => { throw new Error('${number()}'); });`,
  rejects: (call) => `await ${call}(Promise.resolve());`,
  doesNotReject: (call, number) => `await ${call}(Promise.reject(new Error('${number()}')));`,
  fail: (call, number) => `${call}('${number()}');`,
  ifError: (call, number) => `${call}(new Error('${number()}'));`,
};

const ASSERT_MODULE = String.raw`['"](?:(?:node:)?assert(?:/strict)?|chai|vitest)['"]`;

function nodeAssertions(text: string, mask: string, number: () => number): string[] {
  const found: string[] = [];
  const { objects, functions } = assertNames(text);
  for (const object of objects) {
    const used = new Set([...mask.matchAll(new RegExp(`(?<![\\w$.])${object}\\.(\\w+)\\s*\\(`, 'g'))].map((match) => match[1]!));
    for (const method of used) {
      const failing = Object.hasOwn(NODE, method) ? NODE[method] : undefined;
      if (failing !== undefined) found.push(failing(`${object}.${method}`, number));
    }
    if (new RegExp(`(?<![\\w$.])${object}\\s*\\(`).test(mask)) found.push(NODE['ok']!(object, number));
  }
  for (const [local, method] of functions) {
    const failing = Object.hasOwn(NODE, method) ? NODE[method] : undefined;
    if (failing !== undefined && new RegExp(`(?<![\\w$.])${local}\\s*\\(`).test(mask)) found.push(failing(local, number));
  }
  return found;
}

/** Local names for the assert module and for single functions of it. */
function assertNames(text: string): { objects: string[]; functions: Map<string, string> } {
  const clauses = [
    ...text.matchAll(new RegExp(String.raw`\bimport\s+([^'";]+?)\s+from\s+${ASSERT_MODULE}`, 'g')),
    ...text.matchAll(new RegExp(String.raw`\b(?:const|let|var)\s+([^=;]+?)\s*=\s*require\(\s*${ASSERT_MODULE}\s*\)`, 'g')),
  ];
  const objects = new Set<string>();
  const functions = new Map<string, string>();
  for (const [, clause = ''] of clauses) {
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

type Matcher = (number: () => number) => string;

const MATCHERS: Readonly<Record<string, Matcher>> = {
  toBe: (n) => `expect(${n()}).toBe(${-n()});`,
  toEqual: (n) => `expect({ value: [${n()}] }).toEqual({ value: [${-n()}] });`,
  toStrictEqual: (n) => `expect({ value: [${n()}] }).toStrictEqual({ value: [${-n()}] });`,
  toMatchObject: (n) => `expect({ value: ${n()} }).toMatchObject({ value: ${-n()} });`,
  toMatch: (n) => `expect('${n()}').toMatch(/^a${n()}$/);`,
  toContain: (n) => `expect([${n()}]).toContain(${-n()});`,
  toContainEqual: (n) => `expect([{ value: ${n()} }]).toContainEqual({ value: ${-n()} });`,
  toHaveLength: (n) => `expect([${n()}]).toHaveLength(${n()});`,
  toHaveProperty: (n) => `expect({ value: ${n()} }).toHaveProperty('name${n()}');`,
  toThrow: () => 'expect(() => {}).toThrow();',
  toThrowError: () => 'expect(() => {}).toThrow();',
  toBeTruthy: () => 'expect(0).toBeTruthy();',
  toBeFalsy: (n) => `expect(${n()}).toBeFalsy();`,
  toBeNull: (n) => `expect(${n()}).toBeNull();`,
  toBeUndefined: (n) => `expect(${n()}).toBeUndefined();`,
  toBeDefined: () => 'expect(undefined).toBeDefined();',
  toBeNaN: (n) => `expect(${n()}).toBeNaN();`,
  toBeGreaterThan: (n) => `expect(${-n()}).toBeGreaterThan(${n()});`,
  toBeGreaterThanOrEqual: (n) => `expect(${-n()}).toBeGreaterThanOrEqual(${n()});`,
  toBeLessThan: (n) => `expect(${n()}).toBeLessThan(${-n()});`,
  toBeLessThanOrEqual: (n) => `expect(${n()}).toBeLessThanOrEqual(${-n()});`,
  toBeCloseTo: (n) => `expect(${n()}).toBeCloseTo(${-n()});`,
  toBeInstanceOf: (n) => `expect(${n()}).toBeInstanceOf(Map);`,
};

function expectAssertions(mask: string, number: () => number): string[] {
  if (!/(?<![\w$.])expect\s*\(/.test(mask)) return [];
  const used = [...new Set([...mask.matchAll(/\.(to[A-Z]\w*)\s*\(/g)].map((match) => match[1]!))];
  const found = used.flatMap((name) => (Object.hasOwn(MATCHERS, name) ? MATCHERS[name]!(number) : []));
  if (/\.not\s*\.\s*to[A-Z]/.test(mask)) found.push(((value) => `expect(${value}).not.toBe(${value});`)(number()));
  if (/\.resolves\b/.test(mask)) found.push(`await expect(Promise.resolve(${number()})).resolves.toBe(${-number()});`);
  if (/\.rejects\b/.test(mask)) found.push(`await expect(Promise.resolve(${number()})).rejects.toThrow();`);
  return found.length === 0 ? [MATCHERS['toBe']!(number)] : found;
}

function pythonAssertions(mask: string, number: () => number): string[] {
  const found = [
    `assert ${number()} == ${-number()}`,
    `value = [${number()}]\nassert value == [${-number()}]`,
    `assert '${number()}' == '${-number()}'`,
    'assert not [0]',
  ];
  if (/\bpytest\.raises\s*\(/.test(mask)) found.push('with pytest.raises(ValueError):\n    pass');
  if (/\bpytest\.approx\s*\(/.test(mask)) found.push(`assert ${number()} == pytest.approx(${-number()})`);
  if (/\bunittest\.TestCase\b/.test(mask))
    found.push(`unittest.TestCase().assertEqual(${number()}, ${-number()})`, `unittest.TestCase().assertTrue(${number()} == ${-number()})`);
  return found;
}
