/** The harness's words in the language of a session. */
import type { Emit } from '../../../domain/event.ts';
import { pickWords, type Catalogues } from '../../../kernel/words/words.ts';
import { de } from './de.ts';
import { en, type SpecWords } from './en.ts';
import { es } from './es.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { zh } from './zh.ts';

const CATALOGUES: Catalogues<SpecWords> = { en, ko, ja, zh, es, de };

export function sayIn(language: string): Catalogues<SpecWords>['en'] {
  return pickWords(language, CATALOGUES);
}

/** A line of the harness to the person. */
export function say(place: { emit: Emit }, text: string): void {
  place.emit({ type: 'progress', message: `[harness] ${text}` });
}

export function warn(place: { emit: Emit }, text: string): void {
  place.emit({ type: 'warning', message: `[harness] ⚠ ${text}` });
}
