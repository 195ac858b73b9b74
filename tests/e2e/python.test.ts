/** Python projects as people have them: a virtual environment with an editable installation, packages that are missing, new requirements. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commitAll, eventsOf, git, harness, makeScene, read, type Run, type Scene, write } from './support.ts';

const python = hasPytest();

const FEATURE = { id: 1, description: 'subtract(a, b) subtracts', test_file: 'tests/test_subtract.py', passes: false };
const list = (passes: boolean): string => JSON.stringify({ project: 'calc', features: [{ ...FEATURE, passes }] }, null, 2);
const PYPROJECT = `[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "calc"
version = "1"
dependencies = []
[dependency-groups]
test = ["pytest>=7", "testkit"]
[tool.setuptools]
package-dir = {calc = "lib/code"}
`;
const FILES = {
  'pyproject.toml': PYPROJECT,
  'lib/code/__init__.py': '',
  'lib/code/add.py': 'def add(a, b):\n    return a + b\n',
  'tests/test_add.py': 'import testkit\nfrom calc.add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n',
  'features.json': list(false),
  '.gitignore': '.venv/\n',
};
const AGENT = `set -e
printf 'def subtract(a, b):\\n    return a - b\\n' > lib/code/subtract.py
printf 'from calc.subtract import subtract\\n\\ndef test_subtract():\\n    assert subtract(5, 2) == 3\\n\\ndef test_negative():\\n    assert subtract(2, 5) == -3\\n' > tests/test_subtract.py
sed -i 's/"passes": *false/"passes": true/' features.json
`;

/** A virtual environment beside the interpreter's packages, with one more package and an editable installation of the project. */
async function makeEnvironment(scene: Scene, packages: Readonly<Record<string, string>>): Promise<void> {
  execFileSync('python3', ['-m', 'venv', '--system-site-packages', '--without-pip', '.venv'], { cwd: scene.project });
  const version = readdirSync(join(scene.project, '.venv/lib'))[0]!;
  const finder = `import sys
from importlib.util import spec_from_file_location
class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == 'calc': return spec_from_file_location(name, '${scene.project}/lib/code/__init__.py', submodule_search_locations=['${scene.project}/lib/code'])
sys.meta_path.append(Finder)
`;
  const files = { ...packages, '_editable_calc.py': finder, 'calc.pth': 'import _editable_calc\n' };
  for (const [path, text] of Object.entries(files)) {
    const file = join(scene.project, '.venv/lib', version, 'site-packages', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

async function projectFor(agent: string, more: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const scene = await makeScene({ ...FILES, ...more });
  await writeFile(join(scene.folder, 'agent.sh'), agent);
  return scene;
}

const init = (scene: Scene): Promise<Run> =>
  harness(scene, 'init', '--features', 'features.json', '--agent', 'command', '--agent-command', `sh "${scene.folder}/agent.sh"`);

/** Plugins of the machine cost each run seconds. */
async function withoutPlugins(scene: Scene): Promise<void> {
  await write(scene, {
    '.harness.yaml': `project:\n  name: calc\ntesting:\n  full: PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 pytest\nverification:\n  require_evidence: false\n  examiner: off\nagent:\n  backend: command\n  command: sh "${scene.folder}/agent.sh"\n`,
  });
  await commitAll(scene, 'Settings');
}

test.runIf(python)('what is missing is named with the group that declares it and the command, and installing it is enough', async () => {
  const scene = await projectFor('exit 0');
  execFileSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: scene.project });
  const first = await init(scene);
  expect(first.code, first.stderr).toBe(6);
  expect(first.stderr).toContain(
    `pytest is not installed in .venv. It is declared in the group "test" of pyproject.toml. Run: .venv/bin/python -m pip install 'pytest>=7' testkit`,
  );
  await rm(join(scene.project, '.venv'), { recursive: true });
  await makeEnvironment(scene, {});
  const second = await init(scene);
  expect(second.code, second.stderr).toBe(6);
  expect(second.stderr).toContain('testkit is not installed in .venv. It is declared in the group "test" of pyproject.toml.');
  await makeEnvironment(scene, { 'testkit.py': '' });
  const third = await init(scene);
  expect(third.code, third.stderr).toBe(0);
  expect(third.stderr + third.stdout).toContain('1 of 1 tests pass');
  // Later the package goes: no agent is started for a verdict that could only fail.
  const version = readdirSync(join(scene.project, '.venv/lib'))[0]!;
  await rm(join(scene.project, '.venv'), { recursive: true });
  execFileSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: scene.project });
  expect(version).toMatch(/^python3/);
  const run = await harness(scene, 'run', '--json');
  expect(run.code, run.stderr).toBe(6);
  expect(run.stdout).toContain('pytest is not installed in .venv.');
  expect(eventsOf(run, 'session.start')).toEqual([]);
});

