/** Projects of different kinds: Python, TypeScript, without tests, outside git; and what is enforced in each of them. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFiles } from './lockfile.ts';
import { emptyScene, exists, git, makeScene, read, write } from './support.ts';
import {
  BUGGY,
  DOCS,
  GO,
  lastCommit,
  MEND,
  output,
  QUICK,
  rolesCalled,
  say,
  stateOf,
  TASK,
  withAgent,
  workflow,
  workflowScene,
} from './workflow-scene.ts';

function hasPytest(): boolean {
  try {
    execFileSync('python3', ['-c', 'import pytest'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.runIf(hasPytest())('where pytest is installed', () => {
  test('a Python project is checked with pytest', async () => {
    const scene = await workflowScene(
      { 'generator-single': `sed -i 's/a - b/a + b/' calc.py; ${output('- `calc.py`')}; ${say('changed 1 files — add adds')}` },
      {
        'pyproject.toml': '[project]\nname = "calc"\nversion = "1"\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
        'calc.py': 'def add(a, b):\n    return a - b\n',
        'test_calc.py': 'from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n',
      },
    );
    const run = await workflow(scene, [TASK, ...QUICK], GO);
    expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    expect(run.stderr).toContain('pytest');
  });
});

test('a TypeScript project is checked with vitest, from its lockfile', async () => {
  const scene = await workflowScene(
    {
      'generator-single': `sed -i 's/a - b/a + b/' src/add.ts; ${output('- `src/add.ts`')}; ${say('changed 1 files — add adds')}`,
    },
    {
      ...(await packageFiles('vitest', { type: 'module', scripts: { test: 'vitest run' } })),
      'src/add.ts': 'export function add(a: number, b: number): number {\n  return a - b;\n}\n',
      'test/add.test.ts':
        "import { expect, test } from 'vitest';\nimport { add } from '../src/add.ts';\ntest('adds', () => expect(add(1, 2)).toBe(3));\n",
      '.gitignore': 'node_modules/\n',
    },
  );
  const run = await workflow(scene, [TASK, ...QUICK], GO);
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect((await lastCommit(scene)).files).toEqual(['src/add.ts']);
});

test('a project without any command passes layer 1 with everything skipped, and the commit says so', async () => {
  const scene = await workflowScene(
    { 'generator-single': `echo '# Report' > report.md; ${output('- `report.md`')}; ${say('changed 1 files — wrote it')}` },
    { 'notes.txt': 'figures\n' },
  );
  const run = await workflow(scene, ['write a report of the figures', ...QUICK], GO);
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  const commit = await lastCommit(scene);
  expect(commit.files).toEqual(['report.md']);
  expect(commit.trailers).toContain('there is no test command');
});

test('outside git the changes land in the folder without a question, and the documents stay', async () => {
  const base = await emptyScene();
  await write(base, BUGGY);
  const scene = await withAgent(base, {});
  const run = await workflow(scene, [TASK, ...QUICK], { 'workflow.conventions': 'Skip', 'workflow.spec': 'Proceed' });
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await read(scene, 'src/add.js')).toContain('a + b');
  expect(await read(scene, `${DOCS}/spec.md`)).toContain('add must add');
  expect(await exists(join(scene.project, '.git'))).toBe(false);
  expect(await exists(join(scene.project, '.harness', 'state.json'))).toBe(false);
});

test.each([
  ['a file outside of the scope', ['--scope', 'src/**'], MEND, /FAIL — limits: .*test\/add\.test\.js/],
  ['more files than allowed', ['--max-files', '1'], MEND, /FAIL — limits: 2 files changed, 1 are allowed/],
  ['an old test removed', [], `${MEND}\nrm test/one.test.js`, /FAIL — integrity: .*test\/one\.test\.js/],
  ['an old test skipped', [], `${MEND}\nsed -i "s/^test(/test.skip(/" test/one.test.js`, /FAIL — integrity: .*test\/one\.test\.js/],
  ['the test script changed', [], `${MEND}\nsed -i 's/node --test/true/' package.json`, /FAIL — integrity: .*package\.json/],
])('%s fails layer 1 by name', async (_, flags, implementer, reason) => {
  const scene = await workflowScene({ 'generator-single': implementer });
  const plan = await workflow(scene, ['plan', TASK, ...QUICK, ...flags], { 'workflow.conventions': 'Skip' });
  expect(plan, plan.stdout).toMatchObject({ code: 0 });
  await workflow(scene, ['generate'], { 'workflow.spec': 'Proceed' });
  const run = await workflow(scene, ['verify']);
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect((await read(scene, `${DOCS}/verify_report.md`)).split('\n')[0]).toMatch(reason);
  expect(await stateOf(scene)).toMatchObject({ verify: { layer1_result: 'FAIL', layer1_retries: 0 } });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single']);
});

test('nothing of the user is overwritten: a file in the way is named, and the work waits', async () => {
  const scene = await workflowScene();
  expect((await workflow(scene, [TASK, ...QUICK], { 'workflow.conventions': 'Skip', 'workflow.spec': 'Proceed' })).code).toBe(8);
  await write(scene, { 'test/add.test.js': '// mine\n' });
  const refused = await workflow(scene, [TASK, ...QUICK], { 'workflow.commit': 'Commit code only' });
  expect(refused, refused.stdout).toMatchObject({ code: 6, last: { reasons: ['git.conflict'] } });
  expect(refused.stderr).toContain('test/add.test.js');
  const loose = await workflow(scene, [TASK, ...QUICK], { 'workflow.commit': 'No commit' });
  expect(loose).toMatchObject({ code: 6 });
  expect(await readFile(join(scene.project, 'test/add.test.js'), 'utf8')).toBe('// mine\n');
  expect(await read(scene, 'src/add.js')).toContain('a - b');
  expect(await git(scene, 'log', '--format=%s')).toBe('Start');
  execFileSync('rm', [join(scene.project, 'test/add.test.js')]);
  expect(await workflow(scene, [TASK, ...QUICK], GO)).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test.each(['.harness', 'docs/../../etc', '\\\\server\\share', '/absolute/path', 'memory/foo', '', 'docs/other'])(
  '--output-dir %j is refused before anything is written',
  async (path) => {
    const scene = await withAgent(await makeScene({ 'a.txt': 'a\n' }), {});
    const run = await workflow(scene, [TASK, ...QUICK, '--output-dir', path], GO);
    expect(run).toMatchObject({ code: 2 });
    expect(run.stderr).toContain('--output-dir');
    expect(await exists(join(scene.project, '.harness', 'state.json'))).toBe(false);
    expect(await git(scene, 'branch', '--format=%(refname:short)')).toBe('main');
  },
);
