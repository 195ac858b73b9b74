/** Changed old tests, settings of tools and new dependencies are a question of their own at once, as in the project flow. */
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { git, harness, read } from './support.ts';
import {
  answer,
  GO,
  lastCommit,
  MEND,
  QUICK,
  rolesCalled,
  stateOf,
  TASK,
  waitingGates,
  whenAsked,
  workflow,
  workflowScene,
  type WorkflowScene,
} from './workflow-scene.ts';

const START = { 'workflow.conventions': 'Skip', 'workflow.spec': 'Proceed' };
const CHANGE_OLD_TEST = `${MEND}\nsed -i 's/one, 1/one + 1, 2/' test/one.test.js`;
const ADD_PACKAGE = `${MEND}\nsed -i 's/"type": "module",/"type": "module", "dependencies": { "left-pad": "1.3.0" },/' package.json`;
const CHANGE_SCRIPT = `${MEND}\nsed -i 's/node --test/node --test --test-reporter=tap/' package.json`;

const asksOnce = async (scene: WorkflowScene, gate: string): Promise<string> => {
  const first = await workflow(scene, [TASK, ...QUICK], START);
  expect(first, first.stdout + first.stderr).toMatchObject({ code: 8 });
  expect(await waitingGates(scene)).toEqual([gate]);
  expect(await workflow(scene, [TASK, ...QUICK, '--yes'])).toMatchObject({ code: 8 });
  expect(await stateOf(scene)).toMatchObject({ phase: 'verify_done', verify: { layer1_retries: 0 } });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single']);
  return (await harness(scene, 'gates')).stdout;
};

test('a changed old test is asked about with what was changed; accepted it counts as it is, and nobody is asked again', async () => {
  const scene = await workflowScene({ 'generator-single': CHANGE_OLD_TEST });
  const shown = await asksOnce(scene, 'workflow.tampering');
  expect(shown).toContain('test/one.test.js');
  expect(shown).toContain("+test('one is one', () => assert.equal(one + 1, 2));");
  await answer(scene, 'workflow.tampering', 'Accept');
  const run = await workflow(scene, [TASK, ...QUICK], { 'workflow.commit': 'Commit code only' });
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single', 'evaluator']);
  expect(await lastCommit(scene)).toMatchObject({
    files: ['src/add.js', 'test/add.test.js', 'test/one.test.js'],
    trailers: expect.stringContaining('Harness-Verified: yes (layers 1 to 3; a person accepted changes of test/one.test.js)'),
  });
  expect(await waitingGates(scene)).toEqual([]);
});

test('refused, it goes back to the implementer with what the person says', async () => {
  const undo = `git checkout -q -- test/one.test.js 2>/dev/null || sed -i 's/one + 1, 2/one, 1/' test/one.test.js\n${MEND}`;
  const scene = await workflowScene({ 'generator-single': whenAsked('data: failure', undo, CHANGE_OLD_TEST) });
  const answers = { ...GO, 'workflow.tampering': { option: 'Reject', text: 'leave the old test alone' } };
  const run = await workflow(scene, [TASK, ...QUICK], answers);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single', 'generator-single', 'evaluator']);
  expect(scene.asked[2]!.text).toContain('leave the old test alone');
  expect(scene.asked[3]!.text).not.toContain('leave the old test alone');
  expect((await lastCommit(scene)).files).toEqual(['src/add.js', 'test/add.test.js']);
});

test.skipIf(!isLong).each([
  ['a new dependency', ADD_PACKAGE, 'workflow.dependencies', /left-pad/],
  ["a tool's settings", CHANGE_SCRIPT, 'workflow.tampering', /--test-reporter=tap/],
])('%s is asked about too, and lands once it is accepted', async (_, implementer, gate, words) => {
  const scene = await workflowScene({ 'generator-single': implementer });
  expect(await asksOnce(scene, gate)).toMatch(words);
  const run = await workflow(scene, [TASK, ...QUICK], { [gate]: 'Accept', 'workflow.commit': 'Commit code only' });
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await git(scene, 'show', 'HEAD:package.json')).toMatch(words);
});

test.skipIf(!isLong)('a named step asks as well; refused there, it ends as a failure and sends nobody back', async () => {
  const scene = await workflowScene({ 'generator-single': CHANGE_OLD_TEST });
  await workflow(scene, ['plan', TASK, ...QUICK], { 'workflow.conventions': 'Skip' });
  await workflow(scene, ['generate'], { 'workflow.spec': 'Proceed' });
  const asked = await workflow(scene, ['verify']);
  expect(asked, asked.stdout + asked.stderr).toMatchObject({ code: 8 });
  expect((await read(scene, (await stateOf(scene))['docs_path'] + 'verify_report.md')).split('\n')[0]).toMatch(
    /FAIL — integrity: .*test\/one\.test\.js/,
  );
  const refused = await workflow(scene, ['verify'], { 'workflow.tampering': 'Reject' });
  expect(refused, refused.stdout + refused.stderr).toMatchObject({ code: 4, last: { outcome: 'rejected' } });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single']);
});
