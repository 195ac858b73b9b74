import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Feature } from '../../../domain/feature.ts';
import { blockedBy, nextFeature, releasedFeatures, type SelectionInput } from './next-feature.ts';

describe('the next feature', () => {
  test('has the lowest priority number, and among equals the lowest id', () => {
    expect(chosen([open(1), open(2, { priority: 5 }), open(4, { priority: 1 }), open(3, { priority: 1 })])).toBe(3);
  });

  test('has a priority before any that has none', () => {
    expect(chosen([open(1), open(2, { priority: 1_000_000 })])).toBe(2);
  });

  test('is the first by id where nothing has a priority, whatever the order in the file', () => {
    expect(chosen([open(3), open(1), open(2)])).toBe(1);
  });

  test('waits for what it depends on', () => {
    expect(chosen([open(1, { depends_on: [2] }), open(2)])).toBe(2);
    expect(chosen([open(1, { depends_on: [2] }), { ...open(2), passes: true }, open(3)])).toBe(1);
  });

  test('is one whose test broke, before unfinished work, before anything else', () => {
    const features = [open(1), open(2), open(3)];
    expect(chosen(features, { setbacks: [3], unfinished: [2] })).toBe(3);
    expect(chosen(features, { unfinished: [2] })).toBe(2);
    expect(chosen(features, { setbacks: [3], unfinished: [2], skipped: new Set([3]) })).toBe(2);
  });

  test('is one that need not wait for others to be tried, whatever else would put the waiting one first', () => {
    const features = [open(1, { priority: 1 }), open(2), open(3, { depends_on: [1] })];
    expect(chosen(features, { later: new Set([1]) })).toBe(2);
    expect(chosen(features, { later: new Set([1]), setbacks: [1] })).toBe(2);
    expect(chosen(features, { later: new Set([1, 2]) })).toBe(1);
  });

  test('is chosen among several broken ones by priority, then id', () => {
    expect(chosen([open(3), open(2), open(1, { priority: 9 }), open(4, { priority: 1 })], { setbacks: [1, 2, 3] })).toBe(1);
    expect(chosen([open(3), open(2), open(1)], { setbacks: [3, 2] })).toBe(2);
  });

  test('does not exist when everything passes', () => {
    expect(nextFeature(input([{ ...open(1), passes: true }]))).toEqual({ kind: 'complete' });
    expect(nextFeature(input([]))).toEqual({ kind: 'complete' });
  });

  test('does not exist when everything left is set aside or waits, and the answer says for what', () => {
    const result = nextFeature(input([open(1), open(2, { depends_on: [1, 9] }), open(3, { depends_on: [2] })], { skipped: new Set([1]) }));
    expect(result).toEqual({
      kind: 'exhausted',
      skipped: [1],
      blocked: [
        { feature: 2, waits_for: [1, 9] },
        { feature: 3, waits_for: [2] },
      ],
      parked: [],
    });
  });

  test('agrees with a naive model for any list', () => {
    fc.assert(
      fc.property(anyInput(), (given) => {
        expect(nextFeature(given)).toEqual(naive(given));
      }),
      { numRuns: 1_000 },
    );
  });

  test('never depends on the order of the list', () => {
    fc.assert(
      fc.property(
        anyInput().chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray([...given.features], { minLength: given.features.length })),
        ),
        ([given, features]) => {
          const [first, second] = [nextFeature(given), nextFeature({ ...given, features })];
          expect(second.kind).toBe(first.kind);
          if (first.kind === 'feature' && second.kind === 'feature') expect(second.feature.id).toBe(first.feature.id);
        },
      ),
    );
  });

  test('is found in a list of 10,000 that all wait in a chain', () => {
    const features = Array.from({ length: 10_000 }, (_, index) => open(index + 1, { depends_on: index === 9_999 ? [] : [index + 2] }));
    expect(chosen(features)).toBe(10_000);
  });
});

