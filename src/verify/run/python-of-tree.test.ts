/** Environments with editable installations of the user's own folder: the tree of the room is what tests see. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestRun } from '../../domain/verdict.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { createBench, type Bench, type FileTable, type SettingsPatch } from '../test-support.ts';
import { fileCache } from '../memory/cache.ts';
import { findPython } from './programs.ts';
import { runRoomCommand } from './room-command.ts';
import { runSuite } from './suite.ts';

const python = await findPython(nodePlatform());
let bench: Bench;
let home: string;
let packages: string;

const PROJECT: FileTable = {
  'pyproject.toml':
    '[build-system]\nrequires = ["setuptools"]\n[project]\nname = "calc"\nversion = "1"\n[tool.setuptools]\npackage-dir = {calc = "lib/code"}\n',
  'lib/code/__init__.py': 'WHERE = "tree"\n',
  'tests/test_a.py': `import calc, os, subprocess, sys
def test_here(): assert calc.WHERE == 'tree'
def test_child():
    said = subprocess.run([sys.executable, '-c', 'import calc; print(calc.WHERE)'], env={}, capture_output=True, text=True)
    assert said.stdout.strip() == 'tree', said.stderr
def test_read_only():
    try: open(os.path.join(sys.prefix, 'x'), 'w')
    except OSError: return
    assert False, 'the environment was written to'
`,
};
const put = (folder: string, files: FileTable): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text as string);
  }
};
/** As setuptools writes it for a package that is mapped to a folder. */
const finder = (): FileTable => ({
  '__editable__.calc-1.pth': 'import __editable___calc_1_finder; __editable___calc_1_finder.install()',
  '__editable___calc_1_finder.py': `import sys
from importlib.util import spec_from_file_location
class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == 'calc': return spec_from_file_location(name, '${home}/lib/code/__init__.py', submodule_search_locations=['${home}/lib/code'])
def install(): sys.meta_path.append(Finder)
`,
});

beforeAll(async () => {
  bench = await createBench();
  home = join(bench.folder, 'a home');
  put(home, { ...PROJECT, 'lib/code/__init__.py': 'WHERE = "home"\n' });
  execFileSync('git', ['init', '-q'], { cwd: home });
  execFileSync(python ?? 'python3', ['-m', 'venv', '--system-site-packages', '--without-pip', '.venv'], { cwd: home });
  execFileSync('git', ['add', 'lib', 'tests', 'pyproject.toml'], { cwd: home });
  packages = join(home, '.venv/lib', readdirSync(join(home, '.venv/lib'))[0]!, 'site-packages');
});
afterAll(() => bench.dispose());

async function suite(
  files: FileTable,
  settings: SettingsPatch = { testing: { full: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 pytest' } },
): Promise<TestRun> {
  return await runSuite(bench.platform, { ...bench.context(settings), checkout: home, tree: await bench.tree(files) });
}
const statuses = (run: TestRun): Record<string, string> => Object.fromEntries(run.tests.map((one) => [one.name, one.status]));

test.runIf(python !== null)('an editable installation of the own folder leads to the tree of the room, also in bare children', async () => {
  put(packages, finder());
  const run = await suite(PROJECT);
  expect(run).toMatchObject({ sandboxed: true, problems: [] });
  expect(run.command[0]).toBe(join(home, '.venv/bin/python'));
  expect(statuses(run)).toEqual({ test_here: 'passed', test_child: 'passed', test_read_only: 'passed' });
  const broken = await suite({ ...PROJECT, 'lib/code/__init__.py': 'WHERE = "candidate"\n' });
  expect(statuses(broken)).toMatchObject({ test_here: 'failed', test_child: 'failed' });
});

test.runIf(python !== null)('commands beside the tests have the same programs and the same code', async () => {
  put(join(home, '.venv/bin'), { 'own-lint': '#!/bin/sh\nexec "$(dirname "$0")/python" -c "import calc; print(calc.WHERE)"\n' });
  execFileSync('chmod', ['+x', join(home, '.venv/bin/own-lint')]);
  const context = {
    ...bench.context({ testing: { full: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 pytest' } }),
    checkout: home,
    tree: await bench.tree(PROJECT),
  };
  const result = await runRoomCommand(bench.platform, {
    ...context,
    command: 'own-lint && .venv/bin/own-lint && env -i .venv/bin/own-lint',
  });
  expect(result).toMatchObject({ exit_code: 0, sandboxed: true });
  expect(result.output_tail.trim()).toBe('tree\ntree\ntree');
});

test.runIf(python !== null)('an environment that the tree brings is never started', async () => {
  const marked = '#!/bin/sh\necho ran >> "$HOME/../ran"; echo /usr/bin/python3\n';
  const files = { ...PROJECT, '.venv/pyvenv.cfg': 'home = /usr/bin\n', '.venv/bin/python': marked };
  const run = await suite(files);
  expect(run.command[0]).not.toContain('.venv');
});

test.runIf(python !== null)('a kept result is forgotten once a package is installed or removed', async () => {
  put(packages, finder());
  const cache = fileCache(bench.platform, join(bench.folder, 'results'));
  const tree = await bench.tree({ ...PROJECT, 'tests/test_a.py': 'def test_a(): import extra\n' });
  const once = async (): Promise<TestRun> =>
    await runSuite(bench.platform, {
      ...bench.context({ testing: { full: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 pytest' } }),
      checkout: home,
      tree,
      cache,
    });
  put(packages, { 'extra/__init__.py': '' });
  expect(statuses(await once())).toEqual({ test_a: 'passed' });
  rmSync(join(packages, 'extra'), { recursive: true });
  expect(statuses(await once())).toEqual({ test_a: 'failed' });
});
