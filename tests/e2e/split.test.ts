/** A feature that is too large: a split that an agent proposes and a person accepts, changes or refuses. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, projectWithAgent, settingsFor, setAgent } from './calculator.ts';
import { eventsOf, gates, git, harness, makeScene, read, write, type Run, type Scene } from './support.ts';

const STEPS = Array.from({ length: 9 }, (_, index) => `step ${index + 1}`);
const FEATURES = `{
  "project": "calculator",
  "features": [
    { "id": 1, "description": "A user adds two numbers", "test_file": "test/add.test.js", "passes": true },
    { "id": 2, "description": "A user manages sums", "test_file": "test/sums.test.js", "verification_steps": ${JSON.stringify(STEPS)}, "depends_on": [1], "passes": false },
    { "id": 3, "description": "A user prints sums", "test_file": "test/print.test.js", "depends_on": [2], "passes": false }
  ]
}
`;

const PROPOSES = `cat > "$HARNESS_OUTPUT" <<'END'
${JSON.stringify({
  parts: [
    { description: 'A user sees sums', test_file: 'test/see.test.js', verification_steps: STEPS.slice(0, 5) },
    { description: 'A user deletes sums', test_file: 'test/delete.test.js', verification_steps: STEPS.slice(5), after: [1] },
  ],
})}
END`;

async function large(answers: Record<string, unknown>): Promise<{ scene: Scene; code: number | null; text: string }> {
  const scene = await makeScene({ ...FILES, 'features.json': FEATURES, '.harness.yaml': settingsFor('') });
  await setAgent(scene, PROPOSES);
  await write(scene, { 'untracked-answers.json': JSON.stringify(answers) });
  const run = await harness(scene, 'init', '--features', 'features.json', '--answers', join(scene.project, 'untracked-answers.json'));
  return { scene, code: run.code, text: run.stdout + run.stderr };
}

async function list(scene: Scene): Promise<{ id: number; depends_on?: number[]; description: string }[]> {
  return (JSON.parse(await read(scene, 'features.json')) as { features: { id: number; description: string }[] }).features;
}

test('accepted: the list is rewired in a commit of its own', async () => {
  const { scene, code, text } = await large({ 'project.large-feature': 'Split feature', 'project.split:2': 'Apply split' });
  expect(code, text).toBe(0);
  expect((await list(scene)).map(({ id, depends_on }) => [id, depends_on])).toEqual([
    [1, undefined],
    [4, [1]],
    [5, [4]],
    [3, [4, 5]],
  ]);
  expect(await git(scene, 'log', '-1', '--format=%s')).toBe('Split feature #2 into #4, #5');
  expect(await git(scene, 'diff', '--name-only', 'HEAD^', 'HEAD')).toBe('features.json');
});

test('changed by the person, then applied; a circle in the edited file is refused', async () => {
  const { scene, code, text } = await large({ 'project.large-feature': 'Split feature' });
  expect(code, text).toBe(8);
  expect(text).toContain('~ #3 depends on #4, #5');
  const file = join(scene.project, '.harness/split-2.json');
  const proposal = JSON.parse(await readFile(file, 'utf8')) as { parts: { description: string; after?: number[] }[] };
  proposal.parts[0]!.after = [2];
  await writeFile(file, JSON.stringify(proposal));
  await harness(scene, 'answer', 'project.split', 'Apply split');
  const refused = await harness(scene, 'run');
  expect(refused.stdout + refused.stderr).toContain('can only come after parts before it');
  expect((await list(scene)).map(({ id }) => id)).toEqual([1, 2, 3]);
  proposal.parts[0]!.after = [];
  proposal.parts[0]!.description = 'A user reads sums';
  await writeFile(file, JSON.stringify(proposal));
  expect(await harness(scene, 'run')).toMatchObject({ code: 3 });
  await harness(scene, 'answer', 'project.split', 'Apply split');
  await setAgent(scene, 'exit 0');
  await harness(scene, 'run');
  expect((await list(scene)).map(({ description }) => description)).toContain('A user reads sums');
});

test('a feature that a person made too large is asked about by the next run, once', async () => {
  const scene = await projectWithAgent('exit 0');
  const known = JSON.parse(await read(scene, 'features.json')) as { features: { id: number; verification_steps?: string[] }[] };
  known.features.find(({ id }) => id === 2)!.verification_steps = STEPS;
  await write(scene, { 'features.json': JSON.stringify(known) });
  await git(scene, 'commit', '-qm', 'More steps', '--', 'features.json');
  await write(scene, { 'untracked-answers.json': JSON.stringify({ 'project.large-feature': 'Proceed anyway' }) });
  const run = (): Promise<Run> => harness(scene, 'run', '--json', '--answers', join(scene.project, 'untracked-answers.json'));
  const first = await run();
  const asked = (from: Run): unknown[] => eventsOf(from, 'escalation').filter(({ trigger }) => trigger === 'project.large-feature');
  expect(asked(first), first.stdout + first.stderr).toHaveLength(1);
  expect(eventsOf(first, 'session.start')).toMatchObject([{ feature: 2 }]);
  expect(asked(await run())).toEqual([]);
});

test('a dry run asks about a feature that a person made too large, or warns if nobody is there to answer', async () => {
  const scene = await projectWithAgent('exit 0');
  const known = JSON.parse(await read(scene, 'features.json')) as { features: { id: number; verification_steps?: string[] }[] };
  known.features.find(({ id }) => id === 2)!.verification_steps = STEPS;
  await write(scene, { 'features.json': JSON.stringify(known) });
  await git(scene, 'commit', '-qm', 'More steps', '--', 'features.json');
  const answers = join(scene.folder, 'answers.json');
  await writeFile(answers, JSON.stringify({ 'project.large-feature:2': 'Proceed anyway' }));
  const preview = await harness(scene, 'run', '--dry-run', '--json', '--answers', answers);
  expect(preview.events[0]).toMatchObject({
    kind: 'session',
    first: ['project.large-feature:2 is answered with "Proceed anyway"'],
    feature: { id: 2 },
  });
});

test('refused: the list stays as it is', async () => {
  const { scene, code, text } = await large({ 'project.large-feature': 'Split feature', 'project.split:2': 'Keep feature' });
  expect(code, text).toBe(0);
  expect(await read(scene, 'features.json')).toBe(FEATURES);
});

test('in an adopted list, a large feature is the question of the next run, and an estimate that the steps contradict is told', async () => {
  const estimated = FEATURES.replace(
    '"description": "A user prints sums",',
    '"description": "A user prints sums", "size_estimate": "large", "verification_steps": ["1", "2"],',
  );
  const scene = await makeScene({ ...FILES, 'features.json': estimated, '.harness.yaml': settingsFor('') });
  await setAgent(scene, 'exit 0');
  const init = await harness(scene, 'init', '--features', 'features.json');
  expect(init.code, init.stderr).toBe(0);
  const told = /feature #3 is estimated large \(6-7 verification steps\) and has 2: that is small/;
  expect(init.stdout).toMatch(told);
  const id = 'project.large-feature:2';
  const shown = await harness(scene, 'run', '--dry-run');
  expect(shown.stdout).toContain(`Feature #2 has 9 verification steps`);
  expect(shown.stdout).toContain(`harness answer ${id} <option>`);
  const preview = await harness(scene, 'run', '--dry-run', '--json');
  expect(preview.events[0]).toMatchObject({
    kind: 'escalated',
    asks: { id, feature: 2, options: ['Split feature', 'Proceed anyway', 'Skip'] },
  });
  expect((await gates(scene)).map((gate) => gate.id)).toEqual([id]);
  const run = await harness(scene, 'run');
  expect(run, run.stderr).toMatchObject({ code: 8, stdout: expect.stringContaining('Proceed anyway') });
  expect((await harness(scene, 'answer', 'project.large-feature', 'Proceed anyway')).code).toBe(0);
  const next = await harness(scene, 'run', '--json');
  expect(eventsOf(next, 'session.start')).toMatchObject([{ feature: 2 }]);
  expect(eventsOf(await harness(scene, 'run', '--json'), 'warning').map(({ message }) => message)).toContainEqual(
    expect.stringMatching(told),
  );
});
