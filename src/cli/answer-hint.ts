/** What to type for a question: with the recommended option where there is one, and never with one that somebody might not want. Pure. */
import type { Gate } from '../domain/gate.ts';

export function answerHint({ id, options, words }: Pick<Gate, 'id' | 'options' | 'words'>): string {
  const recommended = options.find((option) => option.recommended)?.label;
  const option = recommended === undefined ? 'OPTION' : shellWord(recommended);
  return `Answer with: harness answer ${id} ${option}${words === false ? '' : '    (or --text "your own words")'}`;
}

function shellWord(label: string): string {
  return /^[\w.-]+$/.test(label) ? label : `"${label}"`;
}
