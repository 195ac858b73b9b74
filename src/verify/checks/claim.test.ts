import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readClaim } from './claim.ts';

const LIST = {
  project: 'demo',
  instructions: 'one at a time',
  last_updated: '2026-01-01',
  features: [
    { id: 1, description: 'adds', test_file: 'test/add.test.js', passes: true },
    { id: 2, description: 'subtracts', test_file: 'test/sub.test.js', passes: false, custom: { deep: [1] } },
    { id: 3, description: 'multiplies', test_file: 'test/mul.test.js', passes: false },
  ],
};
const TRUSTED = JSON.stringify(LIST, null, 2);

type List = typeof LIST;
const changed = (edit: (list: List) => unknown): string => {
  const list = structuredClone(LIST);
  edit(list);
  return JSON.stringify(list, null, 4);
};
const reasons = (candidate: string | null, assigned: number | null = 2, maxFeatures = 1): string[] =>
  readClaim({ trusted: TRUSTED, candidate, assigned, maxFeatures, path: 'features.json' }).findings.map((finding) => finding.reason);

describe('an honest claim', () => {
  test('adds passes where the trusted list leaves it out; writing false there claims nothing', () => {
    const of = (passes?: boolean): string =>
      JSON.stringify({ project: 'demo', features: [{ id: 2, description: 'd', ...(passes === undefined ? {} : { passes }) }] });
    const claim = (candidate: string): ReturnType<typeof readClaim> =>
      readClaim({ trusted: of(), candidate, assigned: 2, maxFeatures: 1, path: 'features.json' });
    expect(claim(of(true))).toEqual({ claimed: [2], findings: [] });
    expect(claim(of(false)).findings.map(({ reason }) => reason)).toEqual(['claim.none']);
  });

  test('flips the assigned feature and nothing else', () => {
    expect(reasons(changed((list) => (list.features[1]!.passes = true)))).toEqual([]);
  });

  test('may reformat the file, reorder keys and touch last_updated', () => {
    const candidate = JSON.stringify({
      features: LIST.features.map(({ id, ...rest }) => ({ ...rest, id, passes: id <= 2 })),
      last_updated: 'now',
      instructions: LIST.instructions,
      project: LIST.project,
    });
    expect(reasons(candidate)).toEqual([]);
  });
});

describe('a claim that is refused', () => {
  const cases: [string, string | null, string[]][] = [
    ['is absent', TRUSTED, ['claim.none']],
    ['names two features', changed((list) => (list.features[1]!.passes = list.features[2]!.passes = true)), ['claim.multiple']],
    ['names another feature', changed((list) => (list.features[2]!.passes = true)), ['claim.wrong_feature']],
    [
      'edits a description',
      changed((list) => ((list.features[1]!.passes = true), (list.features[0]!.description = 'x'))),
      ['features.edited'],
    ],
    [
      'edits its own test file',
      changed((list) => ((list.features[1]!.passes = true), (list.features[1]!.test_file = 'x'))),
      ['features.edited'],
    ],
    [
      'takes an accepted feature back',
      changed((list) => ((list.features[1]!.passes = true), (list.features[0]!.passes = false))),
      ['features.edited'],
    ],
    ['removes a feature', changed((list) => ((list.features[1]!.passes = true), list.features.pop())), ['features.removed']],
    [
      'adds a feature',
      changed((list) => ((list.features[1]!.passes = true), list.features.push({ id: 9, description: 'n', test_file: 'n', passes: true }))),
      ['features.added'],
    ],
    [
      'edits the instructions',
      changed((list) => ((list.features[1]!.passes = true), (list.instructions = 'anything goes'))),
      ['features.edited'],
    ],
    ['is no JSON', '{', ['features.edited']],
    ['deletes the list', null, ['features.removed']],
    ['hides a key behind its double', TRUSTED.replace('"id": 2,', '"id": 2, "passes": true,'), ['features.edited']],
    ['spells the double with an escape', TRUSTED.replace('"id": 2,', '"id": 2, "p\\u0061sses": true,'), ['features.edited']],
    ['brings __proto__', TRUSTED.replace('"id": 2,', '"__proto__": {"passes": true}, "id": 2,'), ['features.edited']],
    [
      'uses a word for true',
      TRUSTED.replace('"id": 2,', '"id": 2,').replace('"passes": false', '"passes": "true"'),
      ['claim.none', 'features.edited'],
    ],
    ['nests without end', `${'['.repeat(100_000)}`, ['features.edited']],
  ];
  test.each(cases)('%s', (_title, candidate, expected) => {
    expect(reasons(candidate)).toEqual(expected);
  });
});

test('a cleanup session claims nothing', () => {
  expect(reasons(TRUSTED, null)).toEqual([]);
  expect(
    reasons(
      changed((list) => (list.features[1]!.passes = true)),
      null,
    ),
  ).toEqual(['claim.wrong_feature']);
});

test('no set of flips but the assigned one alone is ever a clean claim', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), (passes) => {
      const candidate = changed((list) => list.features.forEach((feature, index) => (feature.passes = passes[index]!)));
      const clean = passes[0] === true && passes[1] === true && passes[2] === false;
      expect(reasons(candidate).length === 0).toBe(clean);
    }),
  );
});
