/**
 * The words that give a language away in one short sentence: articles, prepositions, pronouns, and what tasks are about. Words of one letter
 * stand for too much and are left out.
 */
import words from '../../../words/common-words.json' with { type: 'json' };

export const COMMON_WORDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
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
