/** Options that many commands share, and how the flags of a row are read. */
import type { OptionRow } from './command.ts';

export const GLOBAL_OPTIONS: readonly OptionRow[] = [
  { flags: '--cwd <DIR>', description: 'work in this directory instead of the current one', kind: 'text' },
  { flags: '--json', description: 'print data for programs: one object, or one object per line for long commands', kind: 'flag' },
  { flags: '--no-color', description: 'print without colours', kind: 'flag' },
  { flags: '--quiet', description: 'print results and problems only', kind: 'flag' },
];

export const ASKING_OPTIONS: readonly OptionRow[] = [
  { flags: '--yes', description: 'take the recommended answer where there is one; never where only a person may decide', kind: 'flag' },
  {
    flags: '--answers <FILE>',
    description: 'JSON object from question id to an option, {"option", "text"} or a list of these',
    kind: 'text',
  },
  { flags: '--approve <ID>', description: 'agree to this question that only a person may decide; may be repeated', kind: 'list' },
];

/** `--no-color` is named `no-color` and sets `color`, which is true unless it is given. */
export function readFlags(flags: string): { name: string; key: string; negative: boolean } {
  const name = flags.split(' ')[0]?.slice(2) ?? '';
  const negative = name.startsWith('no-');
  const key = (negative ? name.slice(3) : name).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { name, key, negative };
}
