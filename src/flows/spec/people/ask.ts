/** Asks, and takes free words that are exactly the name of an option for that option. A number alone may be an answer and stays one. */
import type { Gate, GateAnswer } from '../../../domain/gate.ts';
import { findOption } from '../../../gates/choice.ts';
import type { Place } from '../../../kernel/place.ts';

export async function ask(place: Pick<Place, 'asker'>, gate: Omit<Gate, 'asked_at'>): Promise<GateAnswer | 'pending'> {
  const answer = await place.asker.ask(gate);
  if (answer === 'pending' || answer.option !== null || /^\s*\d+\s*$/.test(answer.text ?? '')) return answer;
  const named = findOption(gate, answer.text ?? '');
  return named === null ? answer : { ...answer, option: named.label, text: null };
}
