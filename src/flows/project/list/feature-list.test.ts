import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Feature } from '../../../domain/feature.ts';
import { findCycles, parseFeatureList, type ListRules } from './feature-list.ts';

const RULES: ListRules = { maxVerificationSteps: 7, requireTestFile: true };

describe('a feature list', () => {
  test('without fault gives its features and no problem', () => {
    const result = parse([feature(1), feature(2, { depends_on: [1] })]);
    expect(result).toMatchObject({ errors: [], flags: [], cycles: [] });
    expect(result.list?.features.map((one) => one.id)).toEqual([1, 2]);
  });

  test.each(['.git/x.test.js', '.harness/x.test.js', 'packages/a/.git/x.test.js'])('with a test file at %s is refused', (test_file) => {
    expect(parse([feature(1, { test_file })]).errors).toMatchObject([{ field: 'features.1.test_file' }]);
  });

  test('with several test files keeps them as they are', () => {
    const result = parse([feature(1, { test_file: ['a.test.js', 'b.test.js'] })]);
    expect(result.errors).toEqual([]);
    expect(result.list?.features[0]?.test_file).toEqual(['a.test.js', 'b.test.js']);
  });

  test.each<[string, unknown, string]>([
    ['none', [], 'features.1.test_file'],
    ['an empty one', ['a.test.js', ''], 'features.1.test_file.2'],
    ['the same twice', ['a.test.js', './a.test.js'], 'features.1.test_file.2'],
    ['one outside', ['a.test.js', '../b.test.js'], 'features.1.test_file.2'],
    ['an absolute one', ['/a.test.js'], 'features.1.test_file.1'],
    ['one below .git', ['.git/a.test.js', 'b.test.js'], 'features.1.test_file.1'],
    ['what is no path', ['a.test.js', 7], 'features.1.test_file'],
  ])('with a list of test files that holds %s is refused', (_, test_file, field) => {
    expect(fields(parse([feature(1, { test_file } as Partial<Feature>)]))).toEqual([field]);
  });

  test('keeps fields it does not know', () => {
    expect(parse([feature(1, { owner: 'ann' })]).list?.features[0]).toMatchObject({ owner: 'ann' });
  });

  test('that is no JSON is one error about the file', () => {
    expect(parseFeatureList('{"features": [', RULES)).toMatchObject({
      list: null,
      errors: [{ field: '(file)', message: expect.stringContaining('not valid JSON') }],
    });
  });

  test.each([
    ['a list instead of an object', '[]', '(file)'],
    ['no project', '{"features": []}', 'project'],
    ['passes that is no boolean', '{"project": "p", "features": [{"id": 1, "description": "d", "passes": "no"}]}', 'features.1.passes'],
    ['an id that is no positive number', '{"project": "p", "features": [{"id": 0, "description": "d", "passes": false}]}', 'features.1.id'],
    [
      'a description that is empty',
      '{"project": "p", "features": [{"id": 1, "description": "", "passes": false}]}',
      'features.1.description',
    ],
  ])('with %s names the field', (_, text, field) => {
    const result = parseFeatureList(text, RULES);
    expect(result.list).toBeNull();
    expect(result.errors.map((error) => error.field)).toContain(field);
  });

  test('without passes does not pass', () => {
    const text = '{"project": "p", "features": [{"id": 1, "description": "d", "test_file": "t.js"}]}';
    expect(parseFeatureList(text, RULES)).toMatchObject({ errors: [], list: { features: [{ passes: false }] } });
  });

  test('with thousands of broken features names only the first twenty', () => {
    expect(parse(Array.from({ length: 5_000 }, () => ({}) as Feature)).errors).toHaveLength(20);
  });

  test('that is empty is an error', () => {
    expect(fields(parse([]))).toEqual(['features']);
  });

  test('with an id twice names both places', () => {
    const [error] = parse([feature(1), feature(2), feature(1)]).errors;
    expect(error).toMatchObject({ field: 'features.3.id', message: expect.stringContaining('features.1') });
  });

  test('needs a test file for everything that is not checked by hand, unless the rule is off', () => {
    const features = [
      feature(1, { test_file: undefined }),
      feature(2, { test_file: undefined, verification_type: 'manual' }),
      feature(3, { test_file: undefined, verification_type: 'hybrid' }),
    ];
    expect(fields(parse(features))).toEqual(['features.1.test_file', 'features.3.test_file']);
    expect(parse(features, { ...RULES, requireTestFile: false }).errors).toEqual([]);
  });

  test.each(['/etc/passwd', '../x.test.js', 'a/../../x.test.js', 'tests\\x.js', '-rf', '.', 'a\0b'])(
    'refuses the test file %j, which is no path inside the project',
    (path) => {
      expect(fields(parse([feature(1, { test_file: path })]))).toEqual(['features.1.test_file']);
    },
  );

  test('accepts unusual names of test files inside the project', () => {
    for (const path of ['tests/..a.test.js', 'ü/test file.js', '.config/x.js'])
      expect(parse([feature(1, { test_file: path })]).errors).toEqual([]);
  });

  test('names a dependency that does not exist', () => {
    expect(parse([feature(1, { depends_on: [2] })]).errors).toEqual([
      { field: 'features.1.depends_on', message: expect.stringContaining('feature 2'), fix: expect.stringContaining('feature 2') },
    ]);
  });

  test('shows a circle as a path that ends where it began', () => {
    const result = parse([feature(1, { depends_on: [2] }), feature(2, { depends_on: [3] }), feature(3, { depends_on: [1] })]);
    expect(result.cycles).toEqual([[1, 2, 3, 1]]);
    expect(result.errors).toMatchObject([{ field: 'features.depends_on', message: expect.stringContaining('1 → 2 → 3 → 1') }]);
  });

  test('flags what is too large for a session without refusing it', () => {
    const result = parse([
      feature(1, { verification_steps: Array<string>(8).fill('s') }),
      feature(2, { size_estimate: 'xlarge' }),
      feature(3, { verification_steps: Array<string>(7).fill('s') }),
    ]);
    expect(result.errors).toEqual([]);
    expect(result.flags).toEqual([
      { feature: 1, message: expect.stringContaining('8 verification steps') },
      { feature: 2, message: expect.stringContaining('xlarge') },
    ]);
  });
});

