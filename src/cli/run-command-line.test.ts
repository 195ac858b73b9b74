import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { usageError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Command, CommandContext, CommandRow } from './command.ts';
import { runCommandLine } from './run-command-line.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'harness-cli-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

async function run(
  command: Command,
  argv: string[],
  row: Partial<CommandRow> = {},
  options: { env?: Record<string, string>; tty?: boolean; signal?: AbortSignal } = {},
): Promise<Run> {
  let stdout = '';
  let stderr = '';
  const sink = (write: (text: string) => void) => ({ write, isTTY: options.tty ?? false, columns: () => 40, rows: () => 24 });
  const table: CommandRow[] = [
    {
      name: 'look',
      summary: 'look',
      arguments: [],
      options: [],
      canAsk: true,
      output: 'object',
      ...row,
      load: () => Promise.resolve({ run: command }),
    },
  ];
  const code = await runCommandLine({
    table,
    argv,
    platform: nodePlatform({ HOME: folder, ...options.env }),
    terminal: { stdout: sink((text) => (stdout += text)), stderr: sink((text) => (stderr += text)), stdinIsTTY: false },
    directory: folder,
    signal: options.signal ?? new AbortController().signal,
  });
  return { code, stdout, stderr };
}

const looking: Command = async ({ output }) => {
  output.note('looking');
  output.object({ answer: 42 }, 'The answer is 42.');
  return { exitCode: EXIT.done };
};
const refusing: Command = () => Promise.reject(usageError('The field is wrong.', 'file.yaml: field'));
const broken: Command = () => Promise.reject(new TypeError('x is undefined'));

describe('a look command', () => {
  test('prints its text on stdout', async () => {
    expect(await run(looking, ['look'])).toEqual({ code: 0, stdout: 'looking\nThe answer is 42.\n', stderr: '' });
  });

  test('prints one object under --json, and what a person reads on stderr', async () => {
    expect(await run(looking, ['look', '--json'])).toEqual({ code: 0, stdout: '{"answer":42}\n', stderr: 'looking\n' });
  });

  test('keeps to its answer under --quiet', async () => {
    expect(await run(looking, ['look', '--quiet'])).toEqual({ code: 0, stdout: 'The answer is 42.\n', stderr: '' });
    expect(await run(looking, ['look', '--quiet', '--json'])).toEqual({ code: 0, stdout: '{"answer":42}\n', stderr: '' });
  });
});

