/** A bug is mended from task to commit, in each mode. */
import { expect, test } from 'vitest';
import { exists, git, read } from './support.ts';
import { DOCS, GO, lastCommit, QUICK, rolesCalled, SLUG, TASK, workflow, workflowScene } from './workflow-scene.ts';
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
