import { describe, expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';
import { parseCommandLine } from './parse.ts';

const parse = (line: string) => parseCommandLine(COMMANDS, line === '' ? [] : line.split(' '));
const options = (line: string) => {
  const parsed = parse(line);
  return parsed.kind === 'command' ? parsed.options : parsed;
};

describe('what is understood', () => {
  test('global options stand before or after the command', () => {
    for (const line of ['--cwd /x --json status', 'status --cwd /x --json', 'status --cwd=/x --json', '--cwd /x status --json']) {
      expect(options(line)).toEqual({ cwd: '/x', json: true, color: true });
    }
  });

  test('a command of two words is found among options', () => {
    expect(parse('log --json query type=x --limit 5')).toMatchObject({
      kind: 'command',
      row: { name: 'log query' },
      args: ['type=x'],
      options: { limit: 5, json: true },
    });
  });

  test('a group named alone is the command that stands for it, with its options', () => {
    expect(parse('log')).toMatchObject({ kind: 'command', row: { name: 'log tail' } });
    expect(parse('--json log --lines 3')).toMatchObject({ kind: 'command', row: { name: 'log tail' }, options: { lines: 3, json: true } });
    expect(parse('mission')).toMatchObject({ kind: 'misuse', message: expect.stringContaining('run, status, grant') });
  });

  test('options with no- are true unless given', () => {
    expect(options('run')).toMatchObject({ cache: true, color: true });
    expect(options('run --no-cache --no-color')).toMatchObject({ cache: false, color: false });
  });

  test('names with dashes become one word', () => {
    expect(options('init --agent-command x --features f.json')).toMatchObject({ agentCommand: 'x', features: 'f.json' });
  });

  test('a list option collects its values', () => {
    expect(options('override --feature 1 --passes true --approve a.b --approve=c.d')).toMatchObject({
      feature: 1,
      passes: 'true',
      approve: ['a.b', 'c.d'],
    });
  });

  test('after two dashes everything is an argument', () => {
    expect(parse('add-feature -- --verbose')).toMatchObject({ kind: 'command', args: ['--verbose'] });
  });

  test('a value keeps its equals signs', () => {
    expect(options('skip --feature 1 --reason=a=b')).toMatchObject({ reason: 'a=b' });
  });
});

describe('what is refused', () => {
  test.each([
    ['statsu', 'Did you mean harness status?'],
    ['log qury', 'Did you mean harness log query?'],
    ['run --until-dne', 'Did you mean --until-done?'],
    ['run -x', 'no option -x'],
    ['status --feature 3', 'no option --feature'],
    ['run --sessions', 'needs a value'],
    ['run --sessions --json', 'needs a value'],
    ['run --sessions 0', 'whole number'],
    ['run --sessions 1.5', 'whole number'],
    ['run --dry-run=yes', 'takes no value'],
    ['override --feature 1 --passes maybe', 'true, false'],
    ['init --agent claude-cod', 'Did you mean claude-code?'],
    ['worker', '--task <FILE>'],
    ['rollback', '<ID>'],
    ['status now', '"now"'],
    ['--jsno', 'Did you mean --json?'],
    ['status --yes', 'no option --yes'],
  ])('harness %s', (line, part) => {
    expect(parse(line)).toMatchObject({ kind: 'misuse', message: expect.stringContaining(part) });
  });
});

describe('what is shown', () => {
  test('help and version are heard in every command, even beside a mistake', () => {
    expect(parse('')).toMatchObject({ kind: 'show', text: expect.stringContaining('Set up:') });
    expect(parse('run --nonsense --help')).toMatchObject({ kind: 'show', text: expect.stringContaining('--until-done') });
    expect(parse('log -h')).toMatchObject({ kind: 'show', text: expect.stringContaining('log query') });
    expect(parse('help')).toEqual(parse('--help'));
    expect(parse('help run')).toEqual(parse('run --help'));
    expect(parse('help log query')).toEqual(parse('log query --help'));
    expect(parse('help rnu')).toMatchObject({ kind: 'misuse', message: expect.stringContaining('harness run') });
    expect(parse('--version')).toMatchObject({ kind: 'show', text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test('the help lists every command once, in a section', () => {
    const parsed = parse('--help');
    const text = parsed.kind === 'show' ? parsed.text : '';
    const listed = COMMANDS.map(
      ({ name }) => text.split('\n').filter((line) => new RegExp(`^ {2}${name}(?: [<[]| {2})`).test(line)).length,
    );
    expect(listed).toEqual(COMMANDS.map(() => 1));
    expect(text).not.toContain('Other:');
  });

  test.each(COMMANDS.map((row) => [row.name, row] as const))('harness %s --help names every argument and option', (name, row) => {
    const parsed = parse(`${name} --help`);
    const text = parsed.kind === 'show' ? parsed.text : '';
    for (const word of [name, ...row.arguments.map((argument) => argument.name), ...row.options.map((option) => option.flags)])
      expect(text).toContain(word);
    expect(text.includes('--approve')).toBe(row.canAsk);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

test.each(COMMANDS.map((row) => [row.name, row] as const))('the code of harness %s can be loaded', async (_name, row) => {
  expect(typeof (await row.load()).run).toBe('function');
});

test('no two commands have the same name, and no group is also a command', () => {
  const names = COMMANDS.map((row) => row.name);
  expect(new Set(names).size).toBe(names.length);
  const groups = new Set(names.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0]));
  expect(names.filter((name) => groups.has(name))).toEqual([]);
});
