/** The words of the live view below the output. Apart from the others, which only some commands need. */
import de from '../../words/live/de.json' with { type: 'json' };
import en from '../../words/live/en.json' with { type: 'json' };
import es from '../../words/live/es.json' with { type: 'json' };
import ja from '../../words/live/ja.json' with { type: 'json' };
import type { LiveWords } from '../../words/keys.ts';
import ko from '../../words/live/ko.json' with { type: 'json' };
import zh from '../../words/live/zh.json' with { type: 'json' };
import { readWords } from '../domain/read-words.ts';

export type { LiveWords };
export const liveWordsIn = readWords<LiveWords>({ en, ko, ja, zh, es, de });
