/** After every flow the repository is as clean as before: nothing of the harness's own shows in `git status`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HONEST, projectWithAgent } from './calculator.ts';
import { MISSION_AGENT, planOf } from './mission-agent.ts';
import { ANSWERS, DOCS, specScene, specWith, TASK as WISH } from './spec-support.ts';
import { exists, git, harness, makeScene, type Scene } from './support.ts';
import { answerIn, setAgent, workerScene, writesFunction } from './worker-agents.ts';
import { GO, QUICK, TASK, workflow, workflowScene } from './workflow-scene.ts';

async function status(scene: Scene): Promise<string> {
  return await git(scene, 'status', '--porcelain');
}

test('run, cleanup, health, sync and abort', async () => {
  const scene = await projectWithAgent(HONEST);
  const before = await status(scene);
  for (const args of [
    ['run'],
    ['health'],
    ['sync'],
    ['summary'],
    ['add-feature', 'A user divides', '--test-file', 'test/divide.test.js'],
    ['skip', '--feature', '3'],
  ]) {
    await harness(scene, ...args);
    expect(await status(scene), args.join(' ')).toBe(before);
  }
  expect((await harness(scene, 'abort', '--approve', 'project.abort')).code).toBe(0);
  expect(await status(scene)).toBe(before);
});

test('a workflow: to its commit, with one set aside for another, and aborted', async () => {
  const scene = await workflowScene();
  expect((await workflow(scene, [TASK, ...QUICK], GO)).code).toBe(0);
  expect(await status(scene)).toBe('');
  expect((await workflow(scene, ['add a division', ...QUICK], { 'workflow.conventions': 'Skip' })).code).toBe(8);
  expect((await workflow(scene, ['add a power', ...QUICK], { 'workflow.session': 'Start the new task' })).code).toBe(8);
  expect(await exists(join(scene.project, '.harness', 'set_aside'))).toBe(true);
  // The specs that wait for a person are theirs to keep or commit.
  const specs = async (): Promise<string> =>
    (await git(scene, 'status', '--porcelain', '-uall')).replaceAll(/^\?\? docs\/harness\/.*$\n?/gm, '');
  expect(await specs()).toBe('');
  expect((await harness(scene, 'abort', '--approve', 'project.abort')).code).toBe(0);
  expect(await specs()).toBe('');
});

test('a worker where nothing was set up: refused, proven, and landed after a review', async () => {
  const scene = await workerScene('exit 0');
  const task = join(scene.folder, 'task.json');
  const document = { task: 'Subtract', task_id: '1', files: ['src', 'test'], mode: 'solo', validation_commands: ['npm test'] };
  await writeFile(task, JSON.stringify({ ...document, spec_skip_reason: 'mechanical-change' }));
  await harness(scene, 'worker', '--task', task);
  expect(await status(scene)).toBe('');
  await setAgent(scene, writesFunction('subtract', '-'));
  await writeFile(task, JSON.stringify({ ...document, task_id: '2', spec_skip_reason: 'mechanical-change' }));
  const proven = await harness(scene, 'worker', '--task', task);
  expect(await answerIn(proven), proven.stderr).toMatchObject({ landing: { landed: false } });
  expect(await status(scene)).toBe('');
  const review = join(scene.folder, 'review.json');
  await writeFile(review, '{"verdict":"APPROVE"}');
  const landed = await harness(scene, 'worker', '--task', task, '--review', review);
  expect(await answerIn(landed), landed.stderr).toMatchObject({ landing: { landed: true } });
  expect(await status(scene)).toBe('');
});

test('a mission to its end, and aborted', async () => {
  const scene = await makeScene({
    'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/base.js': 'export const base = 1;\n',
    'test/base.test.js':
      "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { base } from '../src/base.js';\ntest('base', () => assert.equal(base, 1));\n",
    'SPEC.md': '# Sums\n\nDouble and add.\n',
    '.harness.yaml': 'project:\n  name: calc\ntesting:\n  full: npm test\nagent:\n  backend: command\n  command: node "$HOME/agent.mjs"\n',
  });
  const home = scene.env['HOME']!;
  await writeFile(join(home, 'agent.mjs'), MISSION_AGENT);
  await writeFile(join(home, 'plan.json'), JSON.stringify(planOf(1)));
  await writeFile(join(home, 'lies.json'), '{}');
  const run = await harness(scene, 'mission', 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(await status(scene)).toBe('');
  expect((await harness(scene, 'abort', '--approve', 'project.abort')).code).toBe(0);
  expect(await status(scene)).toBe('');
});

test('a spec leaves the documents that it is for, and nothing else', async () => {
  const scene = await specScene();
  expect((await specWith(scene, ANSWERS, WISH, '--mode', 'quick')).code).toBe(0);
  const left = (await git(scene, 'status', '--porcelain', '-uall')).split('\n');
  expect(left).toEqual([`?? ${DOCS}/qa_notes.md`, `?? ${DOCS}/spec.md`]);
});
