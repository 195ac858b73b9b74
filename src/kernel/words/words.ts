/**
 * Words of the harness in the user's language.
 *
 * 1. A catalogue is a plain object of strings, of small functions that return one, and of objects of these. The English one gives the
 *    shape; every other has exactly its keys, or it does not compile.
 * 2. A language without a catalogue gets the English one.
 */
import { CATALOGUE_LANGUAGES, type CatalogueLanguage } from './catalogue-languages.ts';

/** The shape of an English catalogue, for the others: `export const de: Catalogue<typeof en> = { ... }`. */
export type Catalogue<English> = {
  readonly [Key in keyof English]: English[Key] extends string
    ? string
    : English[Key] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : Catalogue<English[Key]>;
};

export type Catalogues<English> = Readonly<Record<CatalogueLanguage, Catalogue<English>>>;

/** `language` is a tag as `detectLanguage` gives it; what follows a hyphen is not looked at. */
export function pickWords<Words>(language: string, catalogues: Readonly<Record<CatalogueLanguage, Words>>): Words {
  const base = language.toLowerCase().split('-', 1)[0];
  return catalogues[CATALOGUE_LANGUAGES.find((known) => known === base) ?? 'en'];
}