describe('a long command', () => {
  const working: Command = async ({ output }) => {
    output.emit({ type: 'progress', message: 'at work' });
    return { exitCode: EXIT.rejected, outcome: 'rejected', reasons: ['test.failed'], session: 3, feature: 7 };
  };

  test('ends its lines of JSON with one end line', async () => {
    const { code, stdout } = await run(working, ['look', '--json'], { output: 'stream' });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(code).toBe(4);
    expect(lines).toEqual([
      { type: 'progress', ts: expect.any(String), message: 'at work' },
      { type: 'end', ts: expect.any(String), outcome: 'rejected', reasons: ['test.failed'], exit_code: 4, session: 3, feature: 7 },
    ]);
  });

  test('has one end line also when the flow emits it, and when it fails', async () => {
    const emitting: Command = async ({ output }) => {
      output.emit({ type: 'end', outcome: 'complete', reasons: [], exit_code: 0 });
      return { exitCode: EXIT.done };
    };
    expect((await run(emitting, ['look', '--json'], { output: 'stream' })).stdout.match(/"type":"end"/g)).toHaveLength(1);
    const failed = await run(refusing, ['look', '--json'], { output: 'stream' });
    expect(JSON.parse(failed.stdout)).toMatchObject({ type: 'end', outcome: 'error', exit_code: 2, message: 'The field is wrong.' });
  });

  test('shows no status line and no colour where there is no terminal', async () => {
    const { stdout, stderr } = await run(working, ['look'], { output: 'stream' });
    expect(stdout + stderr).not.toContain('\u001b');
  });

  test('clears its status line at the end on a terminal', async () => {
    const session: Command = async ({ output }) => {
      output.emit({ type: 'session.start', session: 1, feature: 2, prompt: 'coding', backend: 'command', model: '', workspace: '/w' });
      return { exitCode: EXIT.done };
    };
    const { stderr } = await run(session, ['look'], { output: 'stream' }, { tty: true });
    expect(stderr).toMatch(/#2 {2}agent at work/);
    expect(stderr.endsWith('\r\u001b[2K')).toBe(true);
  });
});

describe('colour', () => {
  const warning: Command = async ({ output }) => {
    output.emit({ type: 'warning', message: 'careful' });
    return { exitCode: EXIT.done };
  };

  test('appears on a terminal, unless it is turned off', async () => {
    expect((await run(warning, ['look'], {}, { tty: true })).stdout).toBe('\u001b[33mcareful\u001b[39m\n');
    expect((await run(warning, ['look', '--no-color'], {}, { tty: true })).stdout).toBe('careful\n');
    expect((await run(warning, ['look'], {}, { tty: true, env: { NO_COLOR: '1' } })).stdout).toBe('careful\n');
  });
});

describe('failures', () => {
  test('what a person can mend is one message with its details', async () => {
    expect(await run(refusing, ['look'])).toEqual({ code: 2, stdout: '', stderr: 'The field is wrong.\n  file.yaml: field\n' });
    expect(JSON.parse((await run(refusing, ['look', '--json'])).stdout)).toEqual({
      error: { message: 'The field is wrong.', details: ['file.yaml: field'], exit_code: 2 },
    });
  });

  test("a defect is one line for the person and a stack in the project's log", async () => {
    await writeFile(join(folder, '.harness.yaml'), '');
    const { code, stderr } = await run(broken, ['look']);
    expect(code).toBe(1);
    expect(stderr).not.toContain('    at ');
    const log = await readFile(join(folder, '.harness', 'logs', 'defects.log'), 'utf8');
    expect(log).toContain('TypeError: x is undefined\n    at ');
    expect(stderr).toContain(join(folder, '.harness', 'logs', 'defects.log'));
  });

  test("a defect outside a project goes to the user's log and leaves the directory alone", async () => {
    const home = join(folder, 'home');
    await run(broken, ['look'], {}, { env: { HARNESS_HOME: home } });
    expect(await readFile(join(home, 'logs', 'defects.log'), 'utf8')).toContain('x is undefined');
    await expect(readFile(join(folder, '.harness', 'logs', 'defects.log'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('an abort after an interruption is an interruption, before it a defect', async () => {
    const aborting: Command = () => Promise.reject(new DOMException('stopped', 'AbortError'));
    expect((await run(aborting, ['look'], {}, { signal: AbortSignal.abort() })).code).toBe(130);
    expect((await run(aborting, ['look'])).code).toBe(1);
  });

  test('a directory that is not there and a broken answers file stop the command before it starts', async () => {
    let started = false;
    const command: Command = async () => ((started = true), { exitCode: EXIT.done });
    await writeFile(join(folder, 'answers.json'), '{');
    expect((await run(command, ['look', '--cwd', 'nowhere'])).code).toBe(2);
    expect((await run(command, ['look', '--answers', 'answers.json'])).code).toBe(2);
    expect(started).toBe(false);
  });
});

describe('the project', () => {
  const rootOf = async (argv: string[], row: Partial<CommandRow> = {}): Promise<Partial<CommandContext>> => {
    let seen: Partial<CommandContext> = {};
    await run(async ({ cwd, root, stateDir }) => ((seen = { cwd, root, stateDir }), { exitCode: EXIT.done }), argv, row);
    return seen;
  };

  test('is found from a directory inside it', async () => {
    const inner = join(folder, 'a', 'b');
    await mkdir(inner, { recursive: true });
    await writeFile(join(folder, '.harness.yaml'), '');
    expect(await rootOf(['look', '--cwd', inner])).toEqual({ cwd: inner, root: folder, stateDir: join(folder, '.harness') });
    expect(await rootOf(['look', '--cwd', inner], { startsProject: true })).toMatchObject({ root: inner });
  });

  test('may keep its state elsewhere, and broken settings do not stop a look', async () => {
    await writeFile(join(folder, '.harness.yaml'), 'project: { name: x }\ntesting: { full: "true" }\npaths: { state_dir: .state }\n');
    expect(await rootOf(['look'])).toMatchObject({ stateDir: join(folder, '.state') });
    await writeFile(join(folder, '.harness.yaml'), 'state_dir: [');
    expect(await rootOf(['look'])).toMatchObject({ stateDir: join(folder, '.harness') });
  });

  test('is never one outside the repository', async () => {
    const inner = join(folder, 'other');
    await mkdir(join(inner, '.git'), { recursive: true });
    await writeFile(join(folder, '.harness.yaml'), '');
    expect(await rootOf(['look', '--cwd', inner])).toMatchObject({ root: inner });
  });
});

test('a question that nobody answers waits under gates, and --answers answers it', async () => {
  const asking: Command = async ({ asker, output }) => {
    const answer = await asker.ask({
      id: 'project.override',
      header: 'Override',
      question: 'Sure?',
      options: [{ label: 'Yes', description: '', recommended: false }],
      non_negotiable: true,
      context: [],
    });
    output.object({ answer }, '');
    return { exitCode: answer === 'pending' ? EXIT.waiting : EXIT.done };
  };
  expect((await run(asking, ['look', '--yes'])).code).toBe(8);
  await writeFile(join(folder, 'answers.json'), '{"project.override": "yes"}');
  expect((await run(asking, ['look', '--answers', 'answers.json', '--json'])).stdout).toContain(
    '"answer":{"option":"Yes","text":null,"by":"answers"}',
  );
});
