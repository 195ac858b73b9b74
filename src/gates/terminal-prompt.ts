/** The question on a terminal: a choice of the options, or words of one's own. */
import { isCancel, note, select, text } from '@clack/prompts';
import { cleanText } from '../domain/clean-text.ts';
import type { Prompt, Question } from './question.ts';

const OWN_WORDS = -1;

/** The recommended option; where only a person may decide and nothing is recommended, the one that changes nothing. */
export function startingOption(question: Pick<Question, 'options' | 'non_negotiable'>): number {
  const recommended = question.options.findIndex((option) => option.recommended);
  if (recommended >= 0) return recommended;
  return question.non_negotiable ? question.options.length - 1 : 0;
}

export const promptOnTerminal: Prompt = async (question, signal) => {
  if (question.context.length > 0) note(cleanText(question.context.join('\n')), question.header);
  const chosen = await select<number>({
    message: cleanText(question.question),
    signal,
    initialValue: startingOption(question),
    options: [
      ...question.options.map((option, index) => ({
        value: index,
        label: option.recommended ? `${option.label} (recommended)` : option.label,
        hint: cleanText(option.description),
      })),
      { value: OWN_WORDS, label: 'Something else', hint: 'say it in your own words' },
    ],
  });
  if (isCancel(chosen)) return null;
  if (chosen !== OWN_WORDS) return { option: question.options[chosen]?.label ?? null, text: null };
  const words = await text({
    message: 'Your answer',
    signal,
    validate: (value) => ((value ?? '').trim() === '' ? 'Please write something.' : undefined),
  });
  return isCancel(words) ? null : { option: null, text: words };
};
