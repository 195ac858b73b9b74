/** An implementer that leaves the code as it was: told as a failure, asked again, and nothing is run for it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, read } from './support.ts';
import {
  answer,
  BUGGY,
  DOCS,
  FORGET,
  GO,
  output,
  QUICK,
  rolesCalled,
  say,
  stateOf,
  TASK,
  waitingGates,
  workflow,
  workflowScene,
} from './workflow-scene.ts';

const IDLE = `${output('- `src/add.js`: adds')}; ${say('changed 1 file — all done')}`;

test('work that changed nothing does not pass: it is asked for again three times, then a person decides', async () => {
  const scene = await workflowScene({ 'generator-single': IDLE });
  const run = await workflow(scene, [TASK, ...QUICK], GO);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 8 });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single', 'generator-single', 'generator-single', 'generator-single']);
  expect(await waitingGates(scene)).toEqual(['workflow.verify']);
  expect(await read(scene, '.harness/escalation.md')).toMatch(/^workflow\.verify, [^]*^## All open questions\n\n- workflow\.verify: /m);
  expect(await read(scene, `${DOCS}/verify_report.md`)).toMatch(/^FAIL — limits: nothing was changed/);
  expect(await stateOf(scene)).toMatchObject({ verify: { layer1_result: 'FAIL' } });
  await answer(scene, 'workflow.verify', 'Continue to Evaluator');
  const end = await workflow(scene, [TASK, ...QUICK], GO);
  expect(end, end.stdout + end.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await git(scene, 'log', '--format=%s')).toBe('Start');
});

/** Without a sandbox, so that a check can leave a mark beside the project each time it is run. */
const OPEN = { ...BUGGY, '.harness.yaml': 'project:\n  name: calc\ntesting:\n  full: npm test\nsandbox:\n  mode: "off"\n' };

test('the checks are not run again on a tree that they have seen, unless a person asks for it', async () => {
  const scene = await workflowScene({ 'generator-single': FORGET }, OPEN);
  const marks = join(scene.folder, 'marks');
  const runs = async (): Promise<number> => (await readFile(marks, 'utf8')).trim().split('\n').length;
  const args = [TASK, ...QUICK, '--lint-cmd', `echo run >> '${marks}'`];
  const run = await workflow(scene, args, GO);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 8 });
  expect(rolesCalled(scene).filter((role) => role === 'generator-single')).toHaveLength(4);
  const asked = scene.asked.filter((one) => one.role.endsWith('generator-single')).map((one) => one.text);
  expect(asked[1]).toMatch(
    /retry 1 in round 1 of 3: the harness's own checks failed[\s\S]*test\/add\.test\.js::adds \(failed\)[\s\S]*-1 !== 3/,
  );
  expect(asked[3]).toContain('retry 3 in round 1 of 3');
  expect(await runs()).toBe(1);
  expect(await read(scene, `${DOCS}/verify_report.md`)).toMatch(/^FAIL — test/);
  await workflow(scene, ['verify'], GO);
  expect(await runs()).toBe(2);
});
