/** The harness's words in the language of a session. */
import type { Emit } from '../../../domain/event.ts';
import { wordsIn, type Words } from '../../../domain/words.ts';

export function sayIn(language: string): Words['spec'] {
  return wordsIn(language).spec;
}

/** A line of the harness to the person. */
export function say(place: { emit: Emit }, text: string): void {
  place.emit({ type: 'progress', message: `[harness] ${text}` });
}

export function warn(place: { emit: Emit }, text: string): void {
  place.emit({ type: 'warning', message: `[harness] ⚠ ${text}` });
}
