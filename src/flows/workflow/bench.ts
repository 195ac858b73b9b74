/** What every step of the workflow works with: the place, the session as it stands, and the words in the user's language. */
import type { Place } from '../../kernel/place.ts';
import { type Words, wordsIn } from '../../domain/words.ts';
import type { Session } from './session.ts';

export interface Bench {
  place: Place;
  session: Session;
  words: Words['workflow'];
  common: Words['common'];
  /** `[harness] ...` */
  tell(...lines: string[]): void;
  /** `✓ ...` */
  done(line: string): void;
  warn(line: string): void;
}

export function benchFor(place: Place, session: Session): Bench {
  return { place, session, ...speaker(place, session.user_lang) };
}

/** The words and the voice before there is a session. */
export function speaker(place: Pick<Place, 'emit'>, language: string): Omit<Bench, 'place' | 'session'> {
  const say = (message: string): void => place.emit({ type: 'progress', message });
  return {
    words: wordsIn(language).workflow,
    common: wordsIn(language).common,
    tell: (...lines) => say(`[harness] ${lines.join('\n  ')}`),
    done: (line) => say(`  ✓ ${line}`),
    warn: (line) => place.emit({ type: 'warning', message: `[harness] ⚠ ${line}` }),
  };
}
