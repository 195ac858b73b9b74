/**
 * Catalogues of texts in several languages, read. Pure.
 *
 * 1. English gives the keys; the types in `words/keys.ts` are generated from it. The tests hold the other languages to its keys and placeholders.
 * 2. A text with `{placeholders}` becomes a function of them. One with the forms `one` and `other` has a single placeholder, a number that
 *    chooses between them.
 * 3. A language without a catalogue gets the English one, and so does no language.
 */
export const CATALOGUE_LANGUAGES = ['en', 'ko', 'ja', 'zh', 'es', 'de'] as const;
export type CatalogueLanguage = (typeof CATALOGUE_LANGUAGES)[number];

type Node = string | { readonly [key: string]: Node };

/** `language` is a tag as `detectLanguage` gives it; what follows a hyphen is ignored. */
export function readWords<Words>(texts: Readonly<Record<CatalogueLanguage, Node>>): (language: string | null | undefined) => Words {
  const read = new Map<CatalogueLanguage, Words>();
  return (language) => {
    const base = (language ?? 'en').toLowerCase().split('-', 1)[0];
    const known = CATALOGUE_LANGUAGES.find((one) => one === base) ?? 'en';
    const words = read.get(known) ?? (withFunctions(texts[known]) as Words);
    read.set(known, words);
    return words;
  };
}

const PLACEHOLDER = /\{(\w+)\}/g;
type Given = Readonly<Record<string, string | number>>;

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
