import { mkdtempSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Platform } from '../../platform/platform.ts';
import { choosePython, type PythonWish } from './choose-python.ts';

let checkout: string;
let platform: Platform;

/** Programs that answer as an interpreter does, or as a tool does. */
async function program(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

const interpreter = (path: string): Promise<void> => program(path, `case "$2" in *nothing*) exit 1;; esac; echo ${path}`);

beforeAll(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'choose-python-'));
  platform = nodePlatform({ PATH: `${join(checkout, 'bin')}:/usr/bin:/bin`, HOME: checkout });
  for (const path of ['bin/python3', 'bin/python3.99', '.venv/bin/python', 'other/bin/python', 'kept/bin/python'])
    await interpreter(join(checkout, path));
  await writeFile(join(checkout, '.venv/pyvenv.cfg'), 'home = /usr/bin\n');
  await program(join(checkout, 'bin/poetry'), `echo ${join(checkout, 'kept')}`);
  await program(join(checkout, 'bin/pdm'), 'test "$1" = --version');
});
afterAll(() => rm(checkout, { recursive: true, force: true }));

const choose = async (wish: Partial<PythonWish>): Promise<string> => {
  const found = await choosePython(platform, { checkout, program: 'pytest', tool: null, module: 'pytest', paths: ['a.py'], ...wish });
  return ('missing' in found ? found.missing : (found.python ?? 'none')).replaceAll(checkout, '@');
};

test.each<[string, Partial<PythonWish>, string | RegExp]>([
  ["the project's own environment, where the command names none", {}, '@/.venv/bin/python'],
  ['the PATH, where the environment lies in the tree', { paths: ['.venv/bin/python'] }, '@/bin/python3'],
  ['one with a version', { program: 'python3.99' }, '@/bin/python3.99'],
  ['one with a version that is not there', { program: 'python3.98' }, /^python3\.98, which the test command names, is not installed/],
  ['one by its place', { program: 'other/bin/python' }, '@/other/bin/python'],
  ['a runner by its place', { program: './other/bin/pytest' }, '@/other/bin/python'],
  ['one by a place of the tree: never', { program: 'other/bin/python', paths: ['other/bin/python', '.venv/x'] }, '@/bin/python3'],
  ['one by a place outside: never', { program: '../x/bin/python' }, '@/.venv/bin/python'],
  ['the environment that a tool keeps', { tool: 'poetry' }, '@/kept/bin/python'],
  ["the project's own, where the tool is not there", { tool: 'uv' }, '@/.venv/bin/python'],
  ['a tool that is not installed', { tool: 'uv', paths: ['.venv/x'] }, /^uv is not installed here, and the test command needs it/],
  ['a tool without an environment', { tool: 'pdm', paths: ['.venv/x'] }, /^pdm keeps no environment for this project here/],
  [
    'an environment without the runner',
    { tool: 'poetry', module: 'nothing', paths: ['.venv/x'] },
    /^the environment that poetry keeps .* cannot import nothing/,
  ],
  ['the PATH, where there is no checkout', { checkout: null, tool: 'poetry' }, '@/bin/python3'],
])('%s', async (_title, wish, found) => {
  if (typeof found === 'string') expect(await choose(wish)).toBe(found);
  else expect(await choose(wish)).toMatch(found);
});
