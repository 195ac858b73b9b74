/** Sessions that are there already: resumed, restarted, stopped, of another flow, of the first format, damaged; and single steps. */
import { mkdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exists, git, harness, read, snapshot, startHarness, write, type Scene } from './support.ts';
import {
  answersIn,
  BUGGY,
  DOCS,
  GO,
  lastCommit,
  QUICK,
  rolesCalled,
  SLUG,
  stateOf,
  TASK,
  waitingGates,
  workflow,
  workflowScene,
} from './workflow-scene.ts';

async function putState(scene: Scene, state: Record<string, unknown>): Promise<void> {
  await mkdir(join(scene.project, '.harness'), { recursive: true });
  await writeFile(join(scene.project, '.harness', 'state.json'), JSON.stringify(state));
}

test('steps one by one: plan, generate, verify, evaluate, finish; each needs the one before', async () => {
  const scene = await workflowScene();
  const missing = await workflow(scene, ['generate']);
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.stderr).toContain('harness workflow plan');
  const plan = await workflow(scene, ['plan', TASK, ...QUICK], { 'workflow.conventions': 'Skip' });
  expect(plan, plan.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await stateOf(scene)).toMatchObject({ phase: 'plan_done', run_style: 'phase' });
  expect((await workflow(scene, ['verify'])).code).toBe(2);
  expect(await workflow(scene, ['generate'])).toMatchObject({ code: 8 });
  const generated = await workflow(scene, ['generate'], { 'workflow.spec': 'Proceed' });
  expect(generated, generated.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await stateOf(scene)).toMatchObject({ phase: 'generate_done' });
  expect(await read(scene, 'src/add.js')).toContain('a - b');
  expect((await workflow(scene, ['evaluate'])).stderr).toContain('harness workflow verify');
  expect((await workflow(scene, ['verify'])).code).toBe(0);
  expect(await stateOf(scene)).toMatchObject({ phase: 'verify_done', run_style: 'step', verify: { layer1_result: 'PASS' } });
  expect((await workflow(scene, ['evaluate'])).code).toBe(0);
  expect(await stateOf(scene)).toMatchObject({ phase: 'evaluate_done' });
  const asked = await workflow(scene, []);
  expect(asked.code).toBe(8);
  expect(await waitingGates(scene)).toEqual(['workflow.session']);
  const end = await workflow(scene, [], { ...GO, 'workflow.session': 'Resume' });
  expect(end, end.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single', 'evaluator']);
});

test('an earlier session is asked about: restart begins anew, stop removes it and nothing else', async () => {
  const scene = await workflowScene();
  await workflow(scene, [TASK, ...QUICK], { 'workflow.conventions': 'Skip', 'workflow.spec': 'Stop' });
  await write(scene, { '.harness/session_state.json': '{}', [`${DOCS}/mine.md`]: 'mine\n' });
  const other = await workflow(scene, ['another task', ...QUICK]);
  expect(other.code).toBe(8);
  expect(await waitingGates(scene)).toEqual(['workflow.session']);
  const restarted = await workflow(scene, ['another task', ...QUICK], {
    'workflow.session': 'Restart',
    'workflow.conventions': 'Skip',
    'workflow.spec': 'Stop',
  });
  expect(restarted, restarted.stdout).toMatchObject({ code: 10 });
  expect(await stateOf(scene)).toMatchObject({ task: 'another task', branch: 'harness/another-task' });
  const stopped = await workflow(scene, [], { 'workflow.session': 'Stop' });
  expect(stopped, stopped.stdout).toMatchObject({ code: 10, last: { reasons: ['user_pause'] } });
  expect(await exists(join(scene.project, '.harness', 'state.json'))).toBe(false);
  expect(await read(scene, '.harness/session_state.json')).toBe('{}');
  expect(await read(scene, `${DOCS}/mine.md`)).toBe('mine\n');
  expect(await git(scene, 'log', '--format=%s')).toBe('Start');
});

