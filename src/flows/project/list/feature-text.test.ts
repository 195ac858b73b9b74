import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendFeature, setPasses, withLastUpdated } from './feature-text.ts';

interface AnyFeature extends Record<string, unknown> {
  id: number;
  passes: boolean;
}

describe('the time of the last change', () => {
  const now = '2026-11-16T10:00:00.000Z';
  test('is written as precisely as it was, and nowhere else', () => {
    expect(withLastUpdated('{ "last_updated" : "2026-01-01", "features": [{"last_updated":"x"}] }', now)).toBe(
      '{ "last_updated" : "2026-11-16", "features": [{"last_updated":"x"}] }',
    );
    expect(withLastUpdated('{"last_updated":"2025-01-15T10:00:00Z"}', now)).toBe(`{"last_updated":"${now}"}`);
  });

  test('is not added to a list that has none', () => {
    for (const text of ['{"features":[]}', '{"last_updated":null}']) expect(withLastUpdated(text, now)).toBe(text);
  });
});

describe('setting passes', () => {
  test('changes one word and keeps odd formatting, comments in strings and escapes', () => {
    const text =
      '\t{ "project":"p\\"q", "features" : [\r\n{"id":1 ,"passes" :false,"description":"\\u007b \\"passes\\": false }]"},\n\n   {"passes":false, "id": 2.0}\n] }\n';
    expect(setPasses(text, 1, true)).toBe(text.replace('"passes" :false', '"passes" :true'));
    expect(setPasses(text, 2, true)).toBe(text.replace('{"passes":false', '{"passes":true'));
  });

  test('looks at the feature itself, not at what is nested in it or at its neighbours in the file', () => {
    const text = '{"passes":false,"other":[{"id":1,"passes":false}],"features":[{"nested":{"id":1,"passes":false},"id":1,"passes":false}]}';
    expect(setPasses(text, 1, true)).toBe(
      '{"passes":false,"other":[{"id":1,"passes":false}],"features":[{"nested":{"id":1,"passes":false},"id":1,"passes":true}]}',
    );
  });

  test('means the last of doubled keys, as a JSON parser does', () => {
    const text = '{"features":[],"features":[{"id":2,"id":1,"passes":true,"passes":false}]}';
    expect(JSON.parse(setPasses(text, 1, true))).toEqual({ features: [{ id: 1, passes: true }] });
  });

  test('understands keys that are written with escapes', () => {
    const text = '{"f\\u0065atures":[{"\\u0069d":1,"p\\u0061sses":false}]}';
    expect(JSON.parse(setPasses(text, 1, true))).toEqual({ features: [{ id: 1, passes: true }] });
  });

  test.each([
    ['{"features":[{"id":1}]}', '{"features":[{"id":1, "passes":true}]}'],
    ['{ "features": [ { "id": 1, "description": "d" } ] }', '{ "features": [ { "id": 1, "description": "d", "passes": true } ] }'],
    [
      '{\n\t"features": [\n\t\t{\n\t\t\t"id": 1,\n\t\t\t"description": "d"\n\t\t}\n\t]\n}\n',
      '{\n\t"features": [\n\t\t{\n\t\t\t"id": 1,\n\t\t\t"description": "d",\n\t\t\t"passes": true\n\t\t}\n\t]\n}\n',
    ],
  ])('adds it to a feature that leaves it out: %j', (text, changed) => {
    expect(setPasses(text, 1, true)).toBe(changed);
    expect(setPasses(text, 1, false)).toBe(text);
  });

  test('refuses a feature that is not there', () => {
    expect(() => setPasses('{"features":[{"id":1,"passes":true}]}', 2, true)).toThrow('no feature 2');
    expect(() => setPasses('{"features":{}}', 1, true)).toThrow('no feature 1');
  });

  test('in any formatting changes only that value and no other byte', () => {
    fc.assert(
      fc.property(anyList(), fc.nat(), fc.boolean(), ({ text, features, rest }, pick, passes) => {
        fc.pre(features.length > 0);
        const index = pick % features.length;
        const wanted = features[index]!;
        const changed = setPasses(text, wanted.id, passes);
        expect(JSON.parse(changed)).toEqual({
          ...rest,
          features: features.map((one) => (one.id === wanted.id ? { ...one, passes } : one)),
        });
        expect(setPasses(changed, wanted.id, wanted.passes)).toBe(text);
        if (wanted.passes === passes) expect(changed).toBe(text);
        else expect(differingBytes(text, changed)).toBeLessThanOrEqual('false'.length);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('appending a feature', () => {
  test('follows the indentation of the one before it', () => {
    const text = `${JSON.stringify({ project: 'p', features: [{ id: 1, passes: true }] }, null, 2)}\n`;
    expect(appendFeature(text, { id: 2, passes: false })).toBe(
      `${JSON.stringify(
        {
          project: 'p',
          features: [
            { id: 1, passes: true },
            { id: 2, passes: false },
          ],
        },
        null,
        2,
      )}\n`,
    );
  });

  test('follows tabs and other widths as well', () => {
    for (const indent of ['\t', '    ', ' ']) {
      const written = (count: number): string =>
        JSON.stringify(
          {
            features: [
              { id: 1, steps: ['a'] },
              { id: 2, steps: ['b'] },
            ].slice(0, count),
          },
          null,
          indent,
        );
      expect(appendFeature(written(1), { id: 2, steps: ['b'] })).toBe(written(2));
    }
  });

  test('stays on one line where the others do', () => {
    expect(appendFeature('{"features":[{"id":1}]}', { id: 2 })).toBe('{"features":[{"id":1}, {"id":2}]}');
    expect(appendFeature('{"features":[\n  {"id":1}\n]}', { id: 2 })).toBe('{"features":[\n  {"id":1},\n  {"id":2}\n]}');
  });

  test('fills an empty list', () => {
    for (const text of ['{"features":[],"x":"[]"}', '{\n  "features": [\n  ]\n}\n', '{"features":[\t]}']) {
      const changed = appendFeature(text, { id: 1 });
      expect(JSON.parse(changed)).toEqual({ ...JSON.parse(text), features: [{ id: 1 }] });
      expect(changed.startsWith(text.slice(0, text.indexOf('[') + 1))).toBe(true);
      expect(changed.endsWith(text.slice(text.indexOf(']')))).toBe(true);
    }
  });

  test('refuses a text without a list', () => {
    expect(() => appendFeature('{"features":{}}', { id: 1 })).toThrow('no array "features"');
    expect(() => appendFeature('{}', { id: 1 })).toThrow('no array "features"');
  });

  test('in any formatting adds that value and keeps every byte before and after it', () => {
    fc.assert(
      fc.property(anyList(), anyFeature(), ({ text, features, rest }, added) => {
        const changed = appendFeature(text, added);
        expect(JSON.parse(changed)).toEqual({ ...rest, features: [...features, added] });
        if (features.length === 0) return;
        const kept = commonStart(text, changed);
        expect(changed.endsWith(text.slice(kept))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a list of 10,000 features is changed in well under a second', () => {
  const text = JSON.stringify(
    {
      project: 'p',
      features: Array.from({ length: 10_000 }, (_, index) => ({ id: index + 1, description: 'x'.repeat(100), passes: false })),
    },
    null,
    2,
  );
  const before = performance.now();
  const changed = setPasses(text, 10_000, true);
  expect(performance.now() - before).toBeLessThan(2_000);
  expect(changed.length).toBe(text.length - 1);
});

interface AnyList {
  text: string;
  features: AnyFeature[];
  rest: Record<string, unknown>;
}

/** A list as somebody might have written it: any white space, any escapes, `features` anywhere among the other keys. */
function anyList(): fc.Arbitrary<AnyList> {
  return fc
    .record({
      features: fc.uniqueArray(anyFeature(), { selector: (one) => one.id, maxLength: 5 }),
      rest: fc.dictionary(
        fc.string({ unit: 'grapheme' }).filter((key) => key !== 'features' && key !== '__proto__'),
        anyValue(),
        { maxKeys: 3 },
      ),
      at: fc.nat({ max: 3 }),
      spaces: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(' ', '\n', '\r\n', '\t', '\n  ', '\n\t\t')), {
        minLength: 1,
        maxLength: 20,
      }),
      escaped: fc.boolean(),
    })
    .map(({ features, rest, at, spaces, escaped }) => {
      const entries = Object.entries(rest) as [string, unknown][];
      entries.splice(Math.min(at, entries.length), 0, ['features', features]);
      let turn = 0;
      const space = (): string => spaces[turn++ % spaces.length]!;
      return { text: space() + write(entries, space, escaped) + space(), features, rest };
    });
}

function anyFeature(): fc.Arbitrary<AnyFeature> {
  return fc
    .record({
      id: fc.integer({ min: 1, max: 1_000 }),
      passes: fc.boolean(),
      more: fc.dictionary(
        fc.string().filter((key) => !['id', 'passes', '__proto__'].includes(key)),
        anyValue(),
        { maxKeys: 3 },
      ),
      first: fc.boolean(),
    })
    .map(({ id, passes, more, first }) => (first ? { id, passes, ...more } : { ...more, passes, id }));
}

function anyValue(): fc.Arbitrary<unknown> {
  const telling = fc.constantFrom('"passes": true', '}],{', '\\', '\\"', '{"id":1,"passes":false}', '\u2028', '🙂', '\t\n');
  return fc.oneof(
    telling,
    fc
      .jsonValue({ maxDepth: 2 })
      .filter((value) => !JSON.stringify(value).includes('__proto__'))
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  );
}

function write(entries: readonly [string, unknown][], space: () => string, escaped: boolean): string {
  const string = (text: string): string =>
    escaped
      ? `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(text);
  const value = (given: unknown): string => {
    if (typeof given === 'string') return string(given);
    if (Array.isArray(given)) return `[${space()}${given.map((one) => value(one) + space()).join(`,${space()}`)}]`;
    if (typeof given === 'object' && given !== null) return object(Object.entries(given) as [string, unknown][]);
    return JSON.stringify(given);
  };
  const object = (pairs: readonly [string, unknown][]): string =>
    `{${space()}${pairs.map(([key, given]) => `${string(key)}${space()}:${space()}${value(given)}${space()}`).join(`,${space()}`)}}`;
  return object(entries);
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Length of the shortest stretch outside of which both texts are the same. */
function differingBytes(a: string, b: string): number {
  const start = commonStart(a, b);
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return Math.max(a.length, b.length) - start - end;
}
