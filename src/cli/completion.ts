/** What can stand next on a command line, from the table of commands. Pure, apart from the names that a project has. */
import type { CommandRow, OptionRow } from './command.ts';
import { ASKING_OPTIONS, GLOBAL_OPTIONS, readFlags } from './option-rows.ts';

export interface Candidate {
  word: string;
  description: string;
}

/** Names of a project, looked up when they are wanted. */
export interface ProjectNames {
  features(): Promise<Candidate[]>;
  /** Questions that wait, or with an id the options of that one. */
  gates(id: string | null): Promise<Candidate[]>;
}

/** The shell completes file names by itself. */
export const FILES: Candidate = { word: ':files', description: '' };

/** `words`: everything after `harness`, the last of them begun. */
export async function completions(table: readonly CommandRow[], words: readonly string[], names: ProjectNames): Promise<Candidate[]> {
  const begun = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const found = await candidates(table, before, begun, names);
  return found.filter(({ word }) => word === FILES.word || word.startsWith(begun));
}

async function candidates(
  table: readonly CommandRow[],
  before: readonly string[],
  begun: string,
  names: ProjectNames,
): Promise<Candidate[]> {
  const row = rowOf(table, before);
  const options = row === null ? GLOBAL_OPTIONS : [...row.options, ...(row.canAsk ? ASKING_OPTIONS : []), ...GLOBAL_OPTIONS];
  const wanted = valueWanted(options, before);
  if (wanted !== null) return await valuesOf(wanted, names);
  if (begun.startsWith('-')) return [...options.map(optionCandidate), { word: '--help', description: 'show help' }];
  if (row === null) return commandCandidates(table, plain(GLOBAL_OPTIONS, before));
  const given = plain(options, before).slice(row.name.split(' ').length);
  return await argumentValues(row, given, names);
}

function rowOf(table: readonly CommandRow[], before: readonly string[]): CommandRow | null {
  const [first = '', second = ''] = plain(GLOBAL_OPTIONS, before);
  return table.find(({ name }) => name === `${first} ${second}`) ?? table.find(({ name }) => name === first) ?? null;
}

/** Without options and their values. */
function plain(options: readonly OptionRow[], words: readonly string[]): string[] {
  return words.filter((word, index) => !word.startsWith('-') && valueWanted(options, words.slice(0, index)) === null);
}

function valueWanted(options: readonly OptionRow[], before: readonly string[]): OptionRow | null {
  const last = before.at(-1) ?? '';
  const row = last.startsWith('--') ? options.find(({ flags }) => `--${readFlags(flags).name}` === last) : undefined;
  return row === undefined || row.kind === 'flag' ? null : row;
}

function optionCandidate({ flags, description }: OptionRow): Candidate {
  return { word: `--${readFlags(flags).name}`, description };
}

function commandCandidates(table: readonly CommandRow[], given: readonly string[]): Candidate[] {
  const [group] = given;
  if (given.length > 1) return [];
  const rows = group === undefined ? table : table.filter(({ name }) => name.startsWith(`${group} `));
  const found = new Map<string, string>();
  for (const { name, summary } of rows) {
    const word = name.split(' ')[given.length] ?? '';
    if (!found.has(word)) found.set(word, summary);
  }
  return [...found].map(([word, description]) => ({ word, description }));
}

async function valuesOf({ flags, choices }: OptionRow, names: ProjectNames): Promise<Candidate[]> {
  if (choices !== undefined) return choices.map((word) => ({ word, description: '' }));
  if (flags.startsWith('--feature ')) return await names.features();
  if (flags.startsWith('--approve ')) return await names.gates(null);
  return /<(?:FILE|DIR|PATH|GLOB)>/.test(flags) ? [FILES] : [];
}

async function argumentValues(row: CommandRow, given: readonly string[], names: ProjectNames): Promise<Candidate[]> {
  const argument = row.arguments[given.length];
  if (argument === undefined) return [];
  if (argument.name === '<GATE>') return await names.gates(null);
  if (row.name === 'answer') return await names.gates(given[0] ?? '');
  if (argument.description.includes('F-7'))
    return (await names.features()).map(({ word, description }) => ({ word: `F-${word}`, description }));
  if (argument.name === '<SHELL>') return Object.keys(SCRIPTS).map((word) => ({ word, description: '' }));
  if (argument.name === '[STEP]') return ['plan', 'generate', 'verify', 'evaluate'].map((word) => ({ word, description: '' }));
  return [];
}

const BASH = `# Completion of harness for bash: eval "$(harness completion bash)"
COMP_WORDBREAKS=\${COMP_WORDBREAKS//[:=]/}
_harness() {
  local word args=() found=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do args+=("--word=$word"); done
  mapfile -t found < <(harness completion bash "\${args[@]}" 2> /dev/null)
  COMPREPLY=()
  if [ "\${found[0]-}" = :files ]; then compopt -o default; return; fi
  for word in "\${found[@]}"; do COMPREPLY+=("$(printf %q "$word")"); done
}
complete -F _harness harness
`;

const ZSH = `#compdef harness
# Completion of harness for zsh: source <(harness completion zsh)
_harness() {
  local -a given found
  given=("\${(@)words[2,CURRENT]}")
  found=("\${(@f)$(harness completion zsh "\${(@)given/#/--word=}" 2> /dev/null)}")
  if [[ "$found[1]" == :files ]]; then _files; return; fi
  [[ -n "$found[1]" ]] && _describe harness found
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _harness harness
`;

const FISH = `# Completion of harness for fish: harness completion fish | source
function __harness_complete
    set -l words (commandline -opc)[2..] (commandline -ct)
    set -l found (harness completion fish --word=$words 2> /dev/null)
    if test "$found[1]" = :files
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $found
    end
end
complete -c harness -f -a '(__harness_complete)'
`;

export const SCRIPTS: Readonly<Record<string, { script: string; line(candidate: Candidate): string }>> = {
  bash: { script: BASH, line: ({ word }) => word },
  zsh: {
    script: ZSH,
    line: ({ word, description }) =>
      word === FILES.word ? word : `${word.replaceAll(':', '\\:')}${description === '' ? '' : `:${description}`}`,
  },
  fish: { script: FISH, line: ({ word, description }) => (description === '' ? word : `${word}\t${description}`) },
};
