/** From what a person typed to an option of the question. Pure. */
import { usageError, type HarnessError } from '../domain/errors.ts';
import type { Gate, GateOption } from '../domain/gate.ts';
import { optionName } from '../domain/option-name.ts';
import { beforeFirst } from '../domain/text-parts.ts';

type Question = Pick<Gate, 'id' | 'options' | 'words'>;

/** By English label, also by its part before a long dash, by the label that is shown, each case-insensitive, or by number from 1 on. */
export function findOption(gate: Question, given: string): GateOption | null {
  const wanted = folded(given);
  const byLabel = gate.options.find((option) => folded(option.label) === wanted);
  const byShown = gate.options.find((option) => option.shown !== undefined && folded(option.shown) === wanted);
  const byShort = gate.options.find((option) => option.label.includes(' — ') && folded(beforeFirst(option.label, ' — ')) === wanted);
  return byLabel ?? byShown ?? byShort ?? (/^\d+$/.test(wanted) ? (gate.options[Number(wanted) - 1] ?? null) : null);
}

/** A mark that the option is recommended is no part of its name. */
function folded(text: string): string {
  return text
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/\s*\(recommended\)$/, '');
}

/** The label, or null for an answer in words alone; an unknown option is an error that names the choices. */
export function chooseOption(gate: Question, option: string | null, text: string | null, source: string): string | null {
  if (option === null) {
    if (text !== null && text.trim() !== '') return chooseWords(gate, text, source);
    throw usageError(`${source} gives no option and no text for ${gate.id}.`, ...choices(gate));
  }
  const found = findOption(gate, option);
  if (found === null) throw unknownOption(gate, option, source);
  if ((found.asks ?? []).length > 0 && found.words_optional !== true && (text ?? '').trim() === '') throw missingText(gate, found, source);
  return found.label;
}

/** Words that name an option are that option; others count only where the question makes something of them. */
function chooseWords(gate: Question, text: string, source: string): string | null {
  if (gate.words !== false) return null;
  const named = /^\s*\d+\s*$/.test(text) ? null : findOption(gate, text);
  if (named !== null) return named.label;
  throw usageError(`${source} answers ${gate.id} in words alone, but this question needs an option.`, ...choices(gate));
}

function unknownOption(gate: Question, option: string, source: string): HarnessError {
  return usageError(`${source} names "${option}", which is not an option of ${gate.id}.`, ...choices(gate));
}

function missingText(gate: Question, option: GateOption, source: string): HarnessError {
  const asks = option.asks ?? [];
  const asked = asks.length === 1 ? asks : asks.map((question, index) => `  ${index + 1}. ${question}`);
  return usageError(
    `${source} chooses "${option.label}" for ${gate.id} without the words that belong to it.`,
    ...asked,
    'Give them as text.',
  );
}

function choices(gate: Question): string[] {
  return ['The options are:', ...gate.options.map((option, index) => `  ${index + 1}. ${optionName(option)}`)];
}
