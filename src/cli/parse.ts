/**
 * Command line → invocation, built from the table.
 *
 * 1. Parsing never prints and never ends the process: what is to be shown is part of the result.
 * 2. Global options are understood before and after the command.
 */
import { Command as Parser, CommanderError, InvalidArgumentError, Option } from 'commander';
import { HARNESS_VERSION } from '../domain/version.ts';
import type { CommandRow, OptionRow, OptionValues } from './command.ts';

export type Parsed =
  | { kind: 'command'; row: CommandRow; options: OptionValues; args: string[] }
  | { kind: 'show'; text: string }
  | { kind: 'misuse'; message: string; row: CommandRow | null };

export function parseCommandLine(table: readonly CommandRow[], argv: readonly string[]): Parsed {
  let chosen: Parsed | null = null;
  let shown = '';
  let problem = '';
  const program = buildProgram(table, (parsed) => (chosen = parsed));
  eachCommand(program, (command) => {
    command.exitOverride();
    command.configureOutput({ writeOut: (text) => (shown += text), writeErr: (text) => (problem += text) });
    command.configureHelp({ showGlobalOptions: true });
  });
  if (argv.length === 0) return { kind: 'show', text: program.helpInformation() };
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'show', text: shown };
    return { kind: 'misuse', message: misuseMessage(error, problem), row: guessRow(table, argv) };
  }
  return chosen ?? { kind: 'show', text: program.helpInformation() };
}

function buildProgram(table: readonly CommandRow[], choose: (parsed: Parsed) => void): Parser {
  const program = new Parser('harness')
    .description('Lets AI coding agents build applications over many sessions, and never takes their word for it.')
    .version(HARNESS_VERSION, '-V, --version', 'show the version number')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .option('--cwd <DIR>', 'work in this directory instead of the current one')
    .option('--json', 'print data for programs: one object, or one object a line')
    .option('--no-color', 'print without colours')
    .option('--quiet', 'print results and problems only');
  const groups = new Map<string, Parser>();
  for (const row of table) {
    const [first = '', second] = row.name.split(' ');
    const command = (second === undefined ? program : groupOf(program, groups, first)).command(second ?? first);
    fillCommand(command, row, choose);
  }
  return program;
}

const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  log: 'read the logs: query, tail, session',
  mission: 'work through a queue of features on its own: run, status, grant',
};

function groupOf(program: Parser, groups: Map<string, Parser>, name: string): Parser {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const group = program
    .command(name)
    .description(GROUP_SUMMARIES[name] ?? '')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false);
  groups.set(name, group);
  return group;
}

function fillCommand(command: Parser, row: CommandRow, choose: (parsed: Parsed) => void): void {
  command.description(row.summary).helpOption('-h, --help', 'show this help');
  for (const argument of row.arguments) command.argument(argument.name, argument.description);
  for (const option of row.options) command.addOption(optionOf(option));
  if (row.canAsk) {
    command
      .option('--yes', 'take the recommended answer where there is one; never for questions that only a person may decide')
      .option('--answers <FILE>', 'JSON object from question id to an option, {"option", "text"} or a list of these')
      .option('--approve <ID>', 'agree to this question that only a person may decide; may be repeated', append);
  }
  command.action(() => choose({ kind: 'command', row, options: command.optsWithGlobals(), args: [...command.args] }));
}

function optionOf(row: OptionRow): Option {
  const option = new Option(row.flags, row.description);
  if (row.choices !== undefined) option.choices([...row.choices]);
  if (row.required === true) option.makeOptionMandatory();
  if (row.kind === 'number') option.argParser(positiveInteger);
  if (row.kind === 'list') option.argParser(append);
  return option;
}

function positiveInteger(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('A whole number from 1 on is needed.');
  return Number(value);
}

function append(value: string, before: unknown): string[] {
  return [...(Array.isArray(before) ? before.map(String) : []), value];
}

function eachCommand(command: Parser, visit: (command: Parser) => void): void {
  visit(command);
  for (const child of command.commands) eachCommand(child, visit);
}

function misuseMessage(error: CommanderError, problem: string): string {
  if (error.code === 'commander.help') return `A command is missing.\n${problem.trimEnd()}`;
  const text = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The row the user meant, as far as the words before the first option tell. */
function guessRow(table: readonly CommandRow[], argv: readonly string[]): CommandRow | null {
  const words = argv.filter((word) => !word.startsWith('-'));
  return table.find((row) => row.name === words.slice(0, row.name.split(' ').length).join(' ')) ?? null;
}
