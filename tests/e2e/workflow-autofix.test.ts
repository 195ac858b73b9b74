/** Layer 1 that fails: retries, the question after them, and the proposal of a patch. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyScene, emptyScene, eventsOf, exists, git, harness, read, write, type Scene } from './support.ts';
import {
  answer,
  BUGGY,
  DOCS,
  FORGET,
  GO,
  lastCommit,
  output,
  QUICK,
  rolesCalled,
  say,
  stateOf,
  TASK,
  waitingGates,
  withAgent,
  workflow,
  workflowScene,
} from './workflow-scene.ts';

const patch = (...lines: string[]): string =>
  `${output('The sign is wrong.', '', 'Confidence: High', '', '```diff', ...lines, '```')}; ${say('auto_fix_patch written — confidence: High — the sign is wrong')}`;
const RIGHT = patch(
  '--- a/src/add.js',
  '+++ b/src/add.js',
  '@@ -1,3 +1,3 @@',
  ' export function add(a, b) {',
  '-  return a - b;',
  '+  return a + b;',
  ' }',
);
const WRONG = patch(
  '--- a/src/add.js',
  '+++ b/src/add.js',
  '@@ -1,3 +1,3 @@',
  ' export function add(a, b) {',
  '-  return a - b;',
  '+  return a * b;',
  ' }',
);

let failed: Promise<Scene> | null = null;

/** Three retries were in vain; made once, then copied. */
async function failedScene(): Promise<Scene> {
  const scene = await workflowScene({ 'generator-single': FORGET });
  expect((await workflow(scene, [TASK, ...QUICK], GO)).code).toBe(8);
  return scene;
}

async function atGate(proposer: string) {
  failed ??= failedScene();
  const scene = await withAgent(await copyScene(await failed), { 'generator-single': FORGET, 'auto-fix-proposer': proposer });
  const run = await workflow(scene, [TASK, ...QUICK], { 'workflow.verify': ['Auto-fix proposal'] });
  return { scene, run, again: (answers = {}) => workflow(scene, [TASK, ...QUICK], answers) };
}

