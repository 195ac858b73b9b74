/**
 * Projects as real tools make them: adopted with `init --features`, one cheating session refused and one honest session verified in each.
 *
 * The long run alone: tools and packages come from npm. What a machine lacks of Python's tools is left out, and named where it is left out.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { installedPackages } from '../../src/verify/test-support-packages.ts';
import { setAgent } from './calculator.ts';
import { commitAll, git, harness, makeScene, read, type Scene } from './support.ts';

interface Shape {
  /** Packages of npm that hold the tools. */
  tools: readonly string[];
  /** Programs that the machine has to have. */
  needs: readonly string[];
  files: Readonly<Record<string, string>>;
  /** In the project, before its first commit. */
  setUp: string;
  /** Accepted and open test file. */
  tests: readonly [string, string];
  honest: string;
  cheat: string;
}

const shell = (files: Readonly<Record<string, string>>, run: string): string =>
  `${Object.entries(files)
    .map(([path, text]) => `mkdir -p "$(dirname ${path})"\ncat > ${path} <<'END'\n${text}END\n`)
    .join('')}${run} 2>&1`;

const SUBTRACT = 'export const subtract = (a, b) => a - b;\n';
const WRONG = 'export const subtract = () => 0;\n';

interface Script {
  manifest: object;
  /** In front of `src` and `test`. */
  at?: string;
  more?: Readonly<Record<string, string>>;
  tools?: readonly string[];
  setUp: string;
  run: string;
  ending?: string;
  /** A test about `left` being `right`, after these imports. */
  test(name: string, imports: string, left: string, right: string): string;
}

function scriptShape({ manifest, at = '', more = {}, tools = [], setUp, run, ending = '.test.js', test: write }: Script): Shape {
  const file = (name: string): string => `${at}test/${name}${ending}`;
  const fair = write('subtract', "import { subtract } from '../src/subtract.js';\n", 'subtract(5, 2)', '3');
  const hollow = write('subtract', '', '3', '3');
  return {
    tools,
    needs: [],
    files: {
      'package.json': `${JSON.stringify({ name: 'calculator', version: '1.0.0', private: true, type: 'module', ...manifest }, null, 2)}\n`,
      '.gitignore': 'node_modules/\n.yarn/\n',
      [`${at}src/add.js`]: 'export const add = (a, b) => a + b;\n',
      [file('add')]: write('add', "import { add } from '../src/add.js';\n", 'add(1, 2)', '3'),
      ...more,
    },
    setUp,
    tests: [file('add'), file('subtract')],
    honest: shell({ [`${at}src/subtract.js`]: SUBTRACT, [file('subtract')]: fair }, run),
    cheat: shell({ [`${at}src/subtract.js`]: WRONG, [file('subtract')]: hollow }, run),
  };
}

