/** `harness gates`: the questions that wait for a person, oldest first. */
import { cleanLine, cleanText } from '../../domain/clean-text.ts';
import type { Gate } from '../../domain/gate.ts';
import { optionName } from '../../domain/option-name.ts';
import { EXIT } from '../../domain/reasons.ts';
import { waitingGates } from '../../gates/gate-files.ts';
import { isPersons } from '../../gates/persons-question.ts';
import type { Command } from '../command.ts';
import { liveWordsIn } from '../live-words.ts';

export const run: Command = async ({ store, output }) => {
  const gates = await waitingGates(store.in('gates'));
  output.object(gates.map(publicForm), gates.length === 0 ? 'No question waits for an answer.' : gates.map(describe).join('\n\n'));
  return { exitCode: EXIT.done };
};

function publicForm(gate: Gate): object {
  const { id, asked_at, header, question, options } = gate;
  return { id, asked_at, header, question, options, person: isPersons(gate) };
}

function describe(gate: Gate): string {
  const words = liveWordsIn(gate.language).question;
  return [
    `${gate.id} (${cleanLine(gate.header)}, ${words.asked({ time: gate.asked_at })})`,
    `  ${cleanText(gate.question).replaceAll('\n', '\n    ')}`,
    ...gate.context.map((fact) => `  | ${cleanText(fact).replaceAll('\n', '\n  | ')}`),
    ...gate.options.map(
      (option, index) =>
        `  ${index + 1}. ${cleanLine(optionName(option))}: ${cleanLine(option.description)}${option.recommended ? ` (${words.recommended})` : ''}`,
    ),
    `  ${answerHint(gate)}`,
  ].join('\n');
}

/** What to type for a question: with the recommended option where there is one, and never with one that a user might not want. Pure. */
export function answerHint({ id, options, words, language }: Pick<Gate, 'id' | 'options' | 'words' | 'language'>): string {
  const { answerWith, ownWords } = liveWordsIn(language).question;
  const recommended = options.find((option) => option.recommended)?.label;
  const option = recommended === undefined ? 'OPTION' : shellWord(recommended);
  const hint = answerWith({ command: `harness answer ${id} ${option}` });
  return `${hint.charAt(0).toUpperCase()}${hint.slice(1)}${words === false ? '' : `    (${ownWords})`}`;
}

function shellWord(label: string): string {
  return /^[\w.-]+$/.test(label) ? label : `"${label}"`;
}