test('three retries of the implementer alone, then a question; the failure is named and marked in the commit', async () => {
  const scene = await workflowScene({ 'generator-single': FORGET });
  const run = await workflow(scene, [TASK, ...QUICK], GO);
  expect(run, run.stdout).toMatchObject({ code: 8 });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single', 'generator-single', 'generator-single', 'generator-single']);
  const [gate] = eventsOf(run, 'gate.asked').map(
    (event) => event['gate'] as { id: string; question: string; options: { label: string }[] },
  );
  expect(gate).toMatchObject({ id: 'workflow.verify', question: expect.stringContaining('test/add.test.js') });
  expect(gate!.options.map((option) => option.label)).toEqual(['Auto-fix proposal', 'Continue to Evaluator', 'Stop']);
  const report = await read(scene, `${DOCS}/verify_report.md`);
  expect(report.split('\n')[0]).toMatch(/^FAIL — test: 1 of 2 tests failed/);
  expect(scene.asked.at(-1)!.text).toContain('FAIL — test');
  expect(await stateOf(scene)).toMatchObject({ phase: 'verify_done', verify: { layer1_result: 'FAIL', layer1_retries: 3 } });
  expect((await workflow(scene, [TASK, ...QUICK, '--yes'])).code).toBe(8);
  await answer(scene, 'workflow.verify', 'Continue to Evaluator');
  const end = await workflow(scene, [TASK, ...QUICK], GO);
  expect(end, end.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(scene.asked.at(-1)!.text).toContain('Layer 1 failed, and a person decided to go on');
  expect((await lastCommit(scene)).trailers).toContain('Harness-Verified: no (accepted by a person: layer 1 failed)');
});

test('a proposed patch is shown, survives an interruption, is applied whole and passes', async () => {
  const { scene, run, again } = await atGate(RIGHT);
  expect(run, run.stdout).toMatchObject({ code: 8 });
  expect(await waitingGates(scene)).toEqual(['workflow.auto-fix']);
  expect(await stateOf(scene)).toMatchObject({ autofix: { applied: 'proposed' }, verify: { autofix_attempted: false } });
  expect(await readFile(join(scene.project, '.harness', 'generator', 'auto_fix_patch.md'), 'utf8')).toContain('+  return a + b;');
  expect((await again()).code).toBe(8);
  expect(rolesCalled(scene).filter((role) => role === 'auto-fix-proposer')).toHaveLength(1);
  await answer(scene, 'workflow.auto-fix', 'Apply patch');
  const end = await again(GO);
  expect(end, end.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(end.stderr).toContain('Applying patch to: src/add.js');
  expect(rolesCalled(scene).at(-1)).toBe('evaluator');
  expect(await read(scene, 'src/add.js')).toContain('a + b');
});

test('a proposal of low confidence says so in the question', async () => {
  const { scene } = await atGate(RIGHT.replaceAll('High', 'Low'));
  const [gate] = JSON.parse((await harness(scene, 'gates', '--json')).stdout) as { id: string; question: string }[];
  expect(gate).toMatchObject({ id: 'workflow.auto-fix', question: expect.stringMatching(/confidence is low.*\(confidence: Low\)/) });
});

test('a patch that applies and does not help stops auto-fix, and the question comes without it', async () => {
  const { scene, again } = await atGate(WRONG);
  await answer(scene, 'workflow.auto-fix', 'Apply patch');
  const run = await again();
  expect(run, run.stdout).toMatchObject({ code: 8 });
  const gate = eventsOf(run, 'gate.asked').at(-1)!['gate'] as { id: string; options: { label: string }[] };
  expect(gate.id).toBe('workflow.verify');
  expect(gate.options.map((option) => option.label)).toEqual(['Continue to Evaluator', 'Stop']);
  expect(await stateOf(scene)).toMatchObject({ autofix: { applied: 'stopped' }, verify: { autofix_attempted: true, layer1_retries: 3 } });
});

test.each([
  ['a rejected patch', RIGHT, 'Reject', null],
  [
    'a patch that does not fit',
    patch('--- a/src/add.js', '+++ b/src/add.js', '@@ -1 +1 @@', '-nothing like it', '+x'),
    'Apply patch',
    'does not apply',
  ],
  [
    'a patch that leaves the project',
    patch('--- /dev/null', '+++ b/../evil.txt', '@@ -0,0 +1 @@', '+x'),
    'Apply patch',
    'Diff path validation failed: ../evil.txt',
  ],
  [
    'a patch of the harness state',
    patch('--- /dev/null', '+++ b/.harness/state.json', '@@ -0,0 +1 @@', '+x'),
    'Apply patch',
    'Diff path validation failed',
  ],
])('%s changes nothing and leads back to the question without auto-fix', async (_, proposer, option, message) => {
  const { scene, again } = await atGate(proposer);
  const before = (await stateOf(scene)).harness['candidate'];
  await answer(scene, 'workflow.auto-fix', option);
  const run = await again();
  expect(run, run.stdout).toMatchObject({ code: 8 });
  if (message !== null) expect(run.stderr).toContain(message);
  expect(await waitingGates(scene)).toEqual(['workflow.verify']);
  const state = await stateOf(scene);
  expect(state).toMatchObject({ autofix: { applied: 'rejected' }, verify: { autofix_attempted: true } });
  expect(state.harness['candidate']).toEqual(before);
});

test('a proposal without a patch is skipped, and stopping at the patch keeps it from coming back', async () => {
  const empty = await atGate(`${output('I do not know.')}; ${say('no idea')}`);
  expect(empty.run, empty.run.stdout).toMatchObject({ code: 8 });
  expect(empty.run.stderr).toContain('last line could not be read');
  expect(await waitingGates(empty.scene)).toEqual(['workflow.verify']);
  const { scene, again } = await atGate(RIGHT);
  await answer(scene, 'workflow.auto-fix', 'Stop');
  expect(await again()).toMatchObject({ code: 10, last: { reasons: ['user_pause'] } });
  expect(await stateOf(scene)).toMatchObject({ phase: 'verify_done', autofix: { applied: 'rejected' } });
  expect(await git(scene, 'log', '--format=%s')).toBe('Start');
  expect((await harness(scene, 'gates')).code).toBe(0);
});

test('outside git a patch is applied too, with what it replaces kept until the end', async () => {
  const base = await emptyScene();
  await write(base, BUGGY);
  const scene = await withAgent(base, { 'generator-single': FORGET, 'auto-fix-proposer': RIGHT });
  const answers = { 'workflow.conventions': 'Skip', 'workflow.spec': 'Proceed', 'workflow.verify': 'Auto-fix proposal' };
  const asked = await workflow(scene, [TASK, ...QUICK], answers);
  expect(asked, asked.stdout).toMatchObject({ code: 8 });
  expect(await read(scene, 'src/add.js')).toContain('a - b');
  const run = await workflow(scene, [TASK, ...QUICK], { 'workflow.auto-fix': 'Apply patch' });
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await read(scene, 'src/add.js')).toContain('a + b');
  expect(await exists(join(scene.project, '.harness', 'autofix_pre_apply'))).toBe(false);
  expect(await exists(join(scene.project, '.git'))).toBe(false);
});