const nodeTest = (name: string, imports: string, left: string, right: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${imports}test('${name}', () => { assert.equal(${left}, ${right}); });\n`;

const WORKSPACE = {
  'packages/calc/package.json':
    '{ "name": "calc", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" }, "dependencies": { "dequal": "2.0.3" } }\n',
};

interface Python {
  files: Readonly<Record<string, string>>;
  needs?: readonly string[];
  setUp?: string;
  run: string;
  /** Folder of the package `calc`. */
  source: string;
}

function pythonShape({ files, needs = [], setUp = 'true', run, source }: Python): Shape {
  const about = (name: string, call: string, imports: string): string => `${imports}\n\ndef test_${name}():\n    assert ${call} == 3\n`;
  const fair = about('subtract', 'subtract(5, 2)', 'from calc.subtract import subtract\n');
  return {
    tools: [],
    needs: ['python3', ...needs],
    files: {
      '.gitignore': '__pycache__/\n.pytest_cache/\n.venv/\n.tox/\n*.egg-info/\n',
      [`${source}calc/__init__.py`]: '',
      [`${source}calc/add.py`]: 'def add(a, b):\n    return a + b\n',
      'tests/test_add.py': about('add', 'add(1, 2)', 'from calc.add import add\n'),
      ...files,
    },
    setUp,
    tests: ['tests/test_add.py', 'tests/test_subtract.py'],
    honest: shell({ [`${source}calc/subtract.py`]: 'def subtract(a, b):\n    return a - b\n', 'tests/test_subtract.py': fair }, run),
    cheat: shell(
      { [`${source}calc/subtract.py`]: 'def subtract(a, b):\n    return 0\n', 'tests/test_subtract.py': about('subtract', '3', '') },
      run,
    ),
  };
}

const INSTALL = 'npm install --no-audit --no-fund --loglevel=error';
const VENV = 'python3 -m venv --system-site-packages --without-pip .venv';
const PYPROJECT =
  '[project]\nname = "calc"\nversion = "1.0.0"\n[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n';

const SHAPES: Readonly<Record<string, Shape>> = {
  mocha: scriptShape({
    manifest: { scripts: { test: 'mocha --recursive' }, devDependencies: { mocha: '10.8.2' } },
    setUp: INSTALL,
    run: 'npx mocha test/subtract.test.js',
    test: (name, imports, left, right) =>
      `import assert from 'node:assert/strict';\n${imports}it('${name}', () => { assert.equal(${left}, ${right}); });\n`,
  }),
  tape: scriptShape({
    manifest: { scripts: { test: "tape 'test/*.js'" }, devDependencies: { tape: '5.9.0' } },
    setUp: INSTALL,
    run: 'npx tape test/subtract.js',
    ending: '.js',
    test: (name, imports, left, right) =>
      `import test from 'tape';\n${imports}test('${name}', (t) => { t.equal(${left}, ${right}); t.end(); });\n`,
  }),
  'npm workspace': scriptShape({
    manifest: { workspaces: ['packages/*'], scripts: { test: 'npm test --workspaces' } },
    at: 'packages/calc/',
    more: WORKSPACE,
    setUp: INSTALL,
    run: 'npm test --workspaces',
    test: nodeTest,
  }),
  'pnpm workspace': scriptShape({
    manifest: { scripts: { test: 'pnpm -r test' }, packageManager: 'pnpm@10.33.0' },
    at: 'packages/calc/',
    more: { ...WORKSPACE, 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' },
    tools: ['pnpm@10.33.0'],
    setUp: 'pnpm install',
    run: 'pnpm -r test',
    test: nodeTest,
  }),
  'yarn 1': scriptShape({
    manifest: { scripts: { test: 'node --test' }, dependencies: { dequal: '2.0.3' } },
    tools: ['yarn@1.22.22'],
    setUp: 'yarn install --non-interactive',
    run: 'yarn test',
    test: nodeTest,
  }),
  'yarn 4': scriptShape({
    manifest: { scripts: { test: 'node --test' }, dependencies: { dequal: '2.0.3' } },
    more: { '.yarnrc.yml': 'nodeLinker: node-modules\nenableGlobalCache: true\nenableTelemetry: false\n' },
    tools: ['@yarnpkg/cli-dist@4.9.2'],
    setUp: 'yarn install',
    run: 'yarn test',
    test: nodeTest,
  }),
  bun: scriptShape({
    manifest: { scripts: { test: 'bun test' }, dependencies: { dequal: '2.0.3' } },
    tools: ['bun@1.4.4'],
    setUp: 'bun install',
    run: 'bun test ./test/subtract.test.js',
    test: (name, imports, left, right) =>
      `import { expect, test } from 'bun:test';\n${imports}test('${name}', () => { expect(${left}).toBe(${right}); });\n`,
  }),
  venv: pythonShape({
    files: { 'pytest.ini': '[pytest]\npythonpath = .\n', 'requirements.txt': '' },
    setUp: VENV,
    // What git ignores is not in the agent's copy: whoever works there makes it again.
    run: `${VENV}\n.venv/bin/python -m pytest tests/test_subtract.py`,
    source: '',
  }),
  'src layout': pythonShape({
    files: { 'pyproject.toml': `${PYPROJECT}[tool.setuptools.packages.find]\nwhere = ["src"]\n` },
    run: 'PYTHONPATH=src python3 -m pytest tests/test_subtract.py',
    source: 'src/',
  }),
  tox: pythonShape({
    files: {
      'tox.ini':
        '[tox]\nskipsdist = true\nenvlist = py3\n[testenv]\nsitepackages = true\nsetenv =\n    PYTHONPATH = {toxinidir}\ncommands = python -m pytest {posargs}\n',
    },
    needs: ['tox'],
    run: 'tox -- tests/test_subtract.py',
    source: '',
  }),
  poetry: pythonShape({
    files: {
      'pyproject.toml':
        '[tool.poetry]\nname = "calc"\nversion = "1.0.0"\ndescription = ""\nauthors = []\n[tool.poetry.dependencies]\npython = "^3.9"\n[tool.pytest.ini_options]\npythonpath = ["."]\n[build-system]\nrequires = ["poetry-core"]\nbuild-backend = "poetry.core.masonry.api"\n',
      'poetry.toml': '[virtualenvs]\nprefer-active-python = true\n[virtualenvs.options]\nsystem-site-packages = true\n',
    },
    needs: ['poetry'],
    setUp: 'poetry lock',
    run: 'poetry run python -m pytest tests/test_subtract.py',
    source: '',
  }),
};

describe.runIf(isLong).each(Object.entries(SHAPES))('%s', { timeout: 600_000 }, (_, shape) => {
  const missing = isLong ? shape.needs.filter((program) => !isThere(program)) : [];
  let scene: Scene;

  beforeAll(async () => {
    if (missing.length > 0) return;
    scene = await sceneOf(shape);
    await promisify(execFile)('sh', ['-ec', shape.setUp], { cwd: scene.project, env: scene.env, maxBuffer: 2 ** 26 });
    if ((await git(scene, 'status', '--porcelain')) !== '') await commitAll(scene, 'Set up');
  });

  test.skipIf(missing.length > 0)('is adopted, refuses a cheat and verifies honest work', async () => {
    const made = await harness(scene, 'init', '--features', 'features.json', '--agent', 'command', '--agent-command', AGENT, '--json');
    expect(made, made.stdout + made.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(await read(scene, '.harness/test_baseline.json'))).toMatchObject({ total_passing: 1 });
    const cheating = await sessionOf(scene, shape.cheat);
    expect(cheating, cheating.stdout + cheating.stderr).toMatchObject({ code: 4, last: { outcome: 'rejected' } });
    const honest = await sessionOf(scene, shape.honest);
    expect(honest, honest.stdout + honest.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  });
});

const AGENT = 'sh "$HOME/agent.sh"';

async function sessionOf(scene: Scene, work: string): ReturnType<typeof harness> {
  await setAgent(scene, `set -e\n${work}\nsed -i 's/"passes": false/"passes": true/' features.json`);
  return await harness(scene, 'run', '--sessions', '1', '--json');
}

async function sceneOf({ files, tests: [accepted, open], tools }: Shape): Promise<Scene> {
  const features = [
    { id: 1, description: 'A user adds two numbers', test_file: accepted, passes: true },
    { id: 2, description: 'A user subtracts two numbers', test_file: open, passes: false },
  ];
  const list = `${JSON.stringify({ project: 'calculator', features }, null, 2)}\n`;
  const scene = await makeScene({ ...files, 'features.json': list });
  const programs = tools.length === 0 ? [] : [join(await installedPackages(tools), '.bin')];
  const own = Object.entries(process.env).filter(([name]) =>
    /^(?:npm_config_(?!userconfig$)|https?_proxy$|no_proxy$|NODE_EXTRA_CA_CERTS$)/i.test(name),
  );
  const registry = npmSetting('registry');
  const caches = join(scene.folder, 'user', '.cache');
  await mkdir(caches, { recursive: true });
  return {
    ...scene,
    env: {
      ...scene.env,
      ...(Object.fromEntries(own) as Record<string, string>),
      npm_config_cache: npmSetting('cache'),
      npm_config_registry: registry,
      YARN_NPM_REGISTRY_SERVER: registry,
      PATH: [...programs, scene.env['PATH']].join(':'),
    },
  };
}

function npmSetting(key: string): string {
  return execFileSync('npm', ['config', 'get', key], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
