/** The same honest session, proved by pytest, vitest and jest; and what a command that is only run can be trusted with. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { setAgent } from './calculator.ts';
import { packageFiles } from './lockfile.ts';
import { eventsOf, git, harness, makeScene, read, type Scene } from './support.ts';

describe.runIf(hasPytest())('where pytest is installed', () => {
  const files = {
    'calc/__init__.py': '',
    'calc/add.py': 'def add(a, b):\n    return a + b\n',
    'tests/test_add.py': 'from calc.add import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n',
    'pytest.ini': '[pytest]\npythonpath = .\n',
    'features.json': listOf('tests/test_add.py', 'tests/test_subtract.py'),
    '.gitignore': '__pycache__/\n.pytest_cache/\n',
  };
  const work = `printf 'def subtract(a, b):\\n    return a - b\\n' > calc/subtract.py
printf 'from calc.subtract import subtract\\n\\n\\ndef test_subtract():\\n    assert subtract(5, 2) == 3\\n' > tests/test_subtract.py`;

  test('an honest agent is accepted', async () => {
    const scene = await adopted(files, `${work}\npython3 -m pytest -q tests/test_subtract.py`);
    await expectVerified(scene, ['calc/subtract.py', 'features.json', 'tests/test_subtract.py']);
  });

  test.runIf(isLong)('a broken accepted feature is a regression, a lie a failed test', async () => {
    const broken = await adopted(
      files,
      `${work}\npython3 -m pytest tests/test_subtract.py\nprintf 'def add(a, b):\\n    return 0\\n' > calc/add.py`,
    );
    expect(await harness(broken, 'run', '--json')).toMatchObject({ code: 4, last: { reasons: ['regression'] } });
    const lie = await adopted(
      files,
      `${work}\nprintf 'def subtract(a, b):\\n    return 0\\n' > calc/subtract.py\necho tests/test_subtract.py; echo '1 passed in 0.01s'`,
    );
    expect(await harness(lie, 'run', '--json')).toMatchObject({ code: 4, last: { reasons: ['test.failed'] } });
  });
});

test('an honest agent is accepted by vitest', { timeout: 240_000 }, async () => {
  const files = {
    ...(await packageFiles('vitest', { type: 'module', scripts: { test: 'vitest run' } })),
    'src/add.js': 'export const add = (a, b) => a + b;\n',
    'test/add.test.js':
      "import { expect, test } from 'vitest';\nimport { add } from '../src/add.js';\ntest('add', () => expect(add(1, 2)).toBe(3));\n",
    'features.json': listOf('test/add.test.js', 'test/subtract.test.js'),
    '.gitignore': 'node_modules/\n',
  };
  const work = `echo 'export const subtract = (a, b) => a - b;' > src/subtract.js
sed 's/add/subtract/g; s/1, 2)).toBe(3)/5, 2)).toBe(3)/' test/add.test.js > test/subtract.test.js
npx vitest run test/subtract.test.js`;
  const scene = await adopted(files, work);
  await expectVerified(scene, ['features.json', 'src/subtract.js', 'test/subtract.test.js']);
});

test('an honest agent is accepted by jest', { timeout: 240_000 }, async () => {
  const files = {
    ...(await packageFiles('jest', { scripts: { test: 'jest' } })),
    'src/add.js': 'exports.add = (a, b) => a + b;\n',
    'test/add.test.js': "const { add } = require('../src/add.js');\ntest('add', () => expect(add(1, 2)).toBe(3));\n",
    'features.json': listOf('test/add.test.js', 'test/subtract.test.js'),
    '.gitignore': 'node_modules/\n',
  };
  const work = `echo 'exports.subtract = (a, b) => a - b;' > src/subtract.js
sed 's/add/subtract/g; s/1, 2)).toBe(3)/5, 2)).toBe(3)/' test/add.test.js > test/subtract.test.js
npx jest test/subtract.test.js 2>&1`;
  const scene = await adopted(files, work);
  await expectVerified(scene, ['features.json', 'src/subtract.js', 'test/subtract.test.js']);
});

test('a script behind the script of the test command is run as it was before the session', async () => {
  const files = {
    '.harness.yaml': `project:
  name: calculator
testing:
  full: sh run.sh
  feature: sh run.sh {test_file}
agent:
  backend: command
  command: sh "$HOME/agent.sh"
`,
    'run.sh': '. scripts/all.sh\nrun_all "$@"\n',
    'scripts/all.sh': 'run_all() { for file in ${1:-tests/*.sh}; do sh "$file" || exit 1; done; }\n',
    'src/add.sh': 'echo $(($1 + $2))\n',
    'tests/add.sh': 'test "$(sh src/add.sh 1 2)" = 3\n',
    'features.json': listOf('tests/add.sh', 'tests/subtract.sh'),
  };
  const work = `echo 'echo 0' > src/subtract.sh
echo 'test "$(sh src/subtract.sh 5 2)" = 3' > tests/subtract.sh
echo 'run_all() { true; }' > scripts/all.sh
echo tests/subtract.sh; echo '1..1'; echo 'ok 1 - subtract'; echo '# pass 1'; echo '# fail 0'`;
  const run = await harness(await adopted(files, work), 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 8, last: { reasons: ['tamper.test_config', 'test.failed', 'regression'] } });
});

function listOf(accepted: string, open: string): string {
  const features = [
    { id: 1, description: 'A user adds two numbers', test_file: accepted, passes: true },
    { id: 2, description: 'A user subtracts two numbers', test_file: open, passes: false },
  ];
  return `${JSON.stringify({ project: 'calculator', features }, null, 2)}\n`;
}

async function adopted(files: Readonly<Record<string, string>>, work: string): Promise<Scene> {
  const scene = withPackageManager(await makeScene(files));
  await setAgent(scene, `set -e\n${work}\nsed -i 's/"passes": false/"passes": true/' features.json`);
  const run = await harness(
    scene,
    'init',
    '--features',
    'features.json',
    '--agent',
    'command',
    '--agent-command',
    'sh "$HOME/agent.sh"',
    '--json',
  );
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(await read(scene, '.harness/test_baseline.json'))).toMatchObject({ total_passing: 1 });
  return scene;
}

async function expectVerified(scene: Scene, changed: readonly string[]): Promise<void> {
  const before = await git(scene, 'rev-parse', 'HEAD');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { type: 'end', outcome: 'verified', feature: 2 } });
  expect(eventsOf(run, 'session.end')).toMatchObject([{ outcome: 'verified' }]);
  expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(before);
  expect((await git(scene, 'diff', '--name-only', 'HEAD^', 'HEAD')).split('\n')).toEqual(changed);
  expect(await git(scene, 'status', '--porcelain')).toBe('');
}

/** A user whose package manager is set up: its settings and cache are those of whoever runs the tests. */
function withPackageManager(scene: Scene): Scene {
  const ask = (key: string): string =>
    execFileSync('npm', ['config', 'get', key], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const settings = {
    npm_config_cache: ask('cache'),
    npm_config_userconfig: ask('userconfig'),
    npm_config_registry: ask('registry'),
    npm_config_prefer_offline: 'true',
  };
  return { ...scene, env: { ...scene.env, ...settings } };
}

function hasPytest(): boolean {
  try {
    execFileSync('python3', ['-c', 'import pytest'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
