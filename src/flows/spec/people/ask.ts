/** Asks, and takes free words that are exactly the name of an option for that option. A number alone may be an answer and stays one. */
import type { AnswerTo, Question } from '../../../domain/gate.ts';
import { findOption } from '../../../gates/choice.ts';
import type { Place } from '../../../kernel/place.ts';

export async function ask<Label extends string>(place: Pick<Place, 'asker'>, gate: Question<Label>): Promise<AnswerTo<Label> | 'pending'> {
  const answer = (await place.asker.ask(gate)) as AnswerTo<Label> | 'pending';
  if (answer === 'pending' || answer.option !== null || /^\s*\d+\s*$/.test(answer.text ?? '')) return answer;
  const named = findOption(gate, answer.text ?? '');
  return named === null ? answer : { ...answer, option: named.label as Label, text: null };
}
