import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Feature, FeatureList } from '../../../domain/feature.ts';
import { findCycles } from '../list/feature-list.ts';
import { describeSplit, planSplit, type Proposal } from './plan-split.ts';
import { readProposal } from './propose.ts';

const feature = (id: number, more: Partial<Feature> = {}): Feature => ({
  id,
  description: `f${id}`,
  test_file: `t/${id}.js`,
  passes: false,
  ...more,
});
const LIST: FeatureList = {
  project: 'p',
  features: [
    feature(1, { passes: true }),
    feature(2, { depends_on: [1], verification_steps: ['a', 'b', 'c'], priority: 4, category: 'x' }),
    feature(3, { depends_on: [2, 1] }),
  ],
};
const part = (name: string, after: number[] = []): Proposal['parts'][number] => ({
  description: name,
  test_file: `t/${name}.js`,
  verification_steps: [name],
  after,
});

describe('a split', () => {
  test('gives the parts new ids, the first ones the old dependencies, and rewires what depended on the feature', () => {
    const plan = planSplit(LIST, LIST.features[1]!, { parts: [part('a'), part('b', [1]), part('c')] }, 7);
    expect(plan).toMatchObject({
      parts: [
        { id: 4, depends_on: [1], size_estimate: 'small', priority: 4, category: 'x', passes: false },
        { id: 5, depends_on: [4] },
        { id: 6, depends_on: [1] },
      ],
      rewired: [{ id: 3, depends_on: [1, 4, 5, 6] }],
      missing: [],
    });
    if (typeof plan !== 'string') expect(describeSplit(LIST.features[1]!, plan)).toContain('~ #3 depends on #1, #4, #5, #6');
  });

  test('tells the steps that are lost', () => {
    expect(planSplit(LIST, LIST.features[1]!, { parts: [part('a'), part('b')] }, 7)).toMatchObject({ missing: ['c'] });
  });

  test.each([
    ['a part after itself', [part('a', [1]), part('b')], 'can only come after parts before it'],
    ['a part after a later one', [part('a', [2]), part('b')], 'can only come after parts before it'],
    ['the test file of another feature', [part('a'), { ...part('b'), test_file: 't/3.js' }], 'proves another feature'],
    ['one test file for two parts', [part('a'), { ...part('b'), test_file: 't/a.js' }], 'an earlier part'],
    ['a path that leaves the project', [part('a'), { ...part('b'), test_file: '../x.js' }], 'test_file'],
    ['too many steps', [part('a'), { ...part('b'), verification_steps: ['1', '2', '3'] }], 'at most 2'],
  ])('is refused for %s', (_name, parts, why) => {
    expect(planSplit(LIST, LIST.features[1]!, { parts }, 2)).toContain(why);
  });

  test('never makes a circle and never loses a dependency, whatever is proposed', () => {
    const anyParts = fc.array(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(anyParts, fc.integer({ min: 1, max: 3 }), (afters, which) => {
        const target = LIST.features[which - 1]!;
        const plan = planSplit(LIST, target, { parts: afters.map((after, index) => part(`p${index}`, after)) }, 7);
        if (typeof plan === 'string') return;
        const rewired = new Map(plan.rewired.map((row) => [row.id, row.depends_on]));
        const others = LIST.features
          .filter(({ id }) => id !== target.id)
          .map((one) => ({ ...one, depends_on: rewired.get(one.id) ?? one.depends_on }));
        const all = [...others, ...plan.parts] as Feature[];
        expect(findCycles(all)).toEqual([]);
        expect(all.every((one) => (one.depends_on ?? []).every((id) => all.some((other) => other.id === id)))).toBe(true);
        for (const dependent of LIST.features.filter((one) => one.depends_on?.includes(target.id) === true))
          for (const { id } of plan.parts) expect(rewired.get(dependent.id)).toContain(id);
        for (const id of target.depends_on ?? []) for (const one of plan.parts) expect(reaches(all, one.id, id)).toBe(true);
      }),
    );
  });
});

test('a field that is not known is named and left out; the rest of the proposal counts', () => {
  const told: string[] = [];
  const parts = [
    { description: 'a', test_file: 't/a.js', verification_steps: ['a'], owner: 'me' },
    { description: 'b', test_file: 't/b.js', verification_steps: ['b'] },
  ];
  expect(readProposal(JSON.stringify({ parts, why: 'x' }), (message) => told.push(message))).toMatchObject({
    parts: [{ description: 'a' }, {}],
  });
  expect(told).toEqual(['The proposed split has fields that are not used: why, parts.1.owner.']);
  expect(readProposal('{"parts": [{"owner": 1}]}', () => {})).toContain('parts');
});

function reaches(features: readonly Feature[], from: number, to: number): boolean {
  const needs = features.find(({ id }) => id === from)?.depends_on ?? [];
  return needs.includes(to) || needs.some((id) => reaches(features, id, to));
}
