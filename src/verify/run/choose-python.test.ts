import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Platform } from '../../platform/platform.ts';
import { choosePython, type PythonWish } from './choose-python.ts';

let top: string;
let checkout: string;
let platform: Platform;

/** A program that answers as an interpreter does. One that is started leaves a mark, wherever it can. */
async function interpreter(path: string): Promise<void> {
  const file = join(top, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho ran >> ${top}/ran\ncase "$2" in *nothing*) exit 1;; esac\necho ${file}\n`);
  await chmod(file, 0o755);
}

async function environment(path: string): Promise<void> {
  await interpreter(join(path, 'bin/python'));
  await writeFile(join(top, path, 'pyvenv.cfg'), 'home = /usr/bin\n');
}

const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: checkout, stdio: 'ignore' });
const hash = (text: string, bytes = 32): string =>
  createHash('sha256').update(text).digest().subarray(0, bytes).toString('base64url').slice(0, 8);

beforeAll(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'choose-python-')));
  checkout = join(top, 'shop');
  await mkdir(checkout);
  platform = nodePlatform({ PATH: `${join(top, 'bin')}:/usr/bin:/bin`, HOME: top });
  for (const path of ['bin/python3', 'bin/python3.99', 'shop/tools/bin/python']) await interpreter(path);
  for (const path of ['shop/.venv', 'shop/other', 'shop/tracked', 'shop/.tox/py311']) await environment(path);
  await environment(`.cache/pypoetry/virtualenvs/shop-${hash(checkout)}-py3.10`);
  await environment(`.cache/pypoetry/virtualenvs/shop-${hash(checkout)}-py3.9`);
  await writeFile(join(top, '.cache/pypoetry/virtualenvs/envs.toml'), `[shop-${hash(checkout)}]\nminor = "3.9"\npatch = "3.9.2"\n`);
  await environment(`.local/share/virtualenvs/shop-${hash(join(checkout, 'Pipfile'), 6)}`);
  await environment(`.local/share/hatch/env/virtual/shop/${hash(checkout)}/shop`);
  await environment(`.local/share/hatch/env/virtual/shop/${hash(checkout)}/hatch-test.py3.11`);
  await environment('pdm-made');
  await writeFile(join(checkout, '.pdm-python'), `${top}/pdm-made/bin/python\n`);
  await writeFile(join(checkout, 'Pipfile'), '');
  await writeFile(join(checkout, 'pyproject.toml'), '[build-system]\nrequires = []\n[project]\nauthors = [{name = "A"}]\nname = "shop"\n');
  // An environment whose interpreter is a program of the project, and one that is a link to a folder of it.
  await mkdir(join(checkout, 'linked/bin'), { recursive: true });
  await writeFile(join(checkout, 'linked/pyvenv.cfg'), 'home = /usr/bin\n');
  await symlink('../../tools/bin/python', join(checkout, 'linked/bin/python'));
  await symlink('tracked', join(checkout, 'alias'));
  git('init', '-q');
  git('add', '-f', 'tracked', 'tools', 'pyproject.toml', 'Pipfile');
});
afterAll(() => rm(top, { recursive: true, force: true }));

const choose = async (wish: Partial<PythonWish>, env: Record<string, string> = {}): Promise<string> => {
  const own = Object.keys(env).length === 0 ? platform : nodePlatform({ ...platform.env, ...env });
  const found = await choosePython(own, { checkout, program: 'pytest', tool: null, module: 'pytest', paths: ['a.py'], ...wish });
  return ('missing' in found ? found.missing : (found.python ?? 'none')).replaceAll(top, '@');
};
const WITHOUT_VENV = { paths: ['.venv/x'] };

test.each<[string, Partial<PythonWish>, string | RegExp]>([
  ["the project's own environment, where the command names none", {}, '@/shop/.venv/bin/python'],
  ['another one, where the environment is in the tree', WITHOUT_VENV, /pypoetry/],
  ['one with a version', { program: 'python3.99' }, '@/bin/python3.99'],
  ['one with a version that is not there', { program: 'python3.98' }, /^python3\.98, which the test command names, is not installed/],
  ['one by its place', { program: 'other/bin/python' }, '@/shop/other/bin/python'],
  ['a runner by its place', { program: './other/bin/pytest' }, '@/shop/other/bin/python'],
  ['one by a place of the tree: never', { program: 'other/bin/python', paths: ['other/bin/python'] }, '@/shop/.venv/bin/python'],
  ['one by a place outside: never', { program: '../x/bin/python' }, '@/shop/.venv/bin/python'],
  [
    'one that git tracks, by its place: never',
    { program: 'tracked/bin/python' },
    /^tracked\/bin\/python, which .* is not a virtual environment of your own/,
  ],
  [
    'a link to one that git tracks: never',
    { program: 'alias/bin/python' },
    /^alias\/bin\/python, which .* is not a virtual environment of your own/,
  ],
  [
    'a link to a program of the project: never',
    { program: 'linked/bin/python' },
    /^linked\/bin\/python, which .* is not a virtual environment of your own/,
  ],
  [
    'what poetry keeps, in the version that is active',
    { tool: 'poetry' },
    /^@\/\.cache\/pypoetry\/virtualenvs\/shop-.{8}-py3\.9\/bin\/python$/,
  ],
  ['what pipenv keeps', { tool: 'pipenv' }, /^@\/\.local\/share\/virtualenvs\/shop-.{8}\/bin\/python$/],
  [
    'what hatch keeps for tests',
    { tool: 'hatch' },
    /^@\/\.local\/share\/hatch\/env\/virtual\/shop\/.{8}\/hatch-test\.py3\.11\/bin\/python$/,
  ],
  ['what pdm uses', { tool: 'pdm' }, '@/pdm-made/bin/python'],
  ['what tox made', { tool: 'tox' }, '@/shop/.tox/py311/bin/python'],
  ['the .venv of uv', { tool: 'uv' }, '@/shop/.venv/bin/python'],
  ['an environment without the runner', { module: 'nothing' }, 'nothing is not installed in .venv'],
  ['the PATH, where there is no checkout', { checkout: null, tool: 'poetry' }, '@/bin/python3'],
])('%s', async (_title, wish, found) => {
  if (typeof found === 'string') expect(await choose(wish)).toBe(found);
  else expect(await choose(wish)).toMatch(found);
});

test('the activated environment, and the one that uv was given', async () => {
  await environment('activated');
  const lone = join(top, 'lone');
  await mkdir(lone);
  expect(await choose({ checkout: lone }, { VIRTUAL_ENV: join(top, 'activated') })).toBe('@/activated/bin/python');
  expect(await choose({ checkout: lone }, { UV_PROJECT_ENVIRONMENT: join(top, 'activated') })).toBe('@/activated/bin/python');
  expect(await choose({ checkout: lone, tool: 'poetry' })).toBe('poetry keeps no environment for this project here');
  expect(await choose({ checkout: lone })).toBe('@/bin/python3');
});

test('an interpreter that is asked can write nothing where there is a sandbox', async () => {
  expect((await platform.sandbox()).hides).toBe(true);
  await rm(join(top, 'ran'), { force: true });
  const own = nodePlatform({ ...platform.env });
  await choosePython(own, { checkout, program: 'pytest', tool: null, module: 'pytest', paths: ['a.py'] });
  expect(await platform.files.exists(join(top, 'ran'))).toBe(false);
});
