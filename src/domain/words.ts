/**
 * The program's own words in six languages, from `words/*.json`. Pure.
 *
 * 1. English gives the keys; the types in `words/keys.ts` are generated from it. The tests hold the other languages to its keys and placeholders.
 * 2. A text with `{placeholders}` becomes a function of them. One with the forms `one` and `other` has a single placeholder, a number that
 *    chooses between them.
 * 3. A language without a catalogue gets the English one, and so does no language.
 */
import de from '../../words/de.json' with { type: 'json' };
import en from '../../words/en.json' with { type: 'json' };
import es from '../../words/es.json' with { type: 'json' };
import ja from '../../words/ja.json' with { type: 'json' };
import type { Words as Keys } from '../../words/keys.ts';
import ko from '../../words/ko.json' with { type: 'json' };
import zh from '../../words/zh.json' with { type: 'json' };

/** What one language says, by catalogue. */
export type Words = Keys;

const TEXTS = { en, ko, ja, zh, es, de };
export type CatalogueLanguage = keyof typeof TEXTS;
export const CATALOGUE_LANGUAGES = Object.keys(TEXTS) as readonly CatalogueLanguage[];

const read = new Map<CatalogueLanguage, Words>();

/** `language` is a tag as `detectLanguage` gives it; what follows a hyphen is ignored. */
export function wordsIn(language: string | null | undefined): Words {
  const base = (language ?? 'en').toLowerCase().split('-', 1)[0];
  const known = CATALOGUE_LANGUAGES.find((one) => one === base) ?? 'en';
  const words = read.get(known) ?? (withFunctions(TEXTS[known]) as Words);
  read.set(known, words);
  return words;
}

const PLACEHOLDER = /\{(\w+)\}/g;
type Given = Readonly<Record<string, string | number>>;
type Node = string | { readonly [key: string]: Node };

function withFunctions(node: Node): unknown {
  if (typeof node === 'string') return node.search(PLACEHOLDER) < 0 ? node : (given: Given) => filled(node, given);
  const { one, other } = node;
  if (typeof one === 'string' && typeof other === 'string')
    return (given: Given) => filled(Object.values(given)[0] === 1 ? one : other, given);
  return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, withFunctions(inner)]));
}

function filled(text: string, given: Given): string {
  return text.replace(PLACEHOLDER, (_all, name: string) => String(given[name]));
}
