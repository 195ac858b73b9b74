/** What a person says at a question reaches where it says it does, a preview knows of it, and pages about reasons that are gone are gone. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claim, HONEST, projectWithAgent, setAgent } from './calculator.ts';
import { eventsOf, exists, gates, git, harness, read, snapshot, type Run, type Scene } from './support.ts';

const UNFINISHED = 'date +%N > src/half.txt';
const LIES = claim(2);
/** The journal's decisions are in every prompt in short; these words stand in a place of their own. */
const heard = (words: string): string => `grep -A2 'data: note of a person' "$TMPDIR/prompt.txt" | grep -q '${words}' || exit 7`;
const hears = (words: string): string => `${heard(words)}\nrm -f src/half.txt\n${HONEST}`;
const page = (scene: Scene): Promise<boolean> => exists(join(scene.project, '.harness/escalation.md'));

const preview = async (scene: Scene, ...args: string[]): Promise<Record<string, unknown>> => {
  const run = await harness(scene, 'run', '--dry-run', '--json', ...args);
  expect(run.code, run.stderr).toBe(0);
  return eventsOf(run, 'run.preview')[0]!;
};

async function stuck(): Promise<Scene> {
  const scene = await projectWithAgent(UNFINISHED);
  let run: Run = await harness(scene, 'run', '--json');
  while (run.code === 10) run = await harness(scene, 'run', '--json');
  expect(run.code, run.stderr).toBe(3);
  return scene;
}

test('words at a stuck feature are another try, and stand in its prompt until the feature is done', async () => {
  const scene = await stuck();
  expect(await read(scene, '.harness/escalation.md')).toContain('harness answer project.stuck:2 --text');
  expect(await harness(scene, 'answer', 'project.stuck', '--text', 'count down instead of up')).toMatchObject({ code: 0 });
  expect(await preview(scene)).toMatchObject({ kind: 'session', session: 4, feature: { id: 2 } });
  await setAgent(scene, `${heard('count down instead of up')}\n${UNFINISHED}`);
  const first = await harness(scene, 'run', '--json');
  expect(first, first.stdout + first.stderr).toMatchObject({ code: 10, last: { session: 4 } });
  expect(eventsOf(first, 'session.end')[0]!['reasons']).not.toContain('agent.failed');
  await setAgent(scene, hears('count down instead of up'));
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  await setAgent(scene, `if grep -q 'note of a person' "$TMPDIR/prompt.txt"; then exit 7; fi`);
  const next = await harness(scene, 'run', '--json');
  expect(eventsOf(next, 'session.end')[0]!['reasons'], next.stdout).not.toContain('agent.failed');
});

test('words beside a retry reach the next prompt too', async () => {
  const scene = await projectWithAgent(LIES);
  for (const code of [4, 4, 3]) expect((await harness(scene, 'run', '--json')).code).toBe(code);
  expect(await harness(scene, 'answer', 'project.repeated-failures', 'Retry', '--text', 'write the test first')).toMatchObject({ code: 0 });
  await setAgent(scene, hears('write the test first'));
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
});

test.each([{ option: 'Reject' }, { option: null }])(
  'words at a candidate that is not wanted reach the next session ($option)',
  async ({ option }) => {
    const scene = await projectWithAgent(`${HONEST}\necho 'logs/' >> .gitignore`);
    expect((await harness(scene, 'run')).code).toBe(8);
    const answered = await harness(
      scene,
      'answer',
      'project.tampering',
      ...(option === null ? [] : [option]),
      '--text',
      'leave .gitignore alone',
    );
    expect(answered, answered.stderr).toMatchObject({ code: 0 });
    await setAgent(scene, hears('leave .gitignore alone'));
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  },
);

test('where nothing can follow from words, they are refused at once with the options', async () => {
  const scene = await projectWithAgent(LIES);
  expect((await harness(scene, 'abort')).code).toBe(8);
  const refused = await harness(scene, 'answer', 'project.abort', '--text', 'I am not sure');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('1. Yes') });
  expect((await gates(scene)).map((gate) => gate.id)).toEqual(['project.abort']);
  expect((await harness(scene, 'answer', 'project.abort', '--text', 'no')).code).toBe(0);
});

