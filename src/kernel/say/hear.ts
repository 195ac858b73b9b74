/**
 * What a session hears of people while it works: the words that wait for it, each delivered once and acknowledged.
 *
 * 1. The acknowledgement (`words.delivered`) is in the journal before the request is gone: a crash in between says it twice, never not at all.
 * 2. Words that end a session stay for the next one of its feature.
 */
import type { HeardWords, Hearing } from '../../session/contract.ts';
import type { Place } from '../place.ts';
import { forNobody, stops, wordsFor, wordsOf, type Listener, type Word } from './words-for.ts';
import { fence } from '../../domain/fence.ts';
import type { Speaker } from '../../domain/speaker.ts';

type Ground = Pick<Place, 'documents' | 'emit' | 'journal' | 'platform'>;

export interface Ears extends Hearing {
  /** As the prompt of a turn; null: nobody said anything. */
  forPrompt(how: 'turn' | 'session'): Promise<string | null>;
  /** Words about features that are done. */
  forget(completed: readonly number[]): Promise<void>;
}

interface Heard extends HeardWords {
  words: readonly Word[];
}

const LOOKED_AGAIN_MS = 500;

export function earsFor(ground: Ground, listener: Listener): Ears {
  const { documents, emit, platform } = ground;
  let looked = -Infinity;
  let last: Heard | null = null;
  /** A look that began before words were delivered may still find them. */
  const known = new Set<string>();
  const waiting = async (): Promise<Word[]> =>
    wordsFor(wordsOf(await documents.requests.waiting('say')), listener).filter(({ id }) => !known.has(id));
  const acknowledge = async (words: readonly Word[], how: 'injection' | 'turn' | 'session'): Promise<void> => {
    last = null;
    for (const { id } of words) known.add(id);
    for (const { id, asked_at, wish } of words) {
      const { text, by } = wish;
      if (text !== '') emit({ type: 'words.delivered', session: listener.session, text, by, asked_at, how });
      await ground.journal?.flush();
      await documents.requests.drop({ id });
    }
  };
  return {
    look: async () => {
      const now = platform.clock.monotonic();
      if (now - looked < LOOKED_AGAIN_MS) return last;
      looked = now;
      const words = await waiting();
      const said = words.filter((word) => !stops(word, listener));
      last = words.length === 0 ? null : { said: textOf(said), ends: said.length < words.length, words: said };
      return last;
    },
    delivered: (heard) => acknowledge((heard as Heard).words, 'injection'),
    ended: async () => {
      last = null;
      for (const word of (await waiting()).filter((one) => stops(one, listener))) {
        const { wish } = word;
        const to = { ...wish.to, session: listener.session, feature: listener.feature };
        if (wish.text !== '') await documents.requests.ask({ ...wish, to, stop_after: false });
        await documents.requests.drop({ id: word.id });
      }
    },
    forPrompt: async (how) => {
      const words = (await waiting()).filter((word) => !stops(word, listener));
      if (words.length === 0) return null;
      const text = textOf(words);
      await acknowledge(words, how);
      return text;
    },
    forget: async (completed) => {
      for (const { id, wish } of forNobody(wordsOf(await documents.requests.waiting('say')), completed)) {
        emit({ type: 'decision', session: null, by: 'harness', text: `words for feature #${wish.to.feature} are dropped: it is done` });
        await documents.requests.drop({ id });
      }
    },
  };
}

function textOf(words: readonly Word[]): string | null {
  const said = words.filter(({ wish }) => wish.text !== '').map(({ asked_at, wish: { text, by } }) => ({ asked_at, text, by }));
  return said.length === 0 ? null : saidWords(said);
}

/** What a person says to an agent at work: their words as data, and what they do not change. */
interface SaidWords {
  text: string;
  by: Speaker;
  asked_at: string;
}

const WHERE: Readonly<Record<Speaker, string>> = {
  terminal: 'at the terminal',
  page: 'on the page',
  host: 'through the program that started this run',
};

function saidWords(words: readonly SaidWords[]): string {
  return [
    ...words.map(({ text, by, asked_at }) => `A person says ${WHERE[by]}:\n\n${fence(`said at ${asked_at}`, text)}`),
    'Take it into account as far as your task allows, and go on. It changes nothing about how your work is checked: accepted tests, settings and open questions stay as they are.',
  ].join('\n\n');
}
