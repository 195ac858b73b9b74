/**
 * What a discovery analyst wrote: `{"questions": [{"question", "why"}]}`. Pure.
 *
 * 1. The first round has at most five questions, the later ones three; what is more is cut.
 * 2. A file that has another shape gives null, never a part of its questions.
 */
import { z } from '../../../domain/zod.ts';
import type { Question } from './state.ts';

const FileSchema = z.object({
  questions: z.array(z.object({ question: z.string().trim().min(1), why: z.string().default('') })),
});

export function readQuestions(text: string, round: number): Question[] | null {
  let value: unknown;
  try {
    value = JSON.parse(withoutCodeFence(text));
  } catch {
    return null;
  }
  const parsed = FileSchema.safeParse(value);
  if (!parsed.success) return null;
  return parsed.data.questions
    .slice(0, mostQuestions(round))
    .map(({ question, why }) => ({ question: oneLine(question), why: oneLine(why) }));
}

export function mostQuestions(round: number): number {
  return round === 1 ? 5 : 3;
}

export function renderQuestions(questions: readonly Question[]): string {
  return questions.map(({ question, why }, index) => `${index + 1}. ${question}${why === '' ? '' : `\n   ${why}`}`).join('\n');
}

function withoutCodeFence(text: string): string {
  return /^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