test('a preview tells what a run would do with the answers that are there, and uses none of them up', async () => {
  const scene = await projectWithAgent(`${HONEST}\necho 'logs/' >> .gitignore`);
  expect((await harness(scene, 'run')).code).toBe(8);
  expect(await preview(scene)).toMatchObject({ kind: 'pending', session: null });
  const answers = join(scene.folder, 'answers.json');
  await writeFile(answers, JSON.stringify({ 'project.tampering': 'Accept' }));
  expect(await preview(scene, '--answers', answers)).toMatchObject({ kind: 'session', session: 2, feature: { id: 3 } });
  expect((await harness(scene, 'answer', 'project.tampering', 'Reject')).code).toBe(0);
  const before = await snapshot(scene, { state: true });
  const told = await preview(scene);
  expect(told).toMatchObject({ kind: 'session', session: 2, prompt: 'coding', feature: { id: 2 } });
  expect(String(told['first'])).toContain('dropped');
  expect((await harness(scene, 'run', '--dry-run')).stdout + '').toContain('#2');
  expect(await snapshot(scene, { state: true })).toEqual(before);
  await setAgent(scene, HONEST);
  const run = await harness(scene, 'run', '--json');
  expect(eventsOf(run, 'session.start'), run.stderr).toMatchObject([{ session: 2, feature: 2 }]);
});

test('a preview after Skip at a stuck feature names the next one; after an answer that hands over it names no session', async () => {
  const scene = await stuck();
  expect(await preview(scene)).toMatchObject({ kind: 'escalated' });
  await harness(scene, 'answer', 'project.stuck', 'Skip');
  expect(await preview(scene)).toMatchObject({ kind: 'session', session: 4, prompt: 'coding', feature: { id: 3 } });
  const other = await stuck();
  await harness(other, 'answer', 'project.stuck', 'Manual implement');
  expect(await preview(other)).toMatchObject({ kind: 'escalated', session: null, ends: expect.any(String) });
});

test('takeback tells of what was not committed', async () => {
  const scene = await projectWithAgent(HONEST);
  expect((await harness(scene, 'handoff')).code).toBe(0);
  await writeFile(join(scene.project, 'src/add.js'), 'export const add = (a, b) => b + a;\n');
  await writeFile(join(scene.project, 'src/new.js'), 'export const one = 1;\n');
  const json = await harness(scene, 'takeback', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ uncommitted: ['src/add.js'], untracked: ['src/new.js', 'untracked.txt'] });
  expect((await harness(scene, 'handoff')).code).toBe(0);
  const told = await harness(scene, 'takeback');
  expect(told.code, told.stderr).toBe(0);
  expect(told.stdout).toContain('not committed, so not looked at: src/add.js');
  expect(told.stdout).toContain('src/new.js');
});

test('the page about a person being needed goes with its reason', async () => {
  const scene = await projectWithAgent(LIES);
  expect((await harness(scene, 'run')).code).toBe(4);
  expect(await read(scene, '.harness/escalation.md')).toContain('project.verification-failed');
  expect((await harness(scene, 'pause')).code).toBe(0);
  expect((await harness(scene, 'resume')).code).toBe(0);
  expect(await page(scene)).toBe(true);
  await setAgent(scene, HONEST);
  expect((await harness(scene, 'run')).code).toBe(0);
  expect(await page(scene)).toBe(false);
});

test('it goes with the answer, comes again while the question stands, and goes with a skipped feature', async () => {
  const scene = await stuck();
  expect(await page(scene)).toBe(true);
  await harness(scene, 'answer', 'project.stuck', 'Abort');
  expect(await page(scene)).toBe(false);
  expect((await harness(scene, 'run', '--json')).code).toBe(8);
  expect(await read(scene, '.harness/escalation.md')).toContain('project.stuck');
  expect((await harness(scene, 'skip', '--feature', '2', '--reason', 'later')).code).toBe(0);
  expect(await page(scene)).toBe(false);
  expect((await git(scene, 'status', '--porcelain')).split('\n')).toEqual(['?? untracked.txt']);
});

test('one that a crash left behind is removed by the next command that writes', async () => {
  const scene = await projectWithAgent(HONEST);
  await writeFile(join(scene.project, '.harness/escalation.md'), '# Feature stuck\n\nproject.stuck, 2026-01-01T00:00:00.000Z\n\n## Why\n');
  expect((await harness(scene, 'pause')).code).toBe(0);
  expect(await page(scene)).toBe(false);
});
