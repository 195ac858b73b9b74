/** Asks until an option is chosen; words that name one count as it, words that name none are asked about again. */
import { findOption } from '../../../gates/choice.ts';
import type { Place } from '../../../kernel/place.ts';
import { wordsIn } from '../../../domain/words.ts';
import type { AnswerTo, Question } from '../../../domain/gate.ts';

export type Asked<Label extends string = string> =
  | { kind: 'chosen'; label: Label; text: string | null }
  /** Nobody is there to answer; the question waits. */
  | { kind: 'waits'; gate: string };

/** `wordsMean`: the option that an answer in words alone stands for. */
export async function askFor<Label extends string>(
  place: Pick<Place, 'asker' | 'emit'>,
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
