import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import { PATH_RULES } from './validate-path.ts';
import { CATALOGUE_LANGUAGES } from './read-words.ts';
import { wordsIn, type Words } from './words.ts';

type Texts = readonly [string, unknown][];
type Translated = Readonly<Record<string, unknown>>;
const script = (name: string): Promise<unknown> => import(new URL(`../../scripts/${name}`, import.meta.url).href);
const { placeholders, textsOf } = (await script('docs/words.mjs')) as {
  placeholders(text: unknown): string[];
  textsOf(node: unknown): Texts;
};
const { staleTexts, withDone } = (await script('words.mjs')) as {
  staleTexts(texts: Texts, translated: Translated): string[];
  withDone(texts: Texts, translated: Translated, language: string, name: string): Translated;
};

const catalogue = (language: string): Texts =>
  ['', 'live/'].flatMap((folder) =>
    textsOf(JSON.parse(readFileSync(new URL(`../../words/${folder}${language}.json`, import.meta.url), 'utf8'))),
  );
const english = new Map(catalogue('en'));

/** Alike in English and another language by right: names, and words of one kind in both. */
const plain = (text: unknown): boolean => !/[a-z]+ [a-z]+/.test(JSON.stringify(text));

test.each(CATALOGUE_LANGUAGES)('the words in %s have the English keys and placeholders, and are no copies', (language) => {
  const own = catalogue(language);
  expect(own.map(([place]) => place)).toEqual([...english.keys()]);
  for (const [place, text] of own) {
    expect(placeholders(text).toSorted(), place).toEqual(placeholders(english.get(place)).toSorted());
    for (const form of typeof text === 'string' ? [text] : Object.values(text as object)) expect(form, place).toMatch(/\S/);
    if (typeof text === 'object') expect([Object.keys(text!), placeholders(text).length], place).toEqual([['one', 'other'], 1]);
  }
  const copies = own.filter(([place, text]) => !plain(text) && JSON.stringify(text) === JSON.stringify(english.get(place)));
  expect(language === 'en' ? [] : copies).toEqual([]);
});

test('a language is found by its tag, and one without words gets English', () => {
  expect(wordsIn('de').common.session.header).toBe('Sitzung');
  expect(wordsIn('zh-TW')).toBe(wordsIn('zh'));
  for (const tag of ['fr', '', 'constructor', 'english', null, undefined]) expect(wordsIn(tag)).toBe(wordsIn('en'));
});

test('a text is a function of its placeholders, and a number chooses its form', () => {
  const { common, workflow } = wordsIn('en');
  expect(workflow.summary.round({ round: 2 })).toBe('round 2');
  expect(common.session.question({ status: '$& {status}' })).toContain('here:\n$& {status}\n');
  expect([1, 2].map((lines) => workflow.spec.cut({ lines }))).toEqual(['(1 more line in the file)', '(2 more lines in the file)']);
  type Refused = Words['common']['path']['refused'];
  expectTypeOf<Refused>().toBeCallableWith({ setting: 's', path: 'p', reason: 'r' });
  expectTypeOf<{ path: string }>().not.toExtend<Parameters<Refused>[0]>();
  expectTypeOf<keyof Words['common']['path']['reasons']>().toEqualTypeOf<keyof typeof PATH_RULES>();
});

test('the English reasons of refused paths are the ones of the rules', () => {
  const reasons = Object.fromEntries(Object.entries(PATH_RULES).map(([rule, { reason }]) => [rule, reason]));
  expect(wordsIn('en').common.path.reasons).toEqual(reasons);
});

test('a translation whose English text has changed is stale until it is done', () => {
  const texts: Texts = [
    ['a.b', 'One'],
    ['a.c', 'Two'],
  ];
  const all = ['de', 'es', 'ja', 'ko', 'zh'].reduce<Translated>((done, language) => withDone(texts, done, language, 'a'), {});
  expect(staleTexts(texts, all)).toEqual([]);
  const changed: Texts = [
    ['a.b', 'Uno'],
    ['a.c', 'Two'],
  ];
  expect(staleTexts(changed, all)).toEqual(['de a.b', 'es a.b', 'ja a.b', 'ko a.b', 'zh a.b']);
  const partly = withDone(changed, all, 'ja', 'a.b');
  expect(staleTexts(changed, partly)).toEqual(['de a.b', 'es a.b', 'ko a.b', 'zh a.b']);
  expect(staleTexts([...changed, ['d', 'New']], partly)).toContain('ja d');
});
