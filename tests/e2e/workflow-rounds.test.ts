/** Evaluations that fail: retries of layer 2, rounds of layer 3, and who may accept what. */
import { expect, test } from 'vitest';
import { eventsOf, git, harness, read } from './support.ts';
import {
  answer,
  fail,
  GO,
  lastCommit,
  MEND,
  output,
  QUICK,
  rolesCalled,
  say,
  TASK,
  waitingGates,
  workflow,
  workflowScene,
} from './workflow-scene.ts';

test('layer 3 asks for another round; the next round hears of the report, and the last one ends by itself', async () => {
  const scene = await workflowScene({ evaluator: fail('L3') });
  const answers = { ...GO, 'workflow.qa': ['Fix', 'Fix'], 'workflow.commit': 'Commit code only' };
  const run = await workflow(scene, [TASK, ...QUICK], answers);
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(run.stderr).toContain('Max rounds reached');
  const implementers = scene.asked.filter(({ role }) => role === 'generator-single').map(({ text }) => text);
  expect(implementers).toHaveLength(3);
  expect(implementers[0]).toContain('(First round)');
  expect(implementers[1]).toContain('1. make it good');
  const commit = await lastCommit(scene);
  expect(commit.trailers).toContain('Harness-Verified: no (accepted by a person: layer 3 failed)');
  const summary = JSON.parse((await harness(scene, 'summary', '--json')).stdout) as { workflow: Record<string, unknown> };
  expect(eventsOf(run, 'run.summary').at(-1)?.['summary']).toEqual(summary);
  expect(summary.workflow).toMatchObject({ task: TASK, phase: null, sessions: 7, next: null });
  expect(summary.workflow['refused']).toEqual(
    [1, 2, 3].map((round) => ({ step: 'evaluate', round, result: 'failed', note: 'FAIL L3 — not good' })),
  );
  expect(summary.workflow['commits']).toEqual([await git(scene, 'rev-parse', 'HEAD')]);
  expect((await harness(scene, 'summary')).stdout).toMatch(/Did not pass:\n {2}round 1, evaluate: FAIL L3/);
});

test('what a person says with Fix, or instead of it, is heard in the next round', async () => {
  const scene = await workflowScene({ evaluator: fail('L3') });
  const answers = { ...GO, 'workflow.qa': [{ option: 'Fix', text: 'use fewer words' }, { text: 'think of zero' }] };
  const run = await workflow(scene, [TASK, ...QUICK], answers);
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  const implementers = scene.asked.filter(({ role }) => role === 'generator-single').map(({ text }) => text);
  expect(implementers[1]).toContain('use fewer words');
  expect(implementers[2]).toContain('think of zero');
});

test('work that failed is not committed by --yes, which takes Fix until the rounds are over', async () => {
  const scene = await workflowScene({ evaluator: fail('L3') });
  const run = await workflow(scene, [TASK, ...QUICK, '--yes', '--approve', 'workflow.spec']);
  expect(run, run.stdout).toMatchObject({ code: 8 });
  expect(await waitingGates(scene)).toEqual(['workflow.commit']);
  expect(await git(scene, 'log', '--format=%s')).toBe('Start');
  await answer(scene, 'workflow.commit', 'No commit');
  const end = await workflow(scene, [TASK, ...QUICK]);
  expect(end, end.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await git(scene, 'log', '--format=%s')).toBe('Start');
  expect(await read(scene, 'src/add.js')).toContain('a + b');
});

test('layer 2 sends the implementer back twice by itself, then a person accepts, and the commit says so', async () => {
  const scene = await workflowScene({ evaluator: fail('L2') });
  const run = await workflow(scene, [TASK, ...QUICK], { ...GO, 'workflow.qa': 'Accept as-is' });
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(rolesCalled(scene).filter((role) => role === 'generator-single')).toHaveLength(3);
  expect(scene.asked.filter(({ role }) => role === 'generator-single')[1]!.text).toContain('FAIL L2 — not good');
  expect(run.stderr).toContain('attempt 2/2');
  expect((await lastCommit(scene)).trailers).toContain('no (accepted by a person: layer 2 failed)');
});

