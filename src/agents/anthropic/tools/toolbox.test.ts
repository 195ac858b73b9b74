import { chmod, link, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../../../platform/bubblewrap.ts';
import type { AgentTask } from '../../contract.ts';
import { bench, type Bench } from '../../test-support.ts';
import { deniedBy } from './shell.ts';
import type { ToolOutcome } from './tool.ts';
import { toolbox } from './toolbox.ts';

let at: Bench;
let inside: (path: string) => string;
beforeEach(async () => {
  at = await bench();
  inside = (path) => join(at.task.workspace, path);
});
afterEach(() => at.remove());

function use(name: string, input: Record<string, unknown>, task: AgentTask = at.task): Promise<ToolOutcome> {
  return toolbox(task.tools).run(
    { platform: at.platform, task, signal: new AbortController().signal },
    { type: 'tool_use', id: 'x', name, input },
  );
}

describe('paths', () => {
  const outside = (): string => join(at.task.workspace, '..', 'home', 'secret');

  test.each([
    '../home/secret',
    '/etc/passwd',
    'src/../../home/secret',
    '.git/config',
    '.harness/state.json',
    './.git/../.git/x',
    'a\0b',
    '',
  ])('%j is closed for reading and writing', async (path) => {
    await writeFile(outside(), 'secret');
    await mkdir(inside('src'));
    await mkdir(inside('.git'));
    await writeFile(inside('.git/config'), 'git');
    expect((await use('read_file', { path })).ok).toBe(false);
    expect((await use('write_file', { path, content: 'x' })).ok).toBe(false);
    expect(await readFile(outside(), 'utf8')).toBe('secret');
    expect(await readFile(inside('.git/config'), 'utf8')).toBe('git');
  });

  test('links that leave the workspace are refused, for files, folders and names that do not exist yet', async () => {
    await writeFile(outside(), 'secret');
    await symlink(outside(), inside('file-link'));
    await symlink('../home', inside('folder-link'));
    await symlink('../home/not-yet', inside('dangling'));
    for (const path of ['file-link', 'folder-link/secret', 'folder-link/new', 'folder-link/deep/new', 'dangling']) {
      const read = await use('read_file', { path });
      expect(read.ok).toBe(false);
      expect(read.output).not.toContain('secret\n');
      expect((await use('write_file', { path, content: 'changed' })).ok).toBe(false);
      expect((await use('edit_file', { path, old_string: 'secret', new_string: 'changed' })).ok).toBe(false);
    }
    expect(await readFile(outside(), 'utf8')).toBe('secret');
    expect((await use('list_files', { path: 'folder-link' })).ok).toBe(false);
    expect((await use('search', { pattern: 'secret' })).output).toBe('no matches');
    expect((await use('search', { pattern: 'secret', path: 'folder-link' })).ok).toBe(false);
  });

  test('a link to a closed folder inside the workspace is closed too', async () => {
    await mkdir(inside('.git'));
    await symlink('.git', inside('innocent'));
    expect((await use('write_file', { path: 'innocent/config', content: 'x' })).ok).toBe(false);
  });

  test('a closed name stays closed when it is a link to an open folder', async () => {
    await mkdir(inside('src'));
    await symlink('src', inside('.harness'));
    expect((await use('write_file', { path: '.harness/state.json', content: 'x' })).ok).toBe(false);
  });

  test('a folder that becomes a link between the check and the access leads nowhere', async () => {
    await writeFile(outside(), 'secret');
    const { files } = at.platform;
    for (const [name, input] of [
      ['read_file', {}],
      ['write_file', { content: 'changed' }],
      ['edit_file', { old_string: 'secret', new_string: 'changed' }],
    ] as const) {
      await rm(inside('src'), { recursive: true, force: true });
      await mkdir(inside('src'));
      await writeFile(inside('src/secret'), 'plain');
      // What the project's environment does beside the agent, at the worst moment.
      const lstat: typeof files.lstat = async (path) => {
        const stat = await files.lstat(path);
        await rm(inside('src'), { recursive: true, force: true });
        await symlink('../home', inside('src'));
        return stat;
      };
      const task = { ...at.task };
      const context = { platform: { ...at.platform, files: { ...files, lstat } }, task, signal: new AbortController().signal };
      const used = await toolbox(task.tools).run(context, { type: 'tool_use', id: 'x', name, input: { path: 'src/secret', ...input } });
      expect(used, name).toMatchObject({ ok: false });
      expect(used.output).not.toContain('secret\n');
    }
    expect(await readFile(outside(), 'utf8')).toBe('secret');
  });

  test('links inside the workspace are followed', async () => {
    await mkdir(inside('src'));
    await symlink('src', inside('alias'));
    expect((await use('write_file', { path: 'alias/a.txt', content: 'text' })).ok).toBe(true);
    expect(await readFile(inside('src/a.txt'), 'utf8')).toBe('text');
  });

  test('the temporary directory and the role’s output file are open, their neighbours are not', async () => {
    const output = join(at.task.workspace, '..', 'home', 'plan.json');
    const task = { ...at.task, outputFile: output };
    expect((await use('write_file', { path: output, content: '{}' }, task)).ok).toBe(true);
    expect((await use('write_file', { path: join(output, '..', 'other.json'), content: '{}' }, task)).ok).toBe(false);
    expect((await use('write_file', { path: join(at.task.temporary, 'note'), content: 'x' })).ok).toBe(true);
  });

  test('only allowed paths are open where some are named', async () => {
    const filesystem = { enabled: true, allowed_paths: ['src/', 'docs/*.md'], denied_paths: [] };
    const task = { ...at.task, tools: { ...at.task.tools, filesystem } };
    expect((await use('write_file', { path: 'src/deep/a.js', content: '' }, task)).ok).toBe(true);
    expect((await use('write_file', { path: 'docs/a.md', content: '' }, task)).ok).toBe(true);
    expect((await use('write_file', { path: 'srcs/a.js', content: '' }, task)).ok).toBe(false);
  });
});

describe('files', () => {
  test('an edit needs exactly one match, unless all are meant', async () => {
    await writeFile(inside('a.txt'), 'x y x');
    expect(await use('edit_file', { path: 'a.txt', old_string: 'x', new_string: 'z' })).toMatchObject({
      ok: false,
      output: expect.stringContaining('2 times'),
    });
    expect(await use('edit_file', { path: 'a.txt', old_string: 'q', new_string: 'z' })).toMatchObject({ ok: false });
    expect((await use('edit_file', { path: 'a.txt', old_string: 'x', new_string: 'z', replace_all: true })).ok).toBe(true);
    expect(await readFile(inside('a.txt'), 'utf8')).toBe('z y z');
  });

  test('a written file keeps its mode', async () => {
    await writeFile(inside('run.sh'), 'old');
    await chmod(inside('run.sh'), 0o755);
    await use('write_file', { path: 'run.sh', content: 'new' });
    expect((await stat(inside('run.sh'))).mode & 0o777).toBe(0o755);
  });

  test('writing to a hard link leaves the other name alone', async () => {
    const other = join(at.task.workspace, '..', 'home', 'original');
    await writeFile(other, 'original');
    await link(other, inside('hard'));
    await use('write_file', { path: 'hard', content: 'changed' });
    expect(await readFile(other, 'utf8')).toBe('original');
    expect(await readFile(inside('hard'), 'utf8')).toBe('changed');
  });

  test('a pipe or a huge file is refused instead of being read', async () => {
    await use('shell', { command: 'mkfifo pipe; truncate -s 20M huge' });
    expect((await use('read_file', { path: 'pipe' })).output).toContain('not a regular file');
    expect((await use('read_file', { path: 'huge' })).output).toContain('too many');
    expect((await use('write_file', { path: 'pipe', content: 'x' })).ok).toBe(false);
  });

  test('a long file is shown with its middle left out, and by lines on request', async () => {
    await writeFile(inside('long'), Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`).join('\n'));
    const whole = await use('read_file', { path: 'long' });
    expect(whole.output.length).toBeLessThan(30_300);
    expect(whole.output).toContain('characters left out');
    expect((await use('read_file', { path: 'long', offset: 500, limit: 2 })).output).toBe('line 500\nline 501');
  });

  test('a cut never leaves half a character', async () => {
    await writeFile(inside('emoji'), `a${'🌱'.repeat(20_000)}`);
    const { output } = await use('read_file', { path: 'emoji' });
    expect(Buffer.from(output, 'utf8').toString('utf8')).toBe(output);
  });
});

describe('looking around', () => {
  beforeEach(async () => {
    for (const folder of ['src', 'node_modules', '.git', '.harness']) await mkdir(inside(folder));
    for (const path of ['src/a.ts', 'src/b.js', 'node_modules/c.ts', '.git/d.ts', '.harness/e.ts'])
      await writeFile(inside(path), `const needle = '${path}';\n`);
  });

  test('a search names file, line and text, and leaves closed folders out', async () => {
    expect((await use('search', { pattern: 'need+le' })).output.split('\n').sort()).toEqual([
      "src/a.ts:1:const needle = 'src/a.ts';",
      "src/b.js:1:const needle = 'src/b.js';",
    ]);
    expect((await use('search', { pattern: 'NEEDLE', glob: '*.ts', ignore_case: true })).output).toBe(
      "src/a.ts:1:const needle = 'src/a.ts';",
    );
    expect((await use('search', { pattern: 'needle', path: 'src/b.js' })).output).toContain('src/b.js:1:');
  });

  test('a search pattern is never an option', async () => {
    expect((await use('search', { pattern: '--include=*' })).output).toBe('no matches');
  });

  test('a broken pattern is told as an error', async () => {
    expect((await use('search', { pattern: 'a(' })).ok).toBe(false);
  });

  test('a list leaves closed folders out and takes a glob', async () => {
    expect((await use('list_files', {})).output).toBe('src/a.ts\nsrc/b.js');
    expect((await use('list_files', { glob: '**/*.ts' })).output).toBe('src/a.ts');
    expect((await use('list_files', { path: 'nowhere' })).ok).toBe(false);
  });
});

describe('shell', () => {
  test('a command ends at the time limit, with its children', async () => {
    const begin = performance.now();
    const outcome = await use('shell', { command: 'echo begin; sleep 100 & sleep 100', timeout_seconds: 0.3 });
    expect(outcome).toMatchObject({ ok: false, output: expect.stringMatching(/time limit\nbegin$/) });
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect(await at.platform.processes.findByEnvironment('HARNESS_PROJECT_DIR', at.task.workspace)).toEqual([]);
  });

  test('start-up files of the home directory are not read', async () => {
    await writeFile(join(at.task.env['HOME']!, '.bashrc'), 'echo from the start-up file');
    expect((await use('shell', { command: 'echo mine' })).output).toBe('exit code: 0\nmine');
  });

  test('the project’s limit wins over a longer one', async () => {
    const task = { ...at.task, tools: { ...at.task.tools, shell: { ...at.task.tools.shell, timeout_seconds: 0.3 } } };
    expect((await use('shell', { command: 'sleep 100', timeout_seconds: 1_000 }, task)).output).toContain('after 0.3 seconds');
  });

  test('long output keeps head and tail', async () => {
    const { output } = await use('shell', { command: 'echo HEAD; seq 1 1000000; echo TAIL' });
    expect(output.length).toBeLessThan(31_000);
    expect(output).toContain('HEAD');
    expect(output.endsWith('TAIL')).toBe(true);
  });

  test('denied commands do not start', async () => {
    const outcome = await use('shell', { command: 'touch started; sudo ls' });
    expect(outcome).toMatchObject({ ok: false, output: expect.stringContaining('denied_commands') });
    expect((await use('list_files', {})).output).toBe('no files');
  });

  test.each([
    ['sudo apt install x', 'sudo'],
    ['rm   -rf   /', 'rm -rf /'],
    ['echo x >/dev/sda', '> /dev/'],
    ['echo x > /dev/sda', '> /dev/'],
    ['make 2>/dev/null', null],
    ['ls > /dev/null 2>&1', null],
    ['rm -rf ./build', null],
    ['echo pseudo visudo', null],
    ['cat sudo-notes.txt', null],
  ])('%s falls under %s', (command, rule) => {
    expect(deniedBy(['rm -rf /', 'sudo', '> /dev/'], command)).toBe(rule);
  });

  test('a task with a sandbox runs inside it, or not at all', async () => {
    const sandbox = { writable: [at.task.workspace, at.task.temporary], hidden: [], network: 'host' as const };
    const { hides: available } = await bubblewrapHere();
    const outcome = await use('shell', { command: 'echo in > in.txt; echo out > ../home/out.txt' }, { ...at.task, sandbox });
    expect(outcome.ok).toBe(false);
    expect(await readFile(inside('in.txt'), 'utf8').catch(() => null)).toBe(available ? 'in\n' : null);
    expect(await stat(join(at.task.workspace, '../home/out.txt')).catch(() => null)).toBeNull();
  });
});

test('a policy without shell or files offers no such tools', () => {
  const names = (shell: boolean, filesystem: boolean): string[] =>
    toolbox({
      shell: { ...at.task.tools.shell, enabled: shell },
      filesystem: { ...at.task.tools.filesystem, enabled: filesystem },
    }).definitions.map((definition) => definition.name);
  expect(names(true, true)).toEqual(['shell', 'read_file', 'write_file', 'edit_file', 'search', 'list_files']);
  expect(names(true, false)).toEqual(['shell']);
  expect(names(false, false)).toEqual([]);
});
