/** Settings named in an answer: a mode, models, and whether to scan for conventions. Pure. */
import { parseModels } from '../../../kernel/roles/models.ts';
import type { Mode } from '../contract.ts';

const MODES: readonly Mode[] = ['standard', 'single', 'multi'];
const CONVENTIONS = ['scan', 'skip'] as const;

interface Said {
  mode: Mode | null;
  /** As `--model-config` takes it. */
  models: string | null;
  conventions: (typeof CONVENTIONS)[number] | null;
  /** What is none of these, as it was written. */
  rest: string;
}

export function settingsIn(text: string): Said {
  const said: Said = { mode: null, models: null, conventions: null, rest: '' };
  const byRole: string[] = [];
  const rest: string[] = [];
  for (const word of text.split(/[\s,;]+/).filter((part) => part !== '')) {
    const lower = word.toLowerCase();
    const mode = MODES.find((name) => name === lower);
    const conventions = CONVENTIONS.find((name) => name === lower);
    if (mode !== undefined) said.mode = mode;
    else if (conventions !== undefined) said.conventions = conventions;
    else if (lower.includes(':')) byRole.push(lower);
    else if (parseModels(lower).ok) said.models = lower;
    else rest.push(word);
  }
  const own = byRole.join(',');
  if (own !== '' && parseModels(own).ok) said.models = own;
  else if (own !== '') rest.push(own);
  return { ...said, rest: rest.join(' ') };
}
