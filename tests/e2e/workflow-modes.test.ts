/** A bug is mended from task to commit, in each mode. */
import { expect, test } from 'vitest';
import { eventsOf, exists, git, read } from './support.ts';
import { DOCS, GO, lastCommit, QUICK, rolesCalled, say, SLUG, TASK, workflow, workflowScene } from './workflow-scene.ts';
import { join } from 'node:path';

test('single mode goes from task to commit', async () => {
  const scene = await workflowScene();
  const before = await git(scene, 'rev-parse', 'HEAD');
  const run = await workflow(scene, [TASK, ...QUICK], GO);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', exit_code: 0 } });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single', 'evaluator']);
  const commit = await lastCommit(scene);
  expect(commit).toMatchObject({ subject: TASK, files: ['src/add.js', 'test/add.test.js'], branch: `harness/${SLUG}` });
  expect(commit.trailers).toContain('Harness-Verified: yes');
  expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(before);
  expect(await git(scene, 'rev-parse', 'main')).toBe(before);
  expect(await git(scene, 'status', '--porcelain')).toBe('');
  expect(await read(scene, 'src/add.js')).toContain('a + b');
  expect(await exists(join(scene.project, DOCS))).toBe(false);
  expect(await exists(join(scene.project, '.harness', 'state.json'))).toBe(false);
});

test('standard mode: two proposals at once, synthesis, plan, advice, code, evaluation', async () => {
  const long = (name: string): string =>
    `{ head -c 30000 /dev/zero | tr '\\0' x; echo THE-END; } > "$HARNESS_OUTPUT"; ${say(`${name} written — long`)}`;
  const scene = await workflowScene({ architect: long('proposal'), 'combined-advisor': long('review') });
  const run = await workflow(scene, [TASK, '--mode', 'standard', '--model-config', 'balanced'], GO);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  const [first, second, ...rest] = rolesCalled(scene);
  expect([first, second].toSorted()).toEqual(['architect', 'senior-developer']);
  expect(rest).toEqual(['synthesis-standard', 'lead-developer', 'combined-advisor', 'implementation-standard', 'evaluator']);
  expect((await lastCommit(scene)).files).toEqual(['src/add.js', 'test/add.test.js']);
  for (const [role, rest] of [
    ['synthesis-standard', 6_008],
    ['implementation-standard', 18_008],
  ] as const) {
    const { text } = scene.asked.find((one) => one.role === role)!;
    expect(text).toContain(`[the rest, ${rest} characters, is left out]`);
    expect(text).not.toContain('THE-END');
  }
  for (const role of ['architect', 'lead-developer', 'implementation-standard']) {
    const { text } = scene.asked.find((one) => one.role.endsWith(role))!;
    expect(text).toMatch(/The checks that the harness runs\n\n- build: none is known; the harness runs none\n- tests: `npm test`/);
    expect(text).toMatch(/Conventions of this project\n\n(?:~~~ data: conventions|\()/);
  }
});

test('multi mode: three proposals, three critiques, two advisors', async () => {
  const scene = await workflowScene();
  const run = await workflow(scene, [TASK, '--mode', 'multi', '--model-config', 'economy'], GO);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  const roles = rolesCalled(scene);
  expect(roles.slice(0, 3).toSorted()).toEqual(['architect', 'qa-specialist', 'senior-developer']);
  expect(roles.slice(3, 6)).toEqual(['cross-critique', 'cross-critique', 'cross-critique']);
  expect(roles.slice(6, 8)).toEqual(['synthesis', 'lead-developer']);
  expect(roles.slice(8, 10).toSorted()).toEqual(['code-quality-advisor', 'test-stability-advisor']);
  expect(roles.slice(10)).toEqual(['implementation', 'evaluator']);
  expect((await lastCommit(scene)).branch).toBe(`harness/${SLUG}`);
});

test('models follow the preset: advisors, executors and the evaluator get theirs', async () => {
  const scene = await workflowScene();
  const run = await workflow(scene, [TASK, '--mode', 'standard', '--model-config', 'executor:haiku,evaluator:sonnet'], GO);
  const models = Object.fromEntries(eventsOf(run, 'session.start').map((event) => [event['prompt'], event['model']]));
  expect(models['architect']).toContain('opus');
  expect(models['implementation-standard']).toContain('haiku');
  expect(models['lead-developer']).toContain('haiku');
  expect(models['combined-advisor']).toContain('opus');
  expect(models['evaluator']).toContain('sonnet');
});