test('layer 2 that passes after a retry leads to a verified commit', async () => {
  const scene = await workflowScene({
    'generator-single': `${MEND}\nif grep -q 'FAIL L2' "$PROMPT"; then echo '// better' >> src/add.js; fi`,
    evaluator: `if grep -q better src/add.js; then ${output('### Verdict: PASS')}; ${say('PASS — good')}; else ${fail('L2')}; fi`,
  });
  const run = await workflow(scene, [TASK, ...QUICK], GO);
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await read(scene, 'src/add.js')).toContain('// better');
});

test('a link out of the project that the first attempt left is found after the second as well; taken out again it is gone', async () => {
  const leave = `${MEND}\n[ -L src/machine ] || ln -s /etc/hostname src/machine`;
  const kept = await workflowScene({ 'generator-single': leave });
  const stopped = await workflow(kept, [TASK, ...QUICK], { ...GO, 'workflow.qa': 'Stop' });
  expect(stopped.stdout, stopped.stdout).toContain('a symbolic link points outside the project');
  expect(rolesCalled(kept).filter((role) => role === 'generator-single').length).toBeGreaterThan(1);
  expect(rolesCalled(kept)).not.toContain('evaluator');
  const mended = await workflowScene({
    'generator-single': `${MEND}\nif [ -L src/machine ]; then rm src/machine; else ln -s /etc/hostname src/machine; fi`,
  });
  const run = await workflow(mended, [TASK, ...QUICK], GO);
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(rolesCalled(mended).filter((role) => role === 'generator-single')).toHaveLength(2);
});

test('names that are one on some machines, left by the first attempt, are found after the second as well', async () => {
  const leave = `${MEND}\n[ -e src/Word.js ] || { echo 'export const word = 1;' > src/Word.js; echo 'export const word = 2;' > src/word.js; }`;
  const kept = await workflowScene({ 'generator-single': leave });
  const stopped = await workflow(kept, [TASK, ...QUICK], { ...GO, 'workflow.qa': 'Stop' });
  expect(stopped.last, stopped.stdout).not.toMatchObject({ outcome: 'verified' });
  expect(rolesCalled(kept).filter((role) => role === 'generator-single').length).toBeGreaterThan(1);
  expect(rolesCalled(kept)).not.toContain('evaluator');
});

test('a test that the approved spec lets change is judged in its new version; without that line a person is asked', async () => {
  const change = `sed -i 's/one, 1/one, 2/' test/one.test.js
sed -i 's/= 1/= 2/' src/one.js
${output('- src/one.js')}; ${say('changed 2 files — one')}`;
  const plan = (line: string): string => `${output('# Spec', 'One is two.', line)}; ${say('spec written — one is two')}`;
  const named = await workflowScene({
    'planner-single': plan('- May change: `test/one.test.js` (one is two now)'),
    'generator-single': change,
  });
  const run = await workflow(named, [TASK, ...QUICK], { ...GO, 'workflow.spec': undefined });
  expect(run.code).toBe(8);
  expect((await harness(named, 'gates')).stdout).toContain('These tests may change if you proceed');
  const built = await workflow(named, [TASK, ...QUICK], GO);
  expect(built, built.stdout + built.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  const silent = await workflowScene({ 'planner-single': plan('Nothing else.'), 'generator-single': change });
  const refused = await workflow(silent, [TASK, ...QUICK], GO);
  expect(refused.stdout + refused.stderr).toContain('accepted tests were changed');
  expect(refused, refused.stdout).toMatchObject({ code: 8 });
  expect(rolesCalled(silent)).toEqual(['planner-single', 'generator-single']);
});
