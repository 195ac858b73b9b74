/**
 * The discovery notes, `.harness/spec/qa_notes.md`: a numbered list of questions and answers. Pure.
 *
 * 1. What is written is what is read back: pairs in order, remarks apart.
 * 2. An answer that nobody gave is `[unconfirmed]`.
 */
import { UNCONFIRMED, type Answer } from './answers.ts';
import type { Question } from './state.ts';
import { itemAt } from '../../../domain/items.ts';

export interface Pair {
  question: string;
  answer: Answer;
}

export interface Notes {
  pairs: Pair[];
  /** Sentences of the harness about how the notes came about. */
  remarks: string[];
}

export function renderNotes(notes: Notes): string {
  const remarks = notes.remarks.map((remark) => `> ${oneLine(remark)}\n`);
  const pairs = notes.pairs.map(
    ({ question, answer }, index) =>
      `${index + 1}. Q: ${oneLine(question)}\n   A: ${(answer ?? UNCONFIRMED).trim().split('\n').join('\n      ')}\n`,
  );
  return [...remarks, ...(remarks.length === 0 ? [] : ['\n']), ...pairs].join('');
}

export function parseNotes(text: string): Notes {
  const notes: Notes = { pairs: [], remarks: [] };
  let reading: 'question' | 'answer' | null = null;
  for (const line of text.split('\n')) {
    const remark = reading === null ? /^>\s?(.*)$/.exec(line)?.[1] : undefined;
    const question = /^\d+\.\s+Q:\s?(.*)$/.exec(line)?.[1];
    const answer = reading === 'question' ? /^\s+A:\s?(.*)$/.exec(line)?.[1] : undefined;
    const last = notes.pairs.at(-1);
    if (remark !== undefined) notes.remarks.push(remark);
    else if (question !== undefined) {
      notes.pairs.push({ question: question.trim(), answer: null });
      reading = 'question';
    } else if (answer !== undefined && last !== undefined) {
      last.answer = answer;
      reading = 'answer';
    } else if (reading === 'answer' && last !== undefined) last.answer += `\n${line.replace(/^ {1,6}/, '')}`;
  }
  for (const pair of notes.pairs) {
    const answer = (pair.answer ?? '').trim();
    pair.answer = answer === '' || answer === UNCONFIRMED ? null : answer;
  }
  return notes;
}

/** The notes with this round's questions answered. A round that is in them already, from before a crash, is replaced. */
export function withAnswers(notes: Notes, questions: readonly Question[], answers: readonly Answer[], remark: string | null): Notes {
  const before = answersTo(notes, questions) === null ? notes.pairs : notes.pairs.slice(0, -questions.length);
  return {
    pairs: [...before, ...questions.map(({ question }, index) => ({ question, answer: answers[index] ?? null }))],
    remarks: remark === null || notes.remarks.includes(remark) ? notes.remarks : [...notes.remarks, remark],
  };
}

/** The answers that the notes hold to exactly these questions, as their last ones; null when they do not. */
export function answersTo(notes: Notes, questions: readonly Question[]): Answer[] | null {
  const last = questions.length === 0 ? [] : notes.pairs.slice(-questions.length);
  const same =
    last.length === questions.length && questions.every(({ question }, index) => itemAt(last, index).question === oneLine(question));
  return same ? last.map((pair) => pair.answer) : null;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
