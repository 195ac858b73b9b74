/** What layer 1 enforces by name, and that nothing of the user's is overwritten. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exists, git, makeScene, read, write } from './support.ts';
import { DOCS, FORGET, GO, MEND, QUICK, rolesCalled, say, stateOf, TASK, withAgent, workflow, workflowScene } from './workflow-scene.ts';

test.each([
  ['a file outside of the scope', ['--scope', 'src/**'], MEND, /FAIL — limits: .*test\/add\.test\.js/],
  ['more files than allowed', ['--max-files', '1'], MEND, /FAIL — limits: 2 files changed, 1 are allowed/],
  ['an old test removed', [], `${MEND}\nrm test/one.test.js`, /FAIL — integrity: .*test\/one\.test\.js/],
  ['an old test skipped', [], `${MEND}\nsed -i "s/^test(/test.skip(/" test/one.test.js`, /FAIL — integrity: .*test\/one\.test\.js/],
])('%s fails layer 1 by name', async (_, flags, implementer, reason) => {
  const scene = await workflowScene({ 'generator-single': implementer });
  const plan = await workflow(scene, ['plan', TASK, ...QUICK, ...flags], { 'workflow.conventions': 'Skip' });
  expect(plan, plan.stdout).toMatchObject({ code: 0 });
  await workflow(scene, ['generate'], { 'workflow.spec': 'Proceed' });
  const run = await workflow(scene, ['verify']);
  expect(run, run.stdout).toMatchObject({ code: 4, last: { outcome: 'rejected' } });
  expect(run.stdout + run.stderr).not.toMatch(/complete/i);
  expect((await read(scene, `${DOCS}/verify_report.md`)).split('\n')[0]).toMatch(reason);
  expect(await stateOf(scene)).toMatchObject({ verify: { layer1_result: 'FAIL', layer1_retries: 0 } });
  expect(rolesCalled(scene)).toEqual(['planner-single', 'generator-single']);
});

test('a verifier model, where one is asked for, words the failure and decides nothing', async () => {
  const scene = await workflowScene({ 'generator-single': FORGET, verifier: say('FAIL — the sign in add is wrong') });
  await workflow(scene, ['plan', TASK, ...QUICK, '--verifier-model', 'sonnet'], { 'workflow.conventions': 'Skip' });
  await workflow(scene, ['generate'], { 'workflow.spec': 'Proceed' });
  const run = await workflow(scene, ['verify']);
  expect(run.last).toMatchObject({ message: expect.stringContaining('the sign in add is wrong') });
  expect(await stateOf(scene)).toMatchObject({ model_config: { verifier: 'sonnet' }, verify: { layer1_result: 'FAIL' } });
  expect((await read(scene, `${DOCS}/verify_report.md`)).split('\n')[0]).toMatch(/^FAIL — test:/);
  expect((await workflow(scene, [TASK, '--verifier-model', 'gpt'])).code).toBe(2);
});

test('nothing of the user is overwritten: a file in the way is named, and the work waits', async () => {
  const scene = await workflowScene();
  expect((await workflow(scene, [TASK, ...QUICK], { 'workflow.conventions': 'Skip', 'workflow.spec': 'Proceed' })).code).toBe(8);
  await write(scene, { 'test/add.test.js': '// mine\n' });
  const refused = await workflow(scene, [TASK, ...QUICK], { 'workflow.commit': 'Commit code only' });
  expect(refused, refused.stdout).toMatchObject({ code: 6, last: { reasons: ['git.conflict'] } });
  expect(refused.stderr).toContain('test/add.test.js');
  const loose = await workflow(scene, [TASK, ...QUICK], { 'workflow.commit': 'No commit' });
  expect(loose).toMatchObject({ code: 6 });
  expect(await readFile(join(scene.project, 'test/add.test.js'), 'utf8')).toBe('// mine\n');
  expect(await read(scene, 'src/add.js')).toContain('a - b');
  expect(await git(scene, 'log', '--format=%s')).toBe('Start');
  execFileSync('rm', [join(scene.project, 'test/add.test.js')]);
  expect(await workflow(scene, [TASK, ...QUICK], GO)).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test('an output directory that a link leads out of the project is refused before anybody is paid', async () => {
  const scene = await workflowScene();
  await mkdir(join(scene.folder, 'elsewhere'));
  await mkdir(join(scene.project, 'docs'));
  await symlink(join(scene.folder, 'elsewhere'), join(scene.project, 'docs/harness'));
  const run = await workflow(scene, [TASK, ...QUICK], GO);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 2, stderr: expect.stringContaining('leads out of the project') });
  expect(rolesCalled(scene)).toEqual([]);
});

test('a spec that says nothing is built by nobody', async () => {
  const scene = await workflowScene({ 'planner-single': `printf ' \\n' > "$HARNESS_OUTPUT"; ${say('spec written — nothing')}` });
  const refused = await workflow(scene, [TASK, ...QUICK], { 'workflow.conventions': 'Skip' });
  expect(refused, refused.stdout).toMatchObject({ code: 10, last: { reasons: ['agent.failed'] } });
  const planned = await withAgent(scene, {});
  expect((await workflow(planned, [TASK, ...QUICK], {})).code).toBe(8);
  await write(planned, { [`${DOCS}/spec.md`]: '\n' });
  const emptied = await workflow(planned, [TASK, ...QUICK], { 'workflow.spec': 'Proceed' });
  expect(emptied, emptied.stdout).toMatchObject({ code: 2, stderr: expect.stringContaining('spec.md is empty') });
  expect(rolesCalled(planned)).not.toContain('generator-single');
});

test.each(['.harness', 'docs/../../etc', '\\\\server\\share', '/absolute/path', 'memory/foo', '', 'docs/other'])(
  '--output-dir %j is refused before anything is written',
  async (path) => {
    const scene = await withAgent(await makeScene({ 'a.txt': 'a\n' }), {});
    const run = await workflow(scene, [TASK, ...QUICK, '--output-dir', path], GO);
    expect(run).toMatchObject({ code: 2 });
    expect(run.stderr).toContain('--output-dir');
    expect(await exists(join(scene.project, '.harness', 'state.json'))).toBe(false);
    expect(await git(scene, 'branch', '--format=%(refname:short)')).toBe('main');
  },
);
