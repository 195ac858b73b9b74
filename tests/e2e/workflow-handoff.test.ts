/** A directory that a discovery of requirements has left: used as it is, its notes kept in history, its spec never lost. */
import { expect, test } from 'vitest';
import { git, read, write } from './support.ts';
import { GO, lastCommit, output, QUICK, rolesCalled, say, stateOf, workflow, workflowScene } from './workflow-scene.ts';

const PLACE = 'docs/harness/orders';

test('an output directory with a spec is the place itself; notes are committed, working documents go', async () => {
  const scene = await workflowScene({
    'planner-single': `grep -q 'agreed' ${PLACE}/spec.md; ${output('# Spec', 'planned')}; ${say('spec written — planned')}`,
  });
  await write(scene, {
    [`${PLACE}/spec.md`]: '# Spec\nagreed\n',
    [`${PLACE}/qa_notes.md`]: 'notes\n',
    [`${PLACE}/conventions.md`]: 'two spaces\n',
    [`${PLACE}/mine.txt`]: 'mine\n',
  });
  const task = `Implement based on ${PLACE}/spec.md`;
  const args = [task, ...QUICK, '--output-dir', `${PLACE}/`];
  const waits = await workflow(scene, args);
  expect(waits, waits.stdout).toMatchObject({ code: 8 });
  expect(rolesCalled(scene)).toEqual(['planner-single']);
  expect(await stateOf(scene)).toMatchObject({
    docs_path: `${PLACE}/`,
    branch: 'harness/orders',
    conventions: 'file:.harness/conventions.md',
  });
  expect(await read(scene, `${PLACE}/spec.original.md`)).toContain('agreed');
  expect(scene.asked[0]!.text).toContain('two spaces');
  const run = await workflow(scene, args, GO);
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect((await lastCommit(scene)).files).toEqual([`${PLACE}/conventions.md`, `${PLACE}/qa_notes.md`, 'src/add.js', 'test/add.test.js']);
  expect(await read(scene, `${PLACE}/mine.txt`)).toBe('mine\n');
  expect(await git(scene, 'status', '--porcelain', '--untracked-files=all')).toBe(`?? ${PLACE}/mine.txt\n?? ${PLACE}/spec.original.md`);
});
