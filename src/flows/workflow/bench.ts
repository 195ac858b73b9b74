/** What every step of the workflow works with: the place, the session as it stands, and the words in the user's language. */
import type { Place } from '../../kernel/place.ts';
import { COMMON } from '../../kernel/words/common.ts';
import { pickWords } from '../../kernel/words/words.ts';
import type { Session } from './session.ts';
import { WORKFLOW_WORDS, type WorkflowWords } from './words/workflow.ts';

export interface Bench {
  place: Place;
  session: Session;
  words: WorkflowWords;
  common: (typeof COMMON)['en'];
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
    words: pickWords(language, WORKFLOW_WORDS),
    common: pickWords(language, COMMON),
    tell: (...lines) => say(`[harness] ${lines.join('\n  ')}`),
    done: (line) => say(`  ✓ ${line}`),
    warn: (line) => place.emit({ type: 'warning', message: `[harness] ⚠ ${line}` }),
  };
}
