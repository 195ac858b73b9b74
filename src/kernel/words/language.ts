/**
 * The language that a person writes in, from their own text: pure.
 *
 * 1. Scripts decide first: Hangul is Korean, kana is Japanese, Han alone is Chinese, each also among Latin names of code.
 * 2. For the rest, trigrams and the commonest words of a language are added up; where two are close, one that has a catalogue wins.
 * 3. Code, paths, addresses and abbreviations say nothing about a language and are left out.
 * 4. Where the text is too short to say, the language stays what it was; English when it was nothing.
 */
import { francAll } from 'franc-min';
import { CATALOGUE_LANGUAGES, type CatalogueLanguage } from '../../domain/read-words.ts';
import { firstItem } from '../../domain/items.ts';
import words from '../../../words/common-words.json' with { type: 'json' };

const MOST_TEXT = 2_000;
const FALLBACK = 'en';

/** A tag such as `en`, `ko` or `fr`. */
export function detectLanguage(text: string, previous: string | null): string {
  const plain = withoutCode(text.slice(0, MOST_TEXT).normalize('NFC'));
  return byScript(plain, previous) ?? byWords(plain, previous) ?? previous ?? FALLBACK;
}

function withoutCode(text: string): string {
  return text
    .replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' ')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, ' ')
    .replace(/(?<![\p{L}\p{N}])--?[A-Za-z][\w-]*(?:=\S*)?/gu, ' ')
    .replace(/[\w.@~-]*(?:[/\\_@#]|\.(?=[A-Za-z]))[\w./\\@#~-]*/g, ' ')
    .replace(/\b(?:[A-Z]{2,}\w*|\w*\d\w*|[a-z]+[A-Z]\w*)\b/g, ' ');
}

/** One character of these scripts says as much as several Latin letters. */
const LATIN_LETTERS_PER_CHARACTER = 3;
/** A short answer in Japanese may do without kana. */
const MOST_HAN_WITHOUT_KANA = 6;

const SCRIPTS: readonly { script: RegExp; only: readonly string[]; short: string }[] = [
  { script: /\p{Script=Cyrillic}/gu, only: ['rus', 'ukr', 'bul', 'bel', 'srp'], short: 'rus' },
  { script: /\p{Script=Arabic}/gu, only: ['arb', 'pes', 'urd'], short: 'arb' },
  { script: /\p{Script=Devanagari}/gu, only: ['hin', 'mar', 'npi'], short: 'hin' },
  { script: /\p{Script=Greek}/gu, only: [], short: 'ell' },
  { script: /\p{Script=Hebrew}/gu, only: [], short: 'heb' },
  { script: /\p{Script=Thai}/gu, only: [], short: 'tha' },
  { script: /\p{Script=Bengali}/gu, only: [], short: 'ben' },
  { script: /\p{Script=Tamil}/gu, only: [], short: 'tam' },
];
const LONG_ENOUGH_TO_COMPARE = 40;

function byScript(text: string, previous: string | null): string | null {
  const latin = count(text, /\p{Script=Latin}/gu);
  const outweighs = (characters: number): boolean => characters > 0 && characters * LATIN_LETTERS_PER_CHARACTER >= latin;
  const [hangul, kana, han] = [/\p{Script=Hangul}/gu, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, /\p{Script=Han}/gu].map((script) =>
    count(text, script),
  ) as [number, number, number];
  if (outweighs(hangul + kana + han)) {
    if (hangul >= kana + han) return 'ko';
    return kana > 0 || (previous === 'ja' && han <= MOST_HAN_WITHOUT_KANA) ? 'ja' : 'zh';
  }
  const other = firstItem(
    SCRIPTS.map((row) => ({ ...row, characters: count(text, row.script) })).toSorted((a, b) => b.characters - a.characters),
  );
  if (other.characters === 0 || other.characters < latin) return null;
  const comparable = other.only.length > 0 && text.length >= LONG_ENOUGH_TO_COMPARE;
  return tagOf(comparable ? (francAll(text, { only: [...other.only] })[0]?.[0] ?? other.short) : other.short);
}

const LATIN = ['eng', 'spa', 'deu', 'fra', 'ita', 'por', 'nld', 'swe', 'pol', 'ces', 'ron', 'hun', 'tur', 'vie', 'ind'];
const WORD_WEIGHT = 2;
const STAYS_BONUS = 0.15;
/** Most tasks without a letter beyond ASCII are in English. */
const USUAL_BONUS = 0.2;
const CLOSE = 0.12;
const FEWEST_LETTERS = 10;
const FEWEST_WORDS_TO_CHANGE = 3;

function byWords(text: string, previous: string | null): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const letters = words.join('').length;
  const known = (tag: string): number => words.filter((word) => COMMON_WORDS[tag]?.has(word)).length;
  const anyKnown = words.some((word) => Object.values(COMMON_WORDS).some((common) => common.has(word)));
  if (!anyKnown && (words.length < 2 || letters < FEWEST_LETTERS)) return null;
  if (previous !== null && (words.length < FEWEST_WORDS_TO_CHANGE || !anyKnown)) return null;
  const usual = /^\p{ASCII}*$/u.test(text) ? FALLBACK : null;
  const ranked = francAll(words.join(' '), { only: LATIN, minLength: 1 })
    .map(([code, likeness]) => ({ tag: tagOf(code), likeness }))
    .map(({ tag, likeness }) => ({
      tag,
      score:
        likeness + (WORD_WEIGHT * known(tag)) / words.length + (tag === previous ? STAYS_BONUS : 0) + (tag === usual ? USUAL_BONUS : 0),
    }))
    .toSorted((a, b) => b.score - a.score);
  const best = ranked[0];
  if (best === undefined || best.tag === 'und') return null;
  const close = ranked.find(({ tag, score }) => isCatalogued(tag) && best.score - score <= CLOSE);
  return (close ?? best).tag;
}

function isCatalogued(tag: string): tag is CatalogueLanguage {
  return CATALOGUE_LANGUAGES.some((language) => language === tag);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** From the three letters of ISO 639-3 to the shortest tag. */
function tagOf(code: string): string {
  return TAGS[code] ?? code;
}

const TAGS: Readonly<Record<string, string | undefined>> = {
  eng: 'en',
  spa: 'es',
  deu: 'de',
  fra: 'fr',
  ita: 'it',
  por: 'pt',
  nld: 'nl',
  swe: 'sv',
  pol: 'pl',
  ces: 'cs',
  ron: 'ro',
  hun: 'hu',
  tur: 'tr',
  vie: 'vi',
  ind: 'id',
  rus: 'ru',
  ukr: 'uk',
  bul: 'bg',
  bel: 'be',
  srp: 'sr',
  arb: 'ar',
  pes: 'fa',
  urd: 'ur',
  hin: 'hi',
  mar: 'mr',
  npi: 'ne',
  ell: 'el',
  heb: 'he',
  tha: 'th',
  ben: 'bn',
  tam: 'ta',
};

/**
 * The words that give a language away in one short sentence: articles, prepositions, pronouns, and what tasks are about. Words of one letter
 * stand for too much and are left out.
 */
const COMMON_WORDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(words).map(([language, lines]) => [
    language,
    new Set(
      lines
        .join(' ')
        .split(' ')
        .filter((word) => word.length > 1),
    ),
  ]),
);
