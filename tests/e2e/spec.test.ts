/** `harness spec`: from a sentence to an approved spec, with answers given beforehand and one at a time. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ANSWERS, DOCS, SECTIONS, spec, specScene, specWith, standing, TASK } from './spec-support.ts';
import { eventsOf, exists, gates, git, harness, read } from './support.ts';

const rolesOf = (run: Awaited<ReturnType<typeof spec>>): unknown[] => eventsOf(run, 'session.start').map((event) => event['prompt']);

test('a quick spec is written from the answers in one go, and its documents are kept', async () => {
  const scene = await specScene();
  const head = await git(scene, 'rev-parse', 'HEAD');
  const run = await specWith(scene, ANSWERS, TASK, '--mode', 'quick');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { type: 'end', outcome: 'complete', exit_code: 0 } });
  expect(rolesOf(run)).toEqual(['discovery-analyst', 'discovery-analyst', 'synthesis']);
  expect((await read(scene, `${DOCS}/spec.md`)).match(/^## .+$/gm)).toEqual(SECTIONS.map((section) => `## ${section}`));
  expect(await read(scene, `${DOCS}/qa_notes.md`)).toBe(
    '1. Q: Who uses it?\n   A: The back office\n2. Q: Which columns?\n   A: [unconfirmed]\n',
  );
  expect(await exists(join(scene.project, '.harness/state.json'))).toBe(false);
  expect(await exists(join(scene.project, '.harness/spec'))).toBe(false);
  expect(await standing(scene)).toEqual({
    branch: 'harness/spec-order-export-as-csv-for-the-back-office',
    untracked: [`${DOCS}/qa_notes.md`, `${DOCS}/spec.md`],
  });
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(head);
});

test('a spec that is begun in a sub-directory comes to its end, with its documents at the top of the repository', async () => {
  const scene = await specScene({}, { files: { 'packages/shop/index.js': 'export const shop = 1;\n' } });
  const below = { ...scene, project: join(scene.project, 'packages/shop') };
  const waits = await specWith(below, { ...ANSWERS, 'spec.approval': undefined }, TASK, '--mode', 'quick');
  expect(waits, waits.stdout + waits.stderr).toMatchObject({ code: 8 });
  expect((await gates(below)).map(({ id }) => id)).toEqual(['spec.approval']);
  const run = await specWith(below, ANSWERS, TASK, '--mode', 'quick');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await standing(scene)).toMatchObject({ untracked: [`${DOCS}/qa_notes.md`, `${DOCS}/spec.md`] });
  expect(await exists(join(scene.project, '.harness/state.json'))).toBe(false);
  expect(await exists(join(below.project, '.harness'))).toBe(false);
  expect(await exists(join(below.project, 'docs'))).toBe(false);
});

test('without a terminal each question waits with exit 8, is answered by hand, and the same command continues', async () => {
  const scene = await specScene();
  const asked: string[] = [];
  const answers: Record<string, string[]> = {
    'spec.mode': ['deep'],
    'spec.model': ['default'],
    'spec.conventions': ['skip'],
    'spec.questions-1': ['Answer inline', '--text', '1. The back office\n2. All of them'],
    'spec.critic': ['1'],
    'spec.approval': ['Approve'],
    'spec.next': ['Done'],
  };
  let run = await spec(scene, TASK);
  while (run.code === 8) {
    const [gate] = await gates(scene);
    asked.push(gate!.id);
    const given = await harness(scene, 'answer', gate!.id, ...answers[gate!.id]!);
    expect(given.code, given.stderr).toBe(0);
    run = await spec(scene, TASK);
  }
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(asked).toEqual(['spec.mode', 'spec.model', 'spec.conventions', 'spec.questions-1', 'spec.critic', 'spec.approval', 'spec.next']);
  expect(await read(scene, `${DOCS}/spec.md`)).toContain('Second draft');
  expect(await read(scene, `${DOCS}/critic_findings.md`)).toBe('none\n');
  expect(await gates(scene)).toEqual([]);
});
