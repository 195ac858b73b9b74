/**
 * Command line → invocation, by the table alone.
 *
 * 1. Parsing never prints and never ends the process: what is to be shown is part of the result.
 * 2. Options stand anywhere, `--name value` or `--name=value`; after `--` everything is an argument.
 * 3. A dash alone is an argument; an argument that starts with a dash needs `--` before it.
 * 4. `help COMMAND` is `COMMAND --help`.
 */
import { HARNESS_VERSION } from '../domain/version.ts';
import type { CommandRow, OptionRow, OptionValue, OptionValues } from './command.ts';
import { commandHelp, groupHelp, programHelp } from './help.ts';
import { ASKING_OPTIONS, GLOBAL_OPTIONS, readFlags } from './option-rows.ts';
import { nearest } from '../domain/nearest.ts';

export type Parsed =
  | { kind: 'command'; row: CommandRow; options: OptionValues; args: string[] }
  | { kind: 'show'; text: string }
  | { kind: 'misuse'; message: string; row: CommandRow | null };

export function parseCommandLine(table: readonly CommandRow[], argv: readonly string[]): Parsed {
  if (argv[0] === 'help') return parseCommandLine(table, ['--help', ...argv.slice(1)]);
  const { row, rest, words } = splitCommand(table, argv);
  if (row === null) return withoutCommand(table, words, rest);
  const known = [...row.options, ...(row.canAsk ? ASKING_OPTIONS : []), ...GLOBAL_OPTIONS];
  const misuse = (message: string): Parsed => ({ kind: 'misuse', message, row });
  const read = readOptions(known, rest);
  if (read.wants === 'help') return { kind: 'show', text: commandHelp(row) };
  if (read.wants === 'version') return { kind: 'show', text: `${HARNESS_VERSION}\n` };
  if (read.problem !== null) return misuse(read.problem);
  const missing = row.options.find((option) => option.required === true && read.values[readFlags(option.flags).key] === undefined);
  if (missing !== undefined) return misuse(`harness ${row.name} needs ${missing.flags}.`);
  const problem = checkArguments(row, read.args);
  return problem === null ? { kind: 'command', row, options: read.values, args: read.args } : misuse(problem);
}

/** Finds the command's words among global options and takes them out of the list. */
function splitCommand(table: readonly CommandRow[], argv: readonly string[]): { row: CommandRow | null; rest: string[]; words: string[] } {
  const takesValue = new Set(
    GLOBAL_OPTIONS.filter((option) => option.kind !== 'flag').map((option) => `--${readFlags(option.flags).name}`),
  );
  const places: number[] = [];
  for (let index = 0; index < argv.length && places.length < 2; index++) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (takesValue.has(word)) index++;
    else if (!word.startsWith('-')) places.push(index);
  }
  const words = places.map((place) => argv[place] ?? '');
  for (const length of [2, 1]) {
    const row = table.find((candidate) => candidate.name === words.slice(0, length).join(' '));
    if (row !== undefined) return { row, rest: argv.filter((_, index) => !places.slice(0, length).includes(index)), words };
  }
  const alone = standsFor(table, argv, places);
  if (alone !== null) return { row: alone, rest: argv.filter((_, index) => index !== places[0]), words };
  return { row: null, rest: argv.filter((_, index) => !places.includes(index)), words };
}

/** A group that is named alone; what follows one of its options is a value, not a name. Its help tells of the whole group. */
function standsFor(table: readonly CommandRow[], argv: readonly string[], places: readonly number[]): CommandRow | null {
  const [first, second] = places;
  if (first === undefined || argv.includes('--help') || argv.includes('-h')) return null;
  if (second !== undefined && !(argv[second - 1] ?? '').startsWith('-')) return null;
  return table.find((row) => row.standsForGroup === true && row.name.startsWith(`${argv[first]} `)) ?? null;
}