test.runIf(python)('agent and judge have the same environment, and the code of the copy in place of the installed folder', async () => {
  const look = `python -c 'import sys, calc.subtract; print(sys.prefix, calc.subtract.subtract(5, 2))' > look.txt
env -i .venv/bin/python -c 'import sys, calc.subtract; print(sys.prefix, calc.subtract.subtract(5, 2))' >> look.txt
(touch .venv/x 2>/dev/null && echo written || echo read-only) >> look.txt
`;
  const scene = await projectFor(
    `${AGENT}${look}PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 pytest tests/test_subtract.py || python -m pytest tests/test_subtract.py`,
  );
  await withoutPlugins(scene);
  await makeEnvironment(scene, { 'testkit.py': '' });
  expect((await init(scene)).code).toBe(0);
  const run = await harness(scene, 'run', '--json');
  expect(run.code, run.stdout.slice(-3000) + run.stderr).toBe(0);
  expect(run.last).toMatchObject({ outcome: 'verified' });
  const prefix = join(scene.project, '.venv');
  const kept = await lookOf(scene);
  const workspace = eventsOf(run, 'session.start')[0]?.['workspace'] as string;
  expect(kept.split('\n')).toEqual([`${prefix} 3`, `${workspace}/.venv 3`, 'read-only']);
  expect(await read(scene, 'lib/code/subtract.py')).toContain('a - b');
});

/** Scratch files of the agent stay out of the commit and are kept with the candidate. */
async function lookOf(scene: Scene): Promise<string> {
  const refs = (await git(scene, 'for-each-ref', '--format=%(refname)', 'refs/harness')).split('\n');
  for (const ref of refs) {
    const text = await git(scene, 'show', `${ref}:look.txt`).catch(() => '');
    if (text !== '') return text;
  }
  return '';
}

test.runIf(python)('an environment that the repository brings is never started outside the sandbox', async () => {
  const scene = await projectFor('exit 0', { 'tools/bin/python': '#!/bin/sh\ntouch "$(dirname "$0")/../../../ran"\nexit 1\n' });
  await write(scene, { '.gitignore': '', '.venv/pyvenv.cfg': 'home = /usr/bin\n' });
  await mkdir(join(scene.project, '.venv/bin'), { recursive: true });
  await symlink('../../tools/bin/python', join(scene.project, '.venv/bin/python'));
  await git(scene, 'update-index', '--chmod=+x', 'tools/bin/python');
  execFileSync('chmod', ['+x', join(scene.project, 'tools/bin/python')]);
  await writeFile(join(scene.project, 'tests/test_add.py'), 'from calc.add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n');
  await commitAll(scene, 'An environment in the tree');
  await init(scene);
  expect(readdirSync(scene.folder)).not.toContain('ran');
  // Untracked, its interpreter is still a program of the repository.
  await git(scene, 'rm', '-rq', '--cached', '.venv');
  await git(scene, 'commit', '-qm', 'Untracked');
  await init(scene);
  expect(readdirSync(scene.folder)).not.toContain('ran');
});

test.runIf(python)('a new requirement that is not installed is a result with the command, and the project goes on', async () => {
  const scene = await projectFor(`${AGENT}sed -i 's/dependencies = \\[\\]/dependencies = ["newkit"]/' pyproject.toml
printf 'import newkit\\n\\ndef subtract(a, b):\\n    return newkit.minus(a, b)\\n' > lib/code/subtract.py\n`);
  await withoutPlugins(scene);
  await makeEnvironment(scene, { 'testkit.py': '' });
  expect((await init(scene)).code).toBe(0);
  const run = await harness(scene, 'run', '--json');
  expect(run.code, run.stdout + run.stderr).toBe(4);
  expect(run.stdout).toContain(
    'newkit is not installed in .venv. It is declared in pyproject.toml. Run: .venv/bin/python -m pip install -e .',
  );
  const next = await harness(scene, 'run', '--dry-run', '--json');
  expect(next.code, next.stderr).toBe(0);
});

function hasPytest(): boolean {
  try {
    execFileSync('python3', ['-c', 'import pytest'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
