/** An approved spec is built: by the workflow in the same process, and by the project flow from its acceptance criteria. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { ANSWERS, DOCS, spec, specScene, specWith, TASK } from './spec-support.ts';
import { eventsOf, exists, gates, git, harness, read, write } from './support.ts';

const FILES = { 'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n' };

const BUILD = `mkdir -p src test
cat > src/export.js <<'CODE'
export const toCsv = (orders) => orders.map((order) => order.join(',')).join(';');
CODE
cat > test/export.test.js <<'TEST'
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '../src/export.js';
test('three orders are three lines', () => assert.equal(toCsv([[1], [2], [3]]), '1;2;3'));
TEST`;

const WORKFLOW_ROLES = {
  'workflow/planner-single': `grep -q 'The back office' "$PROMPT" || exit 9
printf '# Spec\\nExport orders as CSV\\n' > "$HARNESS_OUTPUT"; echo 'spec written — export'`,
  'workflow/generator-single': `${BUILD}
printf -- '- src/export.js\\n' > "$HARNESS_OUTPUT"; echo 'changed 2 files — export'`,
  'workflow/evaluator': `printf '# QA\\n\\n### Verdict: PASS\\n' > "$HARNESS_OUTPUT"; echo 'PASS — meets the spec'`,
};

test('the workflow starts in the same process with the documents of the spec, and the same command goes on with it to a commit', async () => {
  const scene = await specScene(WORKFLOW_ROLES, { files: FILES });
  const run = await specWith(
    scene,
    { ...ANSWERS, 'spec.next': 'Start /workflow', 'workflow.mode': 'single', 'workflow.model': 'default', 'workflow.conventions': 'Skip' },
    TASK,
    '--mode',
    'quick',
  );
  expect(run.code, run.stdout + run.stderr).toBe(8);
  expect((await gates(scene)).map((gate) => gate.id)).toEqual(['workflow.spec']);
  expect(eventsOf(run, 'session.start').map((event) => event['prompt'])).toContain('planner-single');
  const state = JSON.parse(await read(scene, '.harness/state.json')) as Record<string, unknown>;
  expect(state).toMatchObject({ skill: 'workflow', docs_path: `${DOCS}/` });
  expect(await exists(join(scene.project, '.harness/spec'))).toBe(false);
  expect(await read(scene, `${DOCS}/qa_notes.md`)).toContain('The back office');

  expect((await harness(scene, 'answer', 'workflow.spec', 'Proceed')).code).toBe(0);
  const built = await specWith(scene, { 'workflow.commit': 'Commit code only' }, TASK, '--mode', 'quick');
  expect(built, built.stdout + built.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await git(scene, 'show', '--stat', '--format=%s', 'HEAD')).toContain('src/export.js');
});

const INITIALIZER = `grep -q 'data: scenarios' "$PROMPT" || exit 9
grep -q '   - Then: the file has three lines' "$PROMPT" || exit 8
mkdir -p test
echo "import { test } from 'node:test'; test.todo('export');" > test/export.test.js
printf '#!/bin/sh\\nexit 0\\n' > init.sh; cp init.sh reset.sh; chmod +x init.sh reset.sh
cat > features.json <<'END'
{ "project": "shop", "features": [
  { "id": 1, "description": "A clerk exports orders as CSV", "test_file": "test/export.test.js",
    "verification_steps": ["Given three orders", "When the clerk exports", "Then the file has three lines"], "passes": false }
] }
END`;

const CODER = `${BUILD}
node --test test/export.test.js
sed -i 's/"passes": false/"passes": true/' features.json`;

test('the project flow gets the acceptance criteria as features with their steps, and builds them to a verified commit', async () => {
  const scene = await specScene({ 'project/initializer': INITIALIZER, 'project/coding': CODER }, { files: FILES });
  const run = await specWith(scene, { ...ANSWERS, 'spec.next': 'Start /project' }, TASK, '--mode', 'quick');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  const list = JSON.parse(await read(scene, 'features.json')) as { features: { verification_steps: string[] }[] };
  expect(list.features[0]!.verification_steps).toEqual(['Given three orders', 'When the clerk exports', 'Then the file has three lines']);
  const built = await harness(scene, 'run', '--json');
  expect(built, built.stdout + built.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 1 } });
});

const EMPTY_INITIALIZER = `printf '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\\n' > package.json
${INITIALIZER}`;

const EARLIER: [string, string[]][] = [
  ['in one go', []],
  ['after an earlier version kept its start as one thing', ['refs/harness/start']],
  ['after an earlier version kept its starts in a folder', ['refs/harness/start/spec-critic', 'refs/harness/start/spec-synthesis']],
];

test.each(isLong ? EARLIER : EARLIER.slice(2))('an empty repository comes from a wish to a verified commit, %s', async (_when, earlier) => {
  const scene = await specScene({ 'project/initializer': EMPTY_INITIALIZER, 'project/coding': CODER }, { git: false, files: {} });
  await git(scene, 'init', '-q');
  const tree = await git(scene, 'hash-object', '-w', '-t', 'tree', '/dev/null');
  const commit = await git(scene, 'commit-tree', tree, '-m', 'Start of the work');
  for (const ref of earlier) await git(scene, 'update-ref', ref, commit);
  const run = await specWith(scene, { ...ANSWERS, 'spec.next': 'Start /project' }, TASK, '--mode', 'quick');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  const built = await harness(scene, 'run', '--json');
  expect(built, built.stdout + built.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 1 } });
});

test('an empty repository: the spec is written first, and the project is begun with it by a command of its own', async () => {
  const scene = await specScene({ 'project/initializer': EMPTY_INITIALIZER, 'project/coding': CODER }, { git: false, files: {} });
  await git(scene, 'init', '-q');
  expect((await specWith(scene, ANSWERS, TASK, '--mode', 'quick')).code).toBe(0);
  const command = ['--agent', 'command', '--agent-command', 'sh "$HOME/roles/agent.sh"', '--json'];
  const begun = await harness(scene, 'init', '--spec', `${DOCS}/spec.md`, ...command);
  expect(begun, begun.stdout + begun.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 1 } });
});

test('branches of the user that are in the way of the branch of a spec', async () => {
  const scene = await specScene();
  await git(scene, 'branch', `harness/spec-${DOCS.split('/').at(-1)!}/notes`);
  const run = await specWith(scene, ANSWERS, TASK, '--mode', 'quick');
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(await git(scene, 'symbolic-ref', '--short', 'HEAD')).toBe(`harness/spec-${DOCS.split('/').at(-1)!}-2`);

  const other = await specScene();
  await git(other, 'branch', 'harness');
  const refused = await specWith(other, ANSWERS, TASK, '--mode', 'quick');
  expect(refused, refused.stdout + refused.stderr).toMatchObject({ code: 6, last: { reasons: ['git.conflict'] } });
});

test('a spec that is begun again on the same words asks what becomes of the earlier documents', async () => {
  const scene = await specScene();
  await write(scene, { [`${DOCS}/spec.md`]: 'an earlier spec\n' });
  const waiting = await spec(scene, TASK, '--mode', 'quick');
  expect(waiting.code).toBe(8);
  expect(await gates(scene)).toMatchObject([
    { id: 'spec.slug-collision', options: [{ label: 'Append timestamp' }, { label: 'Overwrite' }, { label: 'Stop' }] },
  ]);
  expect((await harness(scene, 'answer', 'spec.slug-collision', 'append timestamp')).code).toBe(0);
  const run = await specWith(scene, ANSWERS, TASK, '--mode', 'quick');
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(await read(scene, `${DOCS}/spec.md`)).toBe('an earlier spec\n');
  expect(await git(scene, 'symbolic-ref', '--short', 'HEAD')).toMatch(/^harness\/spec-order-export-as-csv-for-the-back-of-\d{14}$/);
});
