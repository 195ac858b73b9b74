/**
 * The reply of the second call: `1: entailed — reason`, and `changed 1: yes — reason`.
 *
 * 1. Numbers are those of the request. A missing line is plausible, or unclear; of two lines for one number the first counts.
 * 2. Reasons are words for people: one bounded line.
 */
import { cleanText } from '../../domain/clean-text.ts';
import type { Account, EntailmentAnswer, EntailmentRequest, Ruling } from './contract.ts';

const LONGEST_REPLY = 64 * 1024;
const LONGEST_REASON = 300;
const LINE = /^[\s>*-]*(changed\s+)?(\d{1,3})\s*[:.)]\s*\**(entailed|plausible|yes|no|unclear)\b\**\s*(.*)$/i;

export function readEntailment(reply: string, { tests, changes }: Pick<EntailmentRequest, 'tests' | 'changes'>): EntailmentAnswer {
  if (reply.trim() === '') return { why: 'the second call wrote nothing' };
  if (reply.length > LONGEST_REPLY) return { why: 'the reply of the second call is too long' };
  const rulings = new Map<number, Ruling>();
  const accounts = new Map<number, Account>();
  for (const line of reply.split(/\r?\n/)) {
    const [, changed, digits = '', said = '', rest = ''] = LINE.exec(line) ?? [];
    const number = Number(digits);
    const word = said.toLowerCase();
    const reason = inOneLine(rest);
    if (changed !== undefined && !accounts.has(number) && isAccount(word)) accounts.set(number, { account: word, reason });
    if (changed === undefined && !rulings.has(number) && isRuling(word)) rulings.set(number, { ruling: word, reason });
  }
  return {
    tests: tests.map((_test, at) => rulings.get(at + 1) ?? { ruling: 'plausible', reason: '' }),
    changes: changes.map((_change, at) => accounts.get(at + 1) ?? { account: 'unclear', reason: '' }),
  };
}

function isRuling(word: string): word is Ruling['ruling'] {
  return word === 'entailed' || word === 'plausible' || word === 'no';
}

function isAccount(word: string): word is Account['account'] {
  return word === 'yes' || word === 'no' || word === 'unclear';
}

function inOneLine(text: string): string {
  const line = cleanText(text.slice(0, LONGEST_REASON * 4))
    .replace(/^[\s:—–-]+/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}
