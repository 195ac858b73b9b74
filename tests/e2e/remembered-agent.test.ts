/** A session remembers the agent that it was begun with, and the user's own settings may name one for every directory. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calculator } from './calculator.ts';
import { ANSWERS, specScene, specWith, TASK as SPEC_TASK } from './spec-support.ts';
import { eventsOf, harness, read, type Run, type Scene } from './support.ts';
import { GO, QUICK, TASK, workflow, workflowScene } from './workflow-scene.ts';

async function withAnswers(scene: Scene, answers: object, ...args: string[]): Promise<Run> {
  const file = join(scene.folder, 'later.json');
  await writeFile(file, JSON.stringify(answers));
  return await harness(scene, ...args, '--json', '--answers', file);
}

async function setUser(scene: Scene, text: string): Promise<void> {
  await mkdir(scene.env['HARNESS_HOME']!, { recursive: true });
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), text);
}

test('a resumed spec goes on with its agent, mode and models, also into what follows it', async () => {
  const scene = await specScene({
    'workflow/planner-single': `printf '# Spec\\nExport\\n' > "$HARNESS_OUTPUT"; echo 'spec written — export'`,
  });
  const first = { ...ANSWERS, 'spec.conventions': undefined };
  expect((await specWith(scene, first, SPEC_TASK, '--mode', 'deep', '--model-config', 'economy')).code).toBe(8);
  const answers = {
    ...ANSWERS,
    'spec.next': 'Start /workflow',
    'workflow.mode': 'single',
    'workflow.model': 'default',
    'workflow.conventions': 'Skip',
  };
  const run = await withAnswers(scene, answers, 'spec');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 8 });
  const starts = eventsOf(run, 'session.start');
  expect(new Set(starts.map((event) => event['backend']))).toEqual(new Set(['command']));
  expect(starts.map((event) => event['prompt'])).toContain('planner-single');
  const later = await withAnswers(scene, { 'workflow.spec': { option: 'Modify', text: 'shorter' } }, 'workflow');
  expect(eventsOf(later, 'session.start'), later.stdout + later.stderr).toMatchObject([{ backend: 'command' }]);
});

test('a spec that waited before its mode was asked still knows what it was begun with', async () => {
  const scene = await specScene({}, { files: { [`docs/harness/order-export-as-csv-for-the-back-office/spec.md`]: 'earlier\n' } });
  expect((await specWith(scene, {}, SPEC_TASK, '--mode', 'deep', '--model-config', 'economy')).code).toBe(8);
  const run = await withAnswers(scene, { ...ANSWERS, 'spec.slug-collision': 'Overwrite' }, 'spec');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
  expect(eventsOf(run, 'gate.answered').map((event) => event['id'])).not.toContain('spec.mode');
  expect(eventsOf(run, 'session.start').map((event) => event['prompt'])).toContain('risk-auditor');
});

test('a resumed workflow goes on with its agent; another one that is named takes its place', async () => {
  const scene = await workflowScene();
  expect((await workflow(scene, [TASK, ...QUICK], { ...GO, 'workflow.spec': undefined })).code).toBe(8);
  const other = await harness(scene, 'workflow', '--json', '--agent-command', 'exit 5');
  expect(other.code).toBe(8);
  expect(JSON.parse(await read(scene, '.harness/state.json'))).toMatchObject({ agent: { backend: 'command', command: 'exit 5' } });
  expect((await harness(scene, 'workflow', '--json', '--agent-command', `sh "${scene.agent}"`)).code).toBe(8);
  const run = await withAnswers(scene, GO, 'workflow');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test("the user's own settings name the agent where nothing else does, and only there", async () => {
  const scene = await workflowScene();
  await setUser(scene, `agent:\n  backend: command\n  command: sh "${scene.agent}"\n`);
  const run = await withAnswers(scene, GO, 'workflow', TASK, ...QUICK);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  const project = await calculator();
  await setUser(project, 'agent:\n  command: my-agent\n');
  expect((await harness(project, 'init', '--features', 'features.json')).code).toBe(0);
  expect(await read(project, '.harness.yaml')).toMatch(/backend: command\n\s+command: my-agent/);
  await setUser(project, 'agent:\n  backend: nobody\n');
  const wrong = await harness(project, 'run');
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('agent.backend') });
});
