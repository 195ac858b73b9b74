import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { translateTool } from './tool-translation.ts';

const tool = (name: string, properties: Record<string, string> = {}): { name: string; properties: Record<string, string> } => ({
  name,
  properties,
});

test('a client with the same tools gets the call as it is', () => {
  const call = { name: 'write_file', input: { path: 'a', content: 'b' } };
  expect(translateTool(call, [tool('shell', { command: 'string' }), tool('write_file')])).toBe(call);
});

test('a shell call is said in the words of each client', () => {
  const call = { name: 'shell', input: { command: 'ls' } };
  expect(translateTool(call, [tool('Bash')])).toEqual({ name: 'Bash', input: { command: 'ls', description: 'Run a command' } });
  expect(translateTool(call, [tool('bash')])).toEqual({ name: 'bash', input: { command: 'ls', description: 'Run a command' } });
  expect(translateTool(call, [tool('exec_command')])).toEqual({ name: 'exec_command', input: { cmd: 'ls' } });
  expect(translateTool(call, [tool('shell', { command: 'array' })])).toEqual({ name: 'shell', input: { command: ['bash', '-c', 'ls'] } });
});

test('an absolute path uses the client’s own file tool', () => {
  const call = { name: 'write_file', input: { path: '/w/a', content: 'b' } };
  expect(translateTool(call, [tool('Bash'), tool('Write')])).toEqual({ name: 'Write', input: { file_path: '/w/a', content: 'b' } });
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-translate-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(name: string, input: Record<string, unknown>): Promise<string> {
  const { input: translated } = translateTool({ name, input }, [tool('exec_command')]);
  return (await promisify(execFile)('/bin/sh', ['-c', String(translated['cmd'])], { cwd: folder })).stdout;
}

test.each(['plain\n', "it's $HOME `x` \\ END_OF_FILE\nEND_OF_FILE\n", 'no line end', "quote ' only", ''])(
  'a write through a shell keeps every byte of %j',
  async (content) => {
    await run('write_file', { path: "deep/it's here.txt", content });
    expect(await readFile(join(folder, "deep/it's here.txt"), 'utf8')).toBe(content);
    expect(await run('read_file', { path: "deep/it's here.txt" })).toBe(content);
  },
);

test('an edit, a list and a search through a shell do what the built-in tools do', async () => {
  await run('write_file', { path: 'once', content: 'a b c' });
  await run('edit_file', { path: 'once', old_string: 'b', new_string: "$& '" });
  expect(await readFile(join(folder, 'once'), 'utf8')).toBe("a $& ' c");
  expect(await run('list_files', {})).toBe('./once\n');
  expect(await run('search', { pattern: 'a .*c' })).toBe("./once:1:a $& ' c\n");
});
