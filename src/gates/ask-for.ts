/** Asks for an option: by its name, or in words. */
import type { Emit } from '../domain/event.ts';
import type { AnswerTo, Question } from '../domain/gate.ts';
import { wordsIn } from '../domain/words.ts';
import type { Asker } from './asker.ts';
import { findOption } from './choice.ts';

export type Asked<Label extends string = string> =
  | { kind: 'chosen'; label: Label; text: string | null }
  /** The question waits for an answer. */
  | { kind: 'waits'; gate: string };

/**
 * Asks until an option is chosen; words that name one count as it, words that name none are asked about again.
 * `wordsMean`: the option that an answer in words alone stands for.
 */
export async function askFor<Label extends string>(
  place: { asker: Pick<Asker, 'ask'>; emit: Emit },
  gate: Question<Label>,
  wordsMean: NoInfer<Label> | null = null,
): Promise<Asked<Label>> {
  for (;;) {
    const answer = (await place.asker.ask(gate)) as AnswerTo<Label> | 'pending';
    if (answer === 'pending') return { kind: 'waits', gate: gate.id };
    const label = answer.option ?? (findOption(gate, answer.text ?? '')?.label as Label | undefined) ?? wordsMean;
    if (label !== null) return { kind: 'chosen', label, text: answer.text };
    place.emit({ type: 'warning', message: wordsIn(gate.language ?? 'en').common.notUnderstood({ text: answer.text ?? '' }) });
  }
}

/** Asks once; free words that are the name of an option are that option. A number alone may be an answer and stays one. */
export async function ask<Label extends string>(
  { asker }: { asker: Pick<Asker, 'ask'> },
  gate: Question<Label>,
): Promise<AnswerTo<Label> | 'pending'> {
  const answer = (await asker.ask(gate)) as AnswerTo<Label> | 'pending';
  if (answer === 'pending' || answer.option !== null || /^\s*\d+\s*$/.test(answer.text ?? '')) return answer;
  const named = findOption(gate, answer.text ?? '');
  return named === null ? answer : { ...answer, option: named.label as Label, text: null };
}