test('a session of another skill is left alone until a person says so', async () => {
  const scene = await workflowScene();
  const foreign = { skill: 'memory', anything: 1 };
  await putState(scene, foreign);
  expect((await workflow(scene, [TASK, ...QUICK, '--yes'])).code).toBe(8);
  expect(await stateOf(scene)).toMatchObject(foreign);
  const cancelled = await workflow(scene, [TASK, ...QUICK], { 'workflow.session-conflict': 'Cancel' });
  expect(cancelled.code).toBe(10);
  expect(await stateOf(scene)).toMatchObject(foreign);
  const run = await workflow(scene, [TASK, ...QUICK], { ...GO, 'workflow.session-conflict': 'Delete and start' });
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test('a session of the first format goes on with its own phases and without layer 2', async () => {
  const scene = await workflowScene({ evaluator: `printf '### Verdict: PASS\\n' > "$HARNESS_OUTPUT"; echo 'PASS — fine'` });
  await write(scene, { [`${DOCS}/spec.md`]: '# Spec\nold\n' });
  await putState(scene, {
    task: TASK,
    mode: 'single',
    phase: 'gen_ready',
    round: 1,
    test_cmd: 'node --test',
    docs_path: `${DOCS}/`,
    verify: { result: null, retries: 0 },
  });
  const waits = await workflow(scene, []);
  expect(waits, waits.stdout).toMatchObject({ code: 8 });
  const run = await workflow(scene, [], { 'workflow.session': 'Resume' });
  expect(run, run.stdout).toMatchObject({ code: 8 });
  const state = await stateOf(scene);
  expect(state).toMatchObject({ phase: 'completed', verify: { result: 'PASS' } });
  expect(state['version']).toBeUndefined();
  expect(rolesCalled(scene)).toEqual(['generator-single', 'evaluator']);
  const end = await workflow(scene, [TASK], { 'workflow.commit': 'No commit' });
  expect(end, end.stdout).toMatchObject({ code: 0, last: { outcome: 'complete' } });
});

test('a session of the first format that is completed starts nothing', async () => {
  const scene = await workflowScene();
  await putState(scene, {
    task: TASK,
    mode: 'single',
    phase: 'completed',
    round: 1,
    docs_path: `${DOCS}/`,
    verify: { result: 'PASS', retries: 0 },
  });
  const before = await snapshot(scene);
  const run = await workflow(scene, []);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(rolesCalled(scene)).toEqual([]);
  expect(await waitingGates(scene)).toEqual([]);
  expect(await snapshot(scene)).toEqual(before);
  expect(await stateOf(scene)).toMatchObject({ task: TASK, phase: 'completed', round: 1, verify: { result: 'PASS', retries: 0 } });
});

test.each(['../outside/', '/etc/harness/', '.harness/x/', 'docs/other/x/', '//server/share/', 'docs/harness/memory/'])(
  'a recorded output path %s is named and never used',
  async (docs_path) => {
    const scene = await workflowScene();
    const before = await snapshot(scene);
    const model_config = { preset: 'default', executor: null, advisor: null, evaluator: null, verifier: 'haiku' };
    await putState(scene, {
      version: '2.0',
      skill: 'workflow',
      task: TASK,
      mode: 'single',
      phase: 'generate_ready',
      model_config,
      docs_path,
      has_git: true,
    });
    const run = await workflow(scene, [TASK, ...QUICK]);
    expect(run, run.stdout).toMatchObject({ code: 8 });
    expect(run.stderr).toContain(docs_path);
    expect(await waitingGates(scene)).toEqual(['workflow.session']);
    expect(rolesCalled(scene)).toEqual([]);
    expect(await snapshot(scene)).toEqual(before);
  },
);

test('a set-up is written down as it is used: the output path in plain spelling, folders for the work; unknown models are named', async () => {
  const scene = await workflowScene();
  const unknown = await workflow(scene, [TASK, '--mode', 'single', '--model-config', 'fast']);
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.stderr).toMatch(/--model-config does not know "fast".*default, all-opus, balanced or economy/);
  expect((await workflow(scene, [TASK, ...QUICK, '--output-dir', 'out\\plans/'])).code).toBe(8);
  expect(await stateOf(scene)).toMatchObject({ cli_flags: { output_dir: 'out/plans' }, docs_path: `out/plans/${SLUG}/` });
  for (const folder of ['planner', 'generator']) expect(await exists(join(scene.project, '.harness', folder))).toBe(true);
});

test('conventions whose file is gone before the plan are looked for again', async () => {
  const scene = await workflowScene();
  await workflow(scene, [TASK, ...QUICK]);
  await putState(scene, { ...(await stateOf(scene)), conventions: 'file:.harness/conventions.md' });
  expect((await workflow(scene, [TASK, ...QUICK])).code).toBe(8);
  expect(await waitingGates(scene)).toEqual(['workflow.conventions']);
  expect(await stateOf(scene)).toMatchObject({ phase: 'plan_ready', conventions: null });
  await putState(scene, { ...(await stateOf(scene)), conventions: 'file:.harness/conventions.md' });
  await write(scene, { [`${DOCS}/conventions.md`]: 'tabs, never spaces\n' });
  await workflow(scene, [TASK, ...QUICK]);
  expect(scene.asked[0]).toMatchObject({ role: 'planner-single', text: expect.stringContaining('tabs, never spaces') });
});

test('the branch of an earlier run gets a number, and dirty, detached or merging repositories are refused', async () => {
  const scene = await workflowScene();
  await git(scene, 'branch', `harness/${SLUG}`);
  await git(scene, 'checkout', '-q', '--detach');
  expect(await workflow(scene, [TASK, ...QUICK], GO)).toMatchObject({ code: 6, last: { reasons: ['git.detached'] } });
  await git(scene, 'checkout', '-q', 'main');
  await write(scene, { 'src/one.js': 'export const one = 1; // mine\n' });
  expect(await workflow(scene, [TASK, ...QUICK], GO)).toMatchObject({ code: 6, last: { reasons: ['git.dirty'] } });
  await git(scene, 'checkout', '-q', '--', '.');
  await git(scene, 'checkout', '-q', '-b', 'other');
  await git(scene, 'commit', '-q', '--allow-empty', '-m', 'beside');
  await git(scene, 'checkout', '-q', 'main');
  await git(scene, 'merge', '-q', '--no-ff', '--no-commit', 'other');
  expect(await workflow(scene, [TASK, ...QUICK], GO)).toMatchObject({ code: 6, last: { reasons: ['git.conflict'] } });
  await git(scene, 'merge', '--abort');
  await git(scene, 'branch', '-D', 'other');
  await write(scene, { 'untracked.txt': 'mine\n' });
  const run = await workflow(scene, [TASK, ...QUICK], { ...GO, 'workflow.commit': 'Commit all' });
  expect(run, run.stdout).toMatchObject({ code: 0 });
  expect(await lastCommit(scene)).toMatchObject({
    branch: `harness/${SLUG}-2`,
    files: [`${DOCS}/changes.md`, `${DOCS}/qa_report.md`, `${DOCS}/spec.md`, `${DOCS}/verify_report.md`, 'src/add.js', 'test/add.test.js'],
  });
  expect(await read(scene, 'untracked.txt')).toBe('mine\n');
});

test.each([
  ['--mode', 'standard'],
  ['--scope', 'tests/'],
  ['--max-files', '3'],
  ['--output-dir', 'elsewhere/'],
  ['--verifier-model', 'opus'],
  ['--lint-cmd', 'true'],
  ['--model-config', 'economy'],
])('%s other than that of the session is refused and not passed over', async (flag, other) => {
  const scene = await workflowScene();
  await workflow(scene, [TASK, ...QUICK], { 'workflow.conventions': 'Skip', 'workflow.spec': 'Stop' });
  const before = await stateOf(scene);
  const again = await workflow(scene, [TASK, flag, other], { 'workflow.session': 'Resume' });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(new RegExp(`with other settings: ${flag} is .*, not ${other}`)) });
  expect(await stateOf(scene)).toEqual(before);
});

