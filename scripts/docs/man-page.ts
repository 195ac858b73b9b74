/** `man harness`, from the table of commands. Pure. */
import { HARNESS_VERSION } from '../../src/domain/version.ts';
import type { CommandRow, OptionRow } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { ASKING_OPTIONS, GLOBAL_OPTIONS } from '../../src/cli/option-rows.ts';

/** Path below the package → content. */
export function generatedFiles(): Record<string, string> {
  return { 'man/harness.1': manPage() };
}

const EXIT_CODES: readonly (readonly [string, string])[] = [
  ['0', 'done: verified, complete, or nothing left to do'],
  ['1', 'a defect in the harness itself'],
  ['2', 'bad usage, bad configuration or an invalid feature list'],
  ['3', 'escalated: a person has to decide'],
  ['4', 'rejected by verification'],
  ['5', 'a budget is exhausted'],
  ['6', 'preflight failed: no agent was started, or nothing could be judged'],
  ['7', 'the plan was rejected by its reviewer'],
  ['8', 'a question is pending (harness gates)'],
  ['9', 'another harness process works on this project'],
  ['10', 'partial: the next run continues it'],
  ['130', 'interrupted; the state is saved'],
];

function manPage(): string {
  return [
    '.\\" Made from the table of commands by `npm run docs`.',
    `.TH HARNESS 1 "" "harness ${HARNESS_VERSION}" "Universal Agent Harness"`,
    '.SH NAME',
    'harness \\- build applications with AI coding agents and verify their work',
    '.SH SYNOPSIS',
    '.B harness',
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    'Lets AI coding agents build applications over many sessions, and never takes their word for it: tests run in a clean room, on the code of before',
    'and of after. New here? Start with',
    '.BR "harness demo" .',
    '.SH COMMANDS',
    ...COMMANDS.flatMap(commandPart),
    '.SH OPTIONS FOR EVERY COMMAND',
    ...[...GLOBAL_OPTIONS].flatMap(optionPart),
    '.SH OPTIONS OF COMMANDS THAT CAN ASK',
    ...[...ASKING_OPTIONS].flatMap(optionPart),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, escaped(meaning)]),
    '.SH ENVIRONMENT',
    '.TP',
    '.B HARNESS_HOME',
    'What outlives one project: settings, caches, work in progress. Default: ~/.harness.',
    '.SH FILES',
    '.TP',
    '.I .harness.yaml',
    'Settings of a project.',
    '.TP',
    '.I features.json',
    'Its feature list.',
    '.TP',
    '.I .harness/',
    'State, logs and questions; ignored by git.',
    '',
  ].join('\n');
}

function commandPart({ name, summary, arguments: args, options }: CommandRow): string[] {
  const usage = ['harness', name, ...args.map((argument) => argument.name), ...(options.length === 0 ? [] : ['[options]'])].join(' ');
  return [
    `.SS "${escaped(usage)}"`,
    escaped(sentence(summary)),
    ...args.flatMap((argument) => ['.TP', `.I ${escaped(argument.name)}`, escaped(argument.description)]),
    ...options.flatMap(optionPart),
  ];
}

function optionPart({ flags, description, choices }: OptionRow): string[] {
  const which = choices === undefined ? '' : ` (${choices.join(', ')})`;
  return ['.TP', `.B ${escaped(flags)}`, escaped(`${description}${which}`)];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A backslash, a dash that can be copied, and a line that would begin with a request. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replace(/^(['.])/, '\\&$1');
}
