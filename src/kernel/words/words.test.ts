import { expect, expectTypeOf, test } from 'vitest';
import { CATALOGUE_LANGUAGES } from './catalogue-languages.ts';
import { pickWords, type Catalogue, type Catalogues } from './words.ts';
import { COMMON } from './common.ts';

const english = { hello: 'Hello', files: (count: number) => `${count} files`, inner: { bye: 'Bye' } };
type Words = Catalogue<typeof english>;

test('a catalogue without a key, with a wrong kind or with other arguments does not compile', () => {
  expectTypeOf<{ hello: string; files: (count: number) => string; inner: { bye: string } }>().toExtend<Words>();
  expectTypeOf<{ hello: string; files: (count: number) => string }>().not.toExtend<Words>();
  expectTypeOf<{ hello: string; files: (count: number) => string; inner: object }>().not.toExtend<Words>();
  expectTypeOf<{ hello: string; files: string; inner: { bye: string } }>().not.toExtend<Words>();
  expectTypeOf<{ hello: string; files: (name: string) => string; inner: { bye: string } }>().not.toExtend<Words>();
  expectTypeOf<{ en: Words; de: Words }>().not.toExtend<Catalogues<typeof english>>();
});

test('a language is found by its tag, and one without words gets English', () => {
  expect(pickWords('de', COMMON)).toBe(COMMON.de);
  expect(pickWords('zh-TW', COMMON)).toBe(COMMON.zh);
  for (const tag of ['fr', '', 'constructor', 'english']) expect(pickWords(tag, COMMON)).toBe(COMMON.en);
});

/** Every text with its place; functions get distinct arguments, so that a text that drops one is seen. */
function texts(value: unknown, place: string): [string, string][] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value === 'function') return [[place, String(value(...Array.from({ length: value.length }, (_, index) => 4711 + index)))]];
  return Object.entries(value as Record<string, unknown>).flatMap(([key, inner]) => texts(inner, `${place}.${key}`));
}

test.each(CATALOGUE_LANGUAGES)(
  'the shared words in %s are all there, use every argument, and are no copies of the English ones',
  (language) => {
    const own = texts(COMMON[language], '');
    const original = new Map(texts(COMMON.en, ''));
    expect(own.map(([place]) => place).toSorted()).toEqual([...original.keys()].toSorted());
    expect(own.filter(([, text]) => text.trim() === '')).toEqual([]);
    for (const [place, text] of own) {
      const given = original.get(place)!.match(/471\d/g) ?? [];
      expect(given.filter((argument) => !text.includes(argument))).toEqual([]);
    }
    const copies = own.filter(([place, text]) => text === original.get(place) && text.includes(' '));
    expect(language === 'en' ? [] : copies).toEqual([]);
  },
);