test('while the models are asked about, what the set-up began with is refused, and what is asked may be given', async () => {
  const scene = await workflowScene();
  expect((await workflow(scene, [TASK, '--mode', 'single'])).code).toBe(8);
  expect(await waitingGates(scene)).toEqual(['workflow.model']);
  for (const [flag, other] of [
    ['--verifier-model', 'opus'],
    ['--mode', 'multi'],
    ['--lint-cmd', 'true'],
  ] as const) {
    const again = await workflow(scene, [TASK, flag, other]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(new RegExp(`with other settings: ${flag} is .*, not ${other}`)) });
  }
  expect(await waitingGates(scene)).toEqual(['workflow.model']);
  await workflow(scene, [TASK, '--model-config', 'economy', '--verifier-model', 'haiku']);
  expect(await stateOf(scene)).toMatchObject({ model_config: { preset: 'economy', verifier: 'haiku' } });
});

test('another task sets the open one aside, each is resumed by its text or name, and --yes works on the task that was given', async () => {
  const scene = await workflowScene();
  await workflow(scene, [TASK, ...QUICK], { 'workflow.conventions': 'Skip', 'workflow.spec': 'Stop' });
  const asked = await workflow(scene, ['another task', ...QUICK]);
  expect(asked.code).toBe(8);
  const [gate] = JSON.parse((await harness(scene, 'gates', '--json')).stdout) as {
    id: string;
    options: { label: string; recommended: boolean }[];
  }[];
  expect(gate).toMatchObject({ id: 'workflow.session' });
  expect(gate!.options.slice(0, 2)).toMatchObject([
    { label: 'Start the new task', recommended: true },
    { label: 'Resume', recommended: false },
  ]);
  const other = await workflow(scene, ['another task', ...QUICK, '--yes']);
  expect(other, other.stdout).toMatchObject({ code: 8, last: { reasons: ['gate.pending'] } });
  expect(other.stdout).toContain(`harness workflow \\"${TASK}\\"`);
  expect(await stateOf(scene)).toMatchObject({ task: 'another task', branch: 'harness/another-task', phase: 'plan_done' });
  expect(await waitingGates(scene)).toEqual(['workflow.spec']);
  expect(await exists(join(scene.project, '.harness', 'set_aside', SLUG, 'state.json'))).toBe(true);
  const back = await workflow(scene, [SLUG], { 'workflow.session': 'Start the new task' });
  expect(back, back.stdout).toMatchObject({ code: 8 });
  expect(await stateOf(scene)).toMatchObject({ task: TASK, phase: 'plan_done', conventions: 'skipped' });
  expect(await git(scene, 'branch', '--show-current')).toBe(`harness/${SLUG}`);
  expect(await exists(join(scene.project, '.harness', 'set_aside', SLUG))).toBe(false);
  const end = await workflow(scene, [TASK], GO);
  expect(end, end.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  const again = await workflow(scene, ['another task'], GO);
  expect(again, again.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(rolesCalled(scene).filter((role) => role === 'planner-single')).toHaveLength(2);
});

test('the text of the open task resumes it without a question, and the status is shown once where there is one', async () => {
  const scene = await workflowScene();
  const stop = { 'workflow.conventions': 'Skip', 'workflow.spec': 'Stop' };
  await workflow(scene, [TASK, ...QUICK], stop);
  expect(await workflow(scene, [`  ${TASK} `])).toMatchObject({ code: 8 });
  expect(await waitingGates(scene)).toEqual(['workflow.spec']);
  await workflow(scene, [TASK, ...QUICK], stop);
  for (const answers of [{}, { 'workflow.session': 'Resume' }]) {
    const bare = await startHarness(scene, [
      'workflow',
      '--agent-command',
      `sh "${scene.agent}"`,
      '--answers',
      await answersIn(scene, answers),
    ]).ended;
    expect(`${bare.stdout}${bare.stderr}`.match(/Round +: 1/g), bare.stderr).toHaveLength(1);
  }
});

test.each(['docs/harness', 'docs/harness/'])('%s itself is no output of one task, whatever lies in it', async (output) => {
  const scene = await workflowScene({}, { ...BUGGY, 'docs/harness/spec.md': '# of all\n' });
  expect(await workflow(scene, [TASK, ...QUICK, '--output-dir', output], { 'workflow.conventions': 'Skip' })).toMatchObject({ code: 8 });
  expect(await stateOf(scene)).toMatchObject({ docs_path: `${DOCS}/` });
  await putState(scene, { ...(await stateOf(scene)), docs_path: 'docs/harness/' });
  const refused = await workflow(scene, [TASK]);
  expect(refused.stderr).toContain('docs/harness/');
  expect(await waitingGates(scene)).toContain('workflow.session');
});

test('the language is what the files say', async () => {
  const scene = await workflowScene();
  await workflow(scene, [TASK, ...QUICK]);
  expect(await stateOf(scene)).toMatchObject({ lang: 'javascript' });
});

test('abort ends a workflow where there is no project, and what it had set aside comes back', async () => {
  const scene = await workflowScene();
  await write(scene, { '.harness.yaml': 'project: { name: calc }\ntesting: { full: npm test }\ngit: { on_dirty: stash }\n' });
  await write(scene, { 'src/one.js': 'export const one = 1; // mine\n' });
  await workflow(scene, [TASK, ...QUICK]);
  expect(await read(scene, 'src/one.js')).not.toContain('mine');
  await unlink(join(scene.project, '.harness.yaml'));
  expect(await harness(scene, 'abort')).toMatchObject({ code: 8 });
  const aborted = await harness(scene, 'abort', '--approve', 'project.abort', '--json');
  expect(aborted, aborted.stderr).toMatchObject({ code: 0 });
  expect(await exists(join(scene.project, '.harness'))).toBe(false);
  expect(await read(scene, 'src/one.js')).toContain('mine');
  expect(await harness(scene, 'abort')).toMatchObject({ code: 2, stderr: expect.stringContaining('.harness.yaml') });
});
