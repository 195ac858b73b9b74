/** Help texts, from the table alone. Pure. */
import type { CommandRow, OptionRow } from './command.ts';
import { ASKING_OPTIONS, GLOBAL_OPTIONS } from './option-rows.ts';
import { wrap } from './wrap.ts';

type Entry = readonly [term: string, description: string];

const WIDTH = 80;
const HELP: Entry = ['-h, --help', 'show this help'];
const GROUPS: Readonly<Record<string, string>> = {
  fleet: 'work on many projects with many machines',
  hook: 'judge work where it ends: pushes and sessions of a host',
  log: 'read the logs',
  mission: 'work through a queue of features unattended',
  plugin: 'bring the harness into Claude Code and Codex',
};

/** By the first word of a command. A word that is in no section comes last, so that no command is ever left out. */
const SECTIONS: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['Set up', ['demo', 'init', 'doctor', 'agents', 'add-feature']],
  ['Build and judge', ['run', 'workflow', 'spec', 'mission', 'worker', 'judge', 'verify', 'cleanup']],
  ['See what happened', ['status', 'summary', 'ui', 'show', 'report', 'features', 'why', 'diff', 'tests', 'health', 'log', 'checkpoints']],
  ['Answer questions', ['gates', 'answer']],
  ['Take the wheel', ['say', 'pause', 'resume', 'stop', 'abort', 'skip', 'override', 'manual-verify', 'handoff', 'takeback', 'rollback']],
  ['Many machines', ['fleet']],
  ['Connect and maintain', ['mcp', 'plugin', 'hook', 'sync', 'completion', 'version', 'migrate']],
];

export function programHelp(table: readonly CommandRow[]): string {
  return [
    'Usage: harness <command> [options]',
    '',
    ...wrap('Lets AI coding agents build applications over many sessions, and never takes their word for it.', WIDTH),
    '',
    ...sectionsOf(table),
    'Options for every command:',
    ...columns([...GLOBAL_OPTIONS.map(entryOf), HELP, ['-V, --version', 'show the version number']]),
    '',
    'harness <command> --help tells more. New here? Start with: harness demo',
    '',
  ].join('\n');
}

export function groupHelp(name: string, rows: readonly CommandRow[]): string {
  const usage = `Usage: harness ${name} <command> [options]`;
  return [usage, '', sentence(GROUPS[name] ?? name), '', 'Commands:', ...columns(rows.map(nameOf)), ''].join('\n');
}

/** All sections share one column width. */
function sectionsOf(table: readonly CommandRow[]): string[] {
  const width = widthOf(table.map(nameOf));
  const known = new Set(SECTIONS.flatMap(([, words]) => words));
  const others = table.map(wordOf).filter((word) => !known.has(word));
  return [...SECTIONS, ['Other', others] as const].flatMap(([title, words]) => {
    const rows = words.flatMap((word) => table.filter((row) => wordOf(row) === word));
    return rows.length === 0 ? [] : [`${title}:`, ...columns([...new Set(rows)].map(nameOf), width), ''];
  });
}

function wordOf(row: CommandRow): string {
  return row.name.split(' ')[0] ?? row.name;
}

function nameOf(row: CommandRow): Entry {
  return [[row.name, ...row.arguments.map((argument) => argument.name)].join(' '), row.summary];
}

export function commandHelp(row: CommandRow): string {
  const usage = ['harness', row.name, ...row.arguments.map((argument) => argument.name), '[options]'].join(' ');
  const own = [...row.options.map(entryOf), ...(row.canAsk ? ASKING_OPTIONS : []).map(entryOf)];
  return [
    `Usage: ${usage}`,
    '',
    ...wrap(sentence(row.summary), WIDTH),
    '',
    ...section(
      'Arguments:',
      row.arguments.map((argument) => [argument.name, argument.description]),
    ),
    ...section('Options:', own),
    ...section('Options for every command:', [...GLOBAL_OPTIONS.map(entryOf), HELP]),
  ].join('\n');
}

function section(title: string, entries: readonly Entry[]): string[] {
  return entries.length === 0 ? [] : [title, ...columns(entries), ''];
}

function entryOf(option: OptionRow): Entry {
  const choices = option.choices === undefined ? '' : ` (${option.choices.join(', ')})`;
  return [option.flags, `${option.description}${choices}${option.required === true ? '; required' : ''}`];
}

function widthOf(entries: readonly Entry[]): number {
  return Math.max(...entries.map(([term]) => term.length)) + 2;
}

function columns(entries: readonly Entry[], width = widthOf(entries)): string[] {
  return entries.flatMap(([term, description]) =>
    wrap(description, WIDTH - width - 2).map((line, index) => `  ${(index === 0 ? term : '').padEnd(width)}${line}`),
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
