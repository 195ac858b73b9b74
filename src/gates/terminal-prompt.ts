/**
 * The question on a terminal: a choice of the options, or words of one's own.
 *
 * What belongs to it and does not fit on the screen is shown in the person's pager first; from the question they may go back to it.
 */
import { isCancel, note, select, text } from '@clack/prompts';
import { cleanText } from '../domain/clean-text.ts';
import { showInPager } from '../platform/pager.ts';
import { wordsIn } from '../domain/words.ts';
import type { Prompt, Question } from './question.ts';
import { displayWidth } from '../domain/display-width.ts';

const OWN_WORDS = -1;
const READ = -2;

/** The recommended option; where only a person may decide and nothing is recommended, the one that changes nothing. */
export function startingOption(question: Pick<Question, 'options' | 'non_negotiable'>): number {
  const recommended = question.options.findIndex((option) => option.recommended);
  if (recommended >= 0) return recommended;
  return question.non_negotiable ? question.options.length - 1 : 0;
}

export const promptOnTerminal: Prompt = async (question, signal, env) => {
  const words = wordsIn(question.language).prompt;
  const read = await showContext(question, signal, env);
  const choose = (): ReturnType<typeof select<number>> =>
    select<number>({
      message: cleanText(question.question),
      signal,
      initialValue: startingOption(question),
      options: [
        ...question.options.map((option, index) => ({
          value: index,
          label: shownLabel(option, words.recommended),
          hint: cleanText(option.description),
        })),
        ...(question.words === false ? [] : [{ value: OWN_WORDS, label: words.other, hint: question.words ?? words.otherHint }]),
        ...(read === null ? [] : [{ value: READ, label: words.read, hint: words.readHint }]),
      ],
    });
  let chosen = await choose();
  while (chosen === READ) {
    await read?.();
    chosen = await choose();
  }
  if (isCancel(chosen)) return null;
  const option = question.options[chosen];
  const asks = option === undefined ? [words.answer] : (option.asks ?? []);
  const typed: string[] = [];
  const mayBeEmpty = asks.length > 1 || option?.words_optional === true;
  for (const ask of asks) {
    const answer = await text({
      message: cleanText(ask),
      signal,
      validate: (value) => (!mayBeEmpty && (value ?? '').trim() === '' ? words.empty : undefined),
    });
    if (isCancel(answer)) return null;
    typed.push(answer ?? '');
  }
  return { option: option?.label ?? null, text: joinAnswers(typed) };
};

/** Shows the facts of a question. What comes back shows them again in the pager; null: they are all on the screen. */
async function showContext(question: Question, signal: AbortSignal, env: Parameters<Prompt>[2]): Promise<(() => Promise<boolean>) | null> {
  if (question.context.length === 0) return null;
  const words = wordsIn(question.language).prompt;
  const lines = cleanText(question.context.join('\n')).split('\n');
  const screen = { rows: process.stdout.rows ?? 24, columns: process.stdout.columns ?? 80 };
  const options = question.options.length + 2;
  const read = (): Promise<boolean> => showInPager(`${lines.join('\n')}\n`, env, signal);
  if (fitsOn(screen, lines, options) || !(await read())) {
    note(lines.join('\n'), question.header);
    return null;
  }
  const { shown, left } = beginning(screen, lines, options);
  note([...shown, words.more({ lines: left })].join('\n'), question.header);
  return read;
}

/** One answer as it was typed; several by their numbers. */
export function joinAnswers(typed: readonly string[]): string | null {
  if (typed.length < 2) return typed[0] ?? null;
  return typed.map((answer, index) => `${index + 1}. ${answer.trim()}`).join('\n');
}

/** What a person at the terminal reads; the answer is the English label all the same. */
export function shownLabel(option: Question['options'][number], recommended: string): string {
  const label = cleanText(option.shown ?? option.label);
  return option.recommended ? `${label} (${recommended})` : label;
}

interface Screen {
  rows: number;
  columns: number;
}

/** The frame around the facts, the question, and the room that the prompt needs for each option. */
const FRAME = 8;
/** Left and right of a line in the frame. */
const BORDER = 6;

export function fitsOn(screen: Screen, lines: readonly string[], options: number): boolean {
  return rowsOf(screen, lines) <= roomOn(screen, options);
}

/** The first lines that fit, at least a few, and how many are left out. */
export function beginning(screen: Screen, lines: readonly string[], options: number): { shown: string[]; left: number } {
  const room = Math.max(3, roomOn(screen, options) - 2);
  let count = 0;
  while (count < lines.length && rowsOf(screen, lines.slice(0, count + 1)) <= room) count += 1;
  const shown = lines.slice(0, Math.max(1, count));
  return { shown, left: lines.length - shown.length };
}

function roomOn({ rows }: Screen, options: number): number {
  return rows - FRAME - options;
}

function rowsOf({ columns }: Screen, lines: readonly string[]): number {
  const width = Math.max(10, columns - BORDER);
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / width)), 0);
}
