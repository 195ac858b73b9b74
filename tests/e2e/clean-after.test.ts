/** After every flow the repository is as clean as before: nothing of the harness's own shows in `git status`. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { HONEST, projectWithAgent } from './calculator.ts';
import { MISSION_AGENT, planOf } from './mission-agent.ts';
import { ANSWERS, DOCS, specScene, specWith, TASK as WISH } from './spec-support.ts';
import { exists, git, harness, makeScene, write, type Scene } from './support.ts';
import { answerIn, setAgent, workerScene, writesFunction } from './worker-agents.ts';
import { DOCS as WORKFLOW_DOCS, GO, QUICK, SLUG, TASK, workflow, workflowScene } from './workflow-scene.ts';

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

test('a workflow that is planned and then given up leaves no document and no branch under HEAD, and an abort can be undone', async () => {
  const scene = await workflowScene();
  const start = await git(scene, 'branch', '--show-current');
  const planned = { 'workflow.conventions': 'Skip' };
  expect((await workflow(scene, [TASK, ...QUICK], planned)).code).toBe(8);
  const spec = await readFile(join(scene.project, WORKFLOW_DOCS, 'spec.md'), 'utf8');
  const aborted = await harness(scene, 'abort', '--approve', 'project.abort', '--json');
  expect(aborted, aborted.stderr).toMatchObject({ code: 0 });
  expect(await status(scene)).toBe('');
  expect(await git(scene, 'branch', '--show-current')).toBe(start);
  const { undo } = JSON.parse(aborted.stdout) as { undo: string };
  await promisify(execFile)('sh', ['-c', undo], { cwd: scene.project, env: scene.env });
  expect(await readFile(join(scene.project, WORKFLOW_DOCS, 'spec.md'), 'utf8')).toBe(spec);
  expect(await git(scene, 'branch', '--show-current')).toBe(`harness/${SLUG}`);
  expect((await workflow(scene, ['another task', ...QUICK], { 'workflow.session': 'Stop' })).code).toBe(10);
  expect(await status(scene)).toBe('');
  expect(await git(scene, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')).toBe(start);
});

test('what was there before a workflow stays when it is given up: a spec, a commit of the person', async () => {
  const scene = await workflowScene();
  await write(scene, { [`${WORKFLOW_DOCS}/spec.md`]: '# Mine\n' });
  const before = await status(scene);
  expect((await workflow(scene, [TASK, ...QUICK, '--output-dir', WORKFLOW_DOCS], { 'workflow.conventions': 'Skip' })).code).toBe(8);
  await git(scene, 'commit', '-q', '--allow-empty', '-m', 'Mine');
  expect((await harness(scene, 'abort', '--approve', 'project.abort')).code).toBe(0);
  expect(await status(scene)).toBe(before);
  expect(await readFile(join(scene.project, WORKFLOW_DOCS, 'spec.md'), 'utf8')).toBe('# Mine\n');
  expect(await git(scene, 'branch', '--show-current')).toMatch(/^harness\//);
});

test('a spec that is given up leaves nothing', async () => {
  const scene = await specScene();
  const start = await git(scene, 'branch', '--show-current');
  const { 'spec.approval': _left, ...most } = ANSWERS as Record<string, unknown>;
  expect((await specWith(scene, most, WISH, '--mode', 'quick')).code).toBe(8);
  expect(await git(scene, 'branch', '--show-current')).not.toBe(start);
  expect((await harness(scene, 'abort', '--approve', 'project.abort')).code).toBe(0);
  expect(await status(scene)).toBe('');
  expect(await git(scene, 'branch', '--show-current')).toBe(start);
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
