/** What `harness init` tries before the first session: checks, steps of the test command, and what tests need in a clean room. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calculator, editList, HONEST, setAgent, settingsFor } from './calculator.ts';
import { startRegistry } from './registry.ts';
import { harness, makeScene, read, type Run, type Scene } from './support.ts';

const init = (scene: Scene): Promise<Run> =>
  harness(scene, 'init', '--features', 'features.json', '--agent', 'command', '--agent-command', 'sh "$HOME/agent.sh"');
const text = (run: Run): string => (run.stdout + run.stderr).replaceAll(/\s+/g, ' ');

const COLOURED = {
  'package.json': '{ "name": "calculator", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/paint.js':
    'export const paint = (text) => (process.env.FORCE_COLOR || process.stdout.isTTY ? `\\u001b[31m${text}\\u001b[39m` : text);\n',
  'test/paint.test.js':
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { paint } from '../src/paint.js';\ntest('is red', () => assert.equal(paint('a'), '\\u001b[31ma\\u001b[39m'));\ntest('keeps the text', () => assert.match(paint('a'), /a/));\n",
  'features.json':
    '{ "project": "paint", "features": [ { "id": 1, "description": "A user can paint", "test_file": "test/blue.test.js" } ] }\n',
};

const BLUE = `set -e
cat > src/blue.js <<'END'
export const blue = (text) => (process.env.FORCE_COLOR ? '\\u001b[34m' + text + '\\u001b[39m' : text);
END
cat > test/blue.test.js <<'END'
import test from 'node:test';
import assert from 'node:assert';
import { blue } from '../src/blue.js';
test('is blue', () => assert.equal(blue('a'), '\\u001b[34ma\\u001b[39m'));
END
FORCE_COLOR=1 node --test test/blue.test.js
${editList('l.features[0].passes = true')}`;

test('tests that fail only for want of colours get the setting, and so does every run of a verdict', async () => {
  const scene = await makeScene(COLOURED);
  const run = await init(scene);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(text(run)).toContain('Baseline: 2 of 2 tests pass');
  expect(text(run)).toContain('1 test passes in the sandbox only with FORCE_COLOR=1: .harness.yaml sets it');
  expect(await read(scene, '.harness.yaml')).toContain('  env:\n    FORCE_COLOR: "1"\n');
  await setAgent(scene, BLUE);
  const session = await harness(scene, 'run', '--json');
  expect(session, session.stdout + session.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await read(scene, 'features.json')).toBe(COLOURED['features.json'].replace('.js" }', '.js", "passes": true }'));
});

test('in settings of a person nothing changes: the lines to add are shown', async () => {
  const settings = settingsFor('');
  const scene = await makeScene({ ...COLOURED, '.harness.yaml': settings });
  const run = await harness(scene, 'init', '--features', 'features.json');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(text(run)).toContain('only with FORCE_COLOR=1: set it in .harness.yaml and commit: testing: env: FORCE_COLOR: "1"');
  expect(text(run)).toContain(
    'Already failing in the sandbox (not tried outside), so not guarded against breakage: test/paint.test.js::is red',
  );
  expect(await read(scene, '.harness.yaml')).toBe(settings);
});

test('an assignment in front of the test command reaches every run', async () => {
  const scene = await makeScene({
    ...COLOURED,
    'package.json':
      '{ "name": "calculator", "type": "module", "scripts": { "test": "FORCE_COLOR=1 npm run unit", "unit": "node --test" } }\n',
  });
  const run = await init(scene);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(text(run)).toContain('Baseline: 2 of 2 tests pass');
  expect(await read(scene, '.harness.yaml')).not.toContain('env:');
  await setAgent(scene, BLUE);
  const session = await harness(scene, 'run', '--json');
  expect(session, session.stdout + session.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test('checks and steps that fail on the untouched commit are left out, each with its first error line', async () => {
  const scene = await calculator({
    'package.json': JSON.stringify({
      name: 'calculator',
      type: 'module',
      scripts: { pretest: 'node make.mjs', test: 'node --test && tsd', lint: 'node lint.mjs' },
    }),
    'make.mjs': "throw new Error('cannot reach the service');\n",
    'lint.mjs': "console.error('src/add.js');\nconsole.error('  1:2  error  no semicolon  semi');\nprocess.exit(1);\n",
  });
  const run = await init(scene);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(text(run)).toContain('Baseline: 1 of 1 tests pass');
  for (const line of [
    'lint is not enforced: "npm run lint" failed with status 1: src/add.js: 1:2 error no semicolon semi (full output: .harness/logs/output-lint.txt)',
    'step is not enforced: "node make.mjs" failed with status 1: Error: cannot reach the service (full output: ',
    'step is not enforced: "tsd" needs tsd, which is not installed (full output: ',
  ])
    expect(text(run)).toContain(line);
  expect(await read(scene, '.harness.yaml')).toContain('full: node --test && tsd');
  await setAgent(scene, HONEST);
  const session = await harness(scene, 'run', '--json');
  expect(session, session.stdout + session.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test('a linter that is configured and not installed is not fetched', async () => {
  const scene = await calculator({ '.eslintrc.json': '{}\n' });
  const run = await init(scene);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(text(run)).toContain('lint is not enforced: "npx eslint ." needs eslint, which is not installed (full output: ');
});

test('where a package manager is pinned, the one that is here does not fetch the pinned version in a clean room', async () => {
  const show = "console.error('error: switches ' + process.env.npm_config_manage_package_manager_versions); process.exit(1);";
  const manifest = { name: 'calculator', type: 'module', packageManager: 'pnpm@10.33.0' };
  const scene = await calculator({
    'package.json': JSON.stringify({ ...manifest, scripts: { test: 'node --test', lint: 'node lint.mjs' } }),
    'lint.mjs': show,
  });
  expect(text(await init(scene))).toContain('"npm run lint" failed with status 1: error: switches false');
});

test('where tests ask for what the build makes, the build becomes a step in front of them', async () => {
  const scene = await calculator({
    'package.json': '{ "name": "calculator", "type": "module", "scripts": { "build": "node build.mjs", "test": "node --test" } }\n',
    'build.mjs':
      "import { copyFileSync, mkdirSync } from 'node:fs';\nmkdirSync('dist', { recursive: true });\ncopyFileSync('src/add.js', 'dist/add.js');\n",
    'test/dist.test.js':
      "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from '../dist/add.js';\ntest('is built', () => assert.equal(add(1, 1), 2));\n",
    '.gitignore': 'dist/\n',
  });
  const run = await init(scene);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(text(run)).toContain('1 more test passes after a build: .harness.yaml runs "npm run build && npm test"');
  expect(text(run)).toContain('Baseline: 2 of 2 tests pass (node:test)');
  await setAgent(scene, HONEST);
  const session = await harness(scene, 'run', '--json');
  expect(session, session.stdout + session.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test('a suite whose runner is too old to be read is judged by its exit status', async () => {
  const program =
    "#!/usr/bin/env node\nconst { readdirSync } = require('fs');\nfor (const file of readdirSync('test')) require(process.cwd() + '/test/' + file);\n";
  const mocha = { name: 'mocha', version: '5.2.0', bin: { mocha: 'bin/mocha' }, files: { 'bin/mocha': program, 'index.js': '' } };
  const registry = await startRegistry([mocha]);
  const scene = await makeScene({
    'package.json': '{ "name": "calculator", "scripts": { "test": "mocha" }, "devDependencies": { "mocha": "^5.0.0" } }\n',
    'add.js': 'exports.add = (a, b) => a + b;\n',
    'test/add.js': "const { add } = require('../add.js');\nif (add(1, 1) !== 2) throw new Error('add');\n",
    'features.json': COLOURED['features.json'],
  });
  await writeFile(join(scene.env['HOME']!, '.npmrc'), `registry=${registry.address}\n`);
  const run = await init(scene);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
  expect(text(run)).toContain(
    'only the exit status of the test command counts, because single tests cannot be read: this version of mocha is too old',
  );
  expect(await read(scene, '.harness.yaml')).toContain('  report: exit-code\n');
});

const CHECKED = {
  'package.json': '{ "name": "calculator", "type": "module", "scripts": { "test": "node checks/all.js" } }\n',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'checks/all.js':
    "import { readdirSync } from 'node:fs';\nfor (const name of readdirSync(import.meta.dirname)) if (name.endsWith('.check.js')) await import(`./${name}`);\nconsole.log('All fine');\n",
  'checks/add.check.js': "import { add } from '../src/add.js';\nif (add(1, 2) !== 3) throw new Error('add');\n",
  'features.json':
    '{ "project": "sums", "features": [ { "id": 1, "description": "A user can double", "test_file": "checks/double.check.js" } ] }\n',
};

const DOUBLE = `set -e
echo 'export const double = (a) => a * 2;' > src/double.js
cat > checks/double.check.js <<'END'
import { double } from '../src/double.js';
if (double(4) !== 8) throw new Error('double');
if (double(-1) !== -2) throw new Error('double');
END
npm test
${editList('l.features[0].passes = true')}`;

test('where the test command prints no summary, none is required of a session', async () => {
  const scene = await makeScene(CHECKED);
  const run = await init(scene);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(await read(scene, '.harness.yaml')).toContain('  require_evidence: false\n');
  await setAgent(scene, DOUBLE);
  const session = await harness(scene, 'run', '--json');
  expect(session.last?.['reasons'], session.stdout + session.stderr).not.toContain('claim.no_evidence');
  expect(session.last?.['outcome']).not.toBe('rejected');
});