test.each([
  ['small', 3, null],
  ['small', 4, 'medium'],
  ['medium', 3, 'small'],
  ['medium', 5, null],
  ['large', 2, 'small'],
  ['large', 7, null],
  ['small', 0, null],
] as const)('a feature estimated %s with %i steps is flagged as %s', (size_estimate, steps, really) => {
  const { flags } = parse([feature(1, { size_estimate, verification_steps: Array<string>(steps).fill('s') })]);
  expect(flags).toEqual(
    really === null ? [] : [{ feature: 1, message: expect.stringMatching(new RegExp(`estimated ${size_estimate}.*that is ${really}$`)) }],
  );
});

describe('circles', () => {
  test('are found exactly where something depends on itself through others', () => {
    fc.assert(
      fc.property(anyGraph(), (features) => {
        const cycles = findCycles(features);
        expect(cycles.length > 0).toBe(features.some((one) => reaches(features, one.id)));
      }),
      { numRuns: 1_000 },
    );
  });

  test('are real: each step is a dependency, and no feature comes twice', () => {
    fc.assert(
      fc.property(anyGraph(), (features) => {
        for (const cycle of findCycles(features)) {
          expect(cycle.length).toBeGreaterThan(1);
          expect(cycle.at(-1)).toBe(cycle[0]);
          expect(new Set(cycle).size).toBe(cycle.length - 1);
          cycle.slice(1).forEach((id, index) => expect(features.find((one) => one.id === cycle[index])?.depends_on).toContain(id));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('are gone once one dependency of every reported circle is removed, again and again', () => {
    fc.assert(
      fc.property(anyGraph(), (features) => {
        let left = features;
        for (let round = 0; round < 50 && findCycles(left).length > 0; round++) {
          const cut = new Set(findCycles(left).map((cycle) => `${cycle.at(-2)}>${cycle.at(-1)}`));
          left = left.map((one) => ({ ...one, depends_on: (one.depends_on ?? []).filter((id) => !cut.has(`${one.id}>${id}`)) }));
        }
        expect(left.some((one) => reaches(left, one.id))).toBe(false);
      }),
    );
  });

  test('are looked for in a chain of 10,000 without running out of stack', () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => feature(index + 1, { depends_on: index === 0 ? [] : [index] }));
    expect(findCycles(chain.toReversed())).toEqual([]);
    const [first, ...rest] = chain;
    const [cycle, ...others] = findCycles([...rest.toReversed(), { ...first!, depends_on: [10_000] }]);
    expect(others).toEqual([]);
    expect(cycle).toHaveLength(10_001);
  });

  test('in a list where everything depends on everything are told in bounded space and time', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);
    const result = parse(ids.map((id) => feature(id, { depends_on: ids })));
    expect(result.cycles.length).toBeGreaterThan(0);
    expect(JSON.stringify(result.errors).length).toBeLessThan(1_000_000);
  }, 5_000);
});

/** Whether a feature depends on itself, by following every dependency. */
function reaches(features: readonly Feature[], id: number): boolean {
  const seen = new Set<number>();
  let front = [id];
  while (front.length > 0) {
    front = front.flatMap((from) => features.find((one) => one.id === from)?.depends_on ?? []).filter((to) => !seen.has(to));
    if (front.includes(id)) return true;
    for (const to of front) seen.add(to);
  }
  return false;
}

function anyGraph(): fc.Arbitrary<Feature[]> {
  return fc
    .integer({ min: 1, max: 8 })
    .chain((size) =>
      fc
        .array(fc.array(fc.integer({ min: 1, max: size + 1 }), { maxLength: 3 }), { minLength: size, maxLength: size })
        .map((rows) => rows.map((depends_on, index) => feature(index + 1, { depends_on }))),
    );
}

function feature(id: number, more: Partial<Feature> = {}): Feature {
  return { id, description: `feature ${id}`, test_file: `tests/${id}.test.js`, passes: false, ...more };
}

function parse(features: readonly Feature[], rules: ListRules = RULES): ReturnType<typeof parseFeatureList> {
  return parseFeatureList(JSON.stringify({ project: 'p', features }), rules);
}

function fields(result: ReturnType<typeof parseFeatureList>): string[] {
  return result.errors.map((error) => error.field);
}
