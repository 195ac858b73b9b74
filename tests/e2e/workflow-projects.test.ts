/** Projects of different kinds: Python, TypeScript, without tests, outside git. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFiles } from './lockfile.ts';
import { emptyScene, exists, read, write } from './support.ts';
import { BUGGY, DOCS, GO, lastCommit, output, QUICK, say, TASK, withAgent, workflow, workflowScene } from './workflow-scene.ts';

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
