/**
 * From what a person wrote below the questions to one answer a question. Pure.
 *
 * 1. A line that starts with a question's number begins that question's answer; lines without a number belong to the one before.
 * 2. Without numbers, as many lines or paragraphs as there are questions are taken in order; anything else answers the first question.
 * 3. An empty answer, and one that only says that its author does not know, is unconfirmed.
 */
import { groupOf } from '../../../domain/text-parts.ts';
import { itemAt } from '../../../domain/items.ts';

export const UNCONFIRMED = '[unconfirmed]';

/** Null: unconfirmed. */
export type Answer = string | null;

export function mapAnswers(text: string, count: number): Answer[] {
  const answers = numbered(text, count) ?? inOrder(text, count);
  return answers.map((answer) => (answer === '' || isUnsure(answer) ? null : answer));
}

export function isUnsure(answer: string): boolean {
  const plain = answer
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[\s.。!！?？,，、…~*_"「」()[\]]+/gu, ' ')
    .trim();
  return plain === '' || UNSURE.has(plain) || /^[-–—]+$/.test(plain);
}

const UNSURE: ReadonlySet<string> = new Set(
  [
    "don't know|dont know|do not know|i don't know|i dont know|i do not know|dunno|unsure|not sure|i'm not sure|i am not sure|no opinion|no idea",
    'unknown|unconfirmed|no preference|idk|n/a|skip|tbd',
    '모름|모르겠음|모르겠어요|모르겠습니다|잘 모르겠어요|잘 모르겠습니다|잘 모름|몰라요|확실하지 않음|확실하지 않아요|의견 없음|미정|미확인',
    'わからない|分からない|わかりません|分かりません|不明|未定|未確認|特になし|意見なし|よくわからない|よくわかりません|確信がない',
    '不知道|我不知道|不清楚|不确定|我不确定|没意见|没有意见|未知|未确认|不太清楚|無意見|不確定',
    'no sé|no se|no lo sé|no lo se|no estoy seguro|no estoy segura|sin opinión|sin opinion|ni idea|desconocido|no sabría decir|sin confirmar',
    'weiß nicht|weiss nicht|ich weiß nicht|ich weiss nicht|weiß ich nicht|keine ahnung|unsicher|nicht sicher|ich bin nicht sicher|bin unsicher',
    'keine meinung|unbekannt|egal|unbestätigt',
  ].flatMap((line) => line.split('|')),
);

function numbered(text: string, count: number): string[] | null {
  const answers = Array.from({ length: count }, () => [] as string[]);
  let current: string[] | null = null;
  let seen = false;
  for (const line of text.split('\n')) {
    const match = /^\s*(?:[QqAa]\s*)?([0-9０-９]{1,2})\s*[.):：、．]\s*(.*)$/u.exec(line);
    const number = match === null ? 0 : Number(groupOf(match, 1).normalize('NFKC'));
    if (match !== null && number >= 1 && number <= count) {
      current = itemAt(answers, number - 1);
      current.push(groupOf(match, 2));
      seen = true;
    } else if (current !== null) current.push(line);
    else if (line.trim() !== '') return null;
  }
  return seen ? answers.map((lines) => lines.join('\n').trim()) : null;
}

function inOrder(text: string, count: number): string[] {
  const whole = text.trim();
  for (const pieces of [whole.split(/\n\s*\n/), whole.split('\n')]) {
    const filled = pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
    if (filled.length === count) return filled;
  }
  return [whole, ...Array.from({ length: count - 1 }, () => '')];
}