function withoutCommand(table: readonly CommandRow[], words: readonly string[], rest: readonly string[]): Parsed {
  const misuse = (message: string): Parsed => ({ kind: 'misuse', message, row: null });
  const [first, second] = words;
  const read = readOptions(GLOBAL_OPTIONS, rest);
  if (read.wants === 'version') return { kind: 'show', text: `${HARNESS_VERSION}\n` };
  const group = table.filter((row) => row.name.startsWith(`${first} `));
  if (first !== undefined && group.length === 0) {
    return misuse(
      `There is no command "${first}".${suggest(first, [...new Set(table.map((row) => row.name.split(' ')[0] ?? ''))], 'harness ')}`,
    );
  }
  if (first !== undefined && second !== undefined) {
    const names = group.map((row) => row.name.split(' ')[1] ?? '');
    return misuse(`harness ${first} has no "${second}": ${names.join(', ')}.${suggest(second, names, `harness ${first} `)}`);
  }
  if (read.wants === 'help') return { kind: 'show', text: first === undefined ? programHelp(table) : groupHelp(first, group) };
  if (read.problem !== null) return misuse(read.problem);
  if (first === undefined) return { kind: 'show', text: programHelp(table) };
  return misuse(`harness ${first} needs one of: ${group.map((row) => row.name.split(' ')[1]).join(', ')}.`);
}

interface ReadOptions {
  values: Record<string, OptionValue>;
  args: string[];
  wants: 'help' | 'version' | null;
  /** The first thing wrong; asking for help is still heard after it. */
  problem: string | null;
}

function readOptions(known: readonly OptionRow[], words: readonly string[]): ReadOptions {
  const read: ReadOptions = { values: defaults(known), args: [], wants: null, problem: null };
  const rows = new Map(known.map((row) => [readFlags(row.flags).name, row]));
  const fail = (message: string): void => void (read.problem ??= message);
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') {
      read.args.push(...words.slice(index + 1));
      break;
    }
    if (word === '-' || !word.startsWith('-')) read.args.push(word);
    else if (word === '--help' || word === '-h') read.wants ??= 'help';
    else if (word === '--version' || word === '-V') read.wants ??= 'version';
    else {
      const [flag = '', ...parts] = word.split('=');
      const row = rows.get(flag.slice(2));
      const inline = parts.length === 0 ? null : parts.join('=');
      if (row === undefined || !flag.startsWith('--'))
        fail(
          `There is no option ${flag}.${suggest(
            flag,
            [...rows.keys(), 'help'].map((name) => `--${name}`),
          )}`,
        );
      else if (row.kind === 'flag' && inline !== null) fail(`${flag} takes no value.`);
      else if (row.kind === 'flag') setFlag(read, row);
      else {
        const value = inline ?? words[++index];
        if (value === undefined || (inline === null && value.startsWith('--'))) fail(`${row.flags} needs a value.`);
        else setValue(read, row, value, fail);
      }
    }
  }
  return read;
}

function defaults(known: readonly OptionRow[]): Record<string, OptionValue> {
  return Object.fromEntries(known.filter((row) => readFlags(row.flags).negative).map((row) => [readFlags(row.flags).key, true]));
}

function setFlag(read: ReadOptions, row: OptionRow): void {
  const { key, negative } = readFlags(row.flags);
  read.values[key] = !negative;
}

function setValue(read: ReadOptions, row: OptionRow, value: string, fail: (message: string) => void): void {
  const { key } = readFlags(row.flags);
  if (row.choices !== undefined && !row.choices.includes(value))
    fail(`${row.flags} is one of ${row.choices.join(', ')}, not "${value}".${suggest(value, row.choices)}`);
  else if (row.kind === 'number' && (!/^(?:0|[1-9]\d{0,8})$/.test(value) || Number(value) < (row.least ?? 1)))
    fail(`${row.flags} takes a whole number of at least ${row.least ?? 1}, not "${value}".`);
  else if (row.kind === 'number') read.values[key] = Number(value);
  else if (row.kind === 'list') read.values[key] = [...(Array.isArray(read.values[key]) ? read.values[key] : []), value];
  else read.values[key] = value;
}

function checkArguments(row: CommandRow, args: readonly string[]): string | null {
  const missing = row.arguments.find((argument, index) => argument.name.startsWith('<') && args[index] === undefined);
  if (missing !== undefined) return `harness ${row.name} needs ${missing.name}: ${missing.description}.`;
  const extra = args[row.arguments.length];
  return extra === undefined
    ? null
    : `harness ${row.name} does not know what to do with "${extra}"; words that belong together need quotes.`;
}

/** ` Did you mean …?`, or nothing when no known word is near. */
function suggest(word: string, known: readonly string[], prefix = ''): string {
  const meant = nearest(word, known);
  return meant === null ? '' : ` Did you mean ${prefix}${meant}?`;
}
