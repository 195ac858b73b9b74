/** Interruptions and roles that leave nothing: the same command goes on. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { harness, read, startHarness } from './support.ts';
import {
  answer,
  FORGET,
  GO,
  QUICK,
  rolesCalled,
  say,
  stateOf,
  TASK,
  waitingGates,
  whenAsked,
  withAgent,
  workflow,
  workflowScene,
} from './workflow-scene.ts';

test('an interrupt while an agent works ends with 130, and the same command finishes the work', async () => {
  const scene = await workflowScene({ 'planner-single': 'sleep 60' });
  const file = join(scene.folder, 'answers.json');
  await writeFile(file, JSON.stringify(GO));
  const args = ['workflow', TASK, ...QUICK, '--json', '--agent-command', `sh "${scene.agent}"`, '--answers', file];
  const started = startHarness(scene, args);
  while (!started.seen().includes('"agent.tool"')) await new Promise((resolve) => setTimeout(resolve, 50));
  started.child.kill('SIGINT');
  const run = await started.ended;
  expect(run, run.stdout).toMatchObject({ code: 130, last: { reasons: ['interrupted'] } });
  expect(await stateOf(scene)).toMatchObject({ phase: 'planning' });
  const healed = await withAgent(scene, {});
  const end = await workflow(healed, [TASK, ...QUICK], GO);
  expect(end, end.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test('a role that was cut off with the harness is in the books of the next command, with what it had reported', async () => {
  const usage = `echo '{"type":"usage","input_tokens":10,"output_tokens":1,"cost_usd":0.25}'`;
  const scene = await workflowScene({ 'planner-single': `${usage}; sleep 60` });
  const file = join(scene.folder, 'answers.json');
  await writeFile(file, JSON.stringify(GO));
  const started = startHarness(scene, ['workflow', TASK, ...QUICK, '--json', '--agent-command', `sh "${scene.agent}"`, '--answers', file]);
  while (!started.seen().includes('"agent.usage"')) await new Promise((resolve) => setTimeout(resolve, 50));
  started.child.kill('SIGKILL');
  await started.ended;
  const end = await workflow(await withAgent(scene, {}), [TASK, ...QUICK], GO);
  expect(end, end.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await read(scene, '.harness/costs.yaml')).toMatch(/total_sessions: 4\n[^]*total_cost_usd: 0.25\n/);
  const told = await harness(scene, 'log', 'session', '1', '--json');
  expect(JSON.parse(told.stdout)).toMatchObject({
    summary: { role: 'workflow/planner-single', outcome: 'partial', reasons: ['interrupted'], cost_usd: 0.25 },
  });
});

test('the file of an earlier try is not taken for the file of a later one', async () => {
  const scene = await workflowScene({ 'generator-single': whenAsked('data: failure', say('changed 0 files — forgot the file'), FORGET) });
  const run = await workflow(scene, [TASK, ...QUICK], GO);
  expect(run, run.stdout).toMatchObject({ code: 10, last: { reasons: ['agent.failed'] } });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single', 'generator-single', 'generator-single']);
  expect(await stateOf(scene)).toMatchObject({ phase: 'generating', verify: { layer1_retries: 1 } });
});

test('a set-up that waits is not lost to another task without a question', async () => {
  const scene = await workflowScene();
  expect((await workflow(scene, [TASK])).code).toBe(8);
  expect((await workflow(scene, ['another task'])).code).toBe(8);
  expect(await waitingGates(scene)).toContain('workflow.session');
  await answer(scene, 'workflow.session', 'Restart');
  expect((await workflow(scene, ['another task'])).code).toBe(8);
  expect(await stateOf(scene)).toMatchObject({ task: 'another task' });
  expect(await waitingGates(scene)).toEqual(['workflow.mode']);
});