describe('what a feature blocks', () => {
  test('is everything open that waits for it, directly or through others', () => {
    expect(
      blockedBy(
        [open(1), open(2, { depends_on: [1] }), { ...open(3, { depends_on: [2] }), passes: true }, open(4, { depends_on: [3] }), open(5)],
        1,
      ),
    ).toEqual([2, 4]);
  });

  test('is never the feature itself, even in a circle', () => {
    expect(blockedBy([open(1, { depends_on: [2] }), open(2, { depends_on: [1] })], 1)).toEqual([2]);
  });

  test('agrees with naive reachability for any list', () => {
    fc.assert(
      fc.property(anyInput(), fc.integer({ min: 1, max: 8 }), ({ features }, id) => {
        const waits = (from: Feature, seen: Set<number>): boolean =>
          (from.depends_on ?? []).some((next) => {
            if (next === id) return true;
            if (seen.has(next)) return false;
            seen.add(next);
            return features.some((feature) => feature.id === next && waits(feature, seen));
          });
        const expected = features
          .filter((feature) => feature.id !== id && !feature.passes && waits(feature, new Set([feature.id])))
          .map((feature) => feature.id);
        expect(blockedBy(features, id)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('is found for a hub of 10,000 and for a chain of 10,000', () => {
    const hub = Array.from({ length: 10_000 }, (_, index) => open(index + 1, { depends_on: index === 0 ? [] : [1] }));
    const chain = Array.from({ length: 10_000 }, (_, index) => open(index + 1, { depends_on: index === 0 ? [] : [index] }));
    expect(blockedBy(hub, 1)).toHaveLength(9_999);
    expect(blockedBy(chain, 1)).toHaveLength(9_999);
  });
});

test('a feature that was set aside so that nothing waits for it holds up nothing', () => {
  const list = [open(1), open(2, { depends_on: [1] }), open(3, { depends_on: [1, 4] }), open(4, { depends_on: [1] })];
  const skipped = new Set([1]);
  expect(nextFeature(input(list, { skipped }))).toMatchObject({
    kind: 'exhausted',
    blocked: [{ feature: 2 }, { feature: 3 }, { feature: 4 }],
  });
  const released = releasedFeatures([{ feature: 1, unblocks: true }, { feature: 4 }]);
  expect(nextFeature(input(list, { skipped, released }))).toMatchObject({ feature: { id: 2 } });
  expect(nextFeature(input(list, { skipped: new Set([1, 2, 4]), released }))).toMatchObject({ blocked: [{ feature: 3, waits_for: [4] }] });
});

/** Sorts where the real one folds, and asks each question over the whole list. */
function naive({ features, skipped, setbacks, unfinished, parked = new Set() }: SelectionInput): ReturnType<typeof nextFeature> {
  const passes = (id: number): boolean => features.some((feature) => feature.id === id && feature.passes);
  const left = features.filter((feature) => !feature.passes);
  if (left.length === 0) return { kind: 'complete' };
  const ready = left
    .filter((feature) => !skipped.has(feature.id) && !parked.has(feature.id) && (feature.depends_on ?? []).every(passes))
    .toSorted((a, b) => rank(a) - rank(b) || (a.priority ?? 0) - (b.priority ?? 0) || a.id - b.id);
  const rankWanted = (feature: Feature): number => (setbacks.includes(feature.id) ? 0 : unfinished.includes(feature.id) ? 1 : 2);
  const [best] = ready.toSorted((a, b) => rankWanted(a) - rankWanted(b));
  if (best !== undefined) return { kind: 'feature', feature: best };
  return {
    kind: 'exhausted',
    skipped: left.filter((feature) => skipped.has(feature.id)).map((feature) => feature.id),
    blocked: left
      .filter((feature) => !skipped.has(feature.id) && !parked.has(feature.id))
      .map((feature) => ({ feature: feature.id, waits_for: (feature.depends_on ?? []).filter((id) => !passes(id)) })),
    parked: left.filter((feature) => parked.has(feature.id)).map((feature) => feature.id),
  };
}

function rank(feature: Feature): number {
  return feature.priority === undefined ? 1 : 0;
}

function anyInput(): fc.Arbitrary<SelectionInput> {
  const id = fc.integer({ min: 1, max: 8 });
  const feature: fc.Arbitrary<Feature> = fc.record(
    {
      id,
      description: fc.constant('d'),
      passes: fc.boolean(),
      priority: fc.integer({ min: -1, max: 2 }),
      depends_on: fc.array(id, { maxLength: 2 }),
    },
    { requiredKeys: ['id', 'description', 'passes'] },
  );
  return fc.record({
    features: fc.uniqueArray(feature, { selector: (one) => one.id, maxLength: 8 }),
    skipped: fc.array(id, { maxLength: 3 }).map((ids) => new Set(ids)),
    setbacks: fc.array(id, { maxLength: 2 }),
    unfinished: fc.array(id, { maxLength: 1 }),
    parked: fc.array(id, { maxLength: 2 }).map((ids) => new Set(ids)),
  });
}

function open(id: number, more: Partial<Feature> = {}): Feature {
  return { id, description: `feature ${id}`, passes: false, ...more };
}

function input(features: readonly Feature[], more: Partial<SelectionInput> = {}): SelectionInput {
  return { features, skipped: new Set(), setbacks: [], unfinished: [], ...more };
}

function chosen(features: readonly Feature[], more: Partial<SelectionInput> = {}): number | string {
  const result = nextFeature(input(features, more));
  return result.kind === 'feature' ? result.feature.id : result.kind;
}
