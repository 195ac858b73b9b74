/** The program's own words, in the language that a person writes in. */
import de from '../../words/de.json' with { type: 'json' };
import en from '../../words/en.json' with { type: 'json' };
import es from '../../words/es.json' with { type: 'json' };
import ja from '../../words/ja.json' with { type: 'json' };
import type { Words } from '../../words/keys.ts';
import ko from '../../words/ko.json' with { type: 'json' };
import zh from '../../words/zh.json' with { type: 'json' };
import { readWords } from './read-words.ts';

export type { Words };
export const wordsIn = readWords<Words>({ en, ko, ja, zh, es, de });
