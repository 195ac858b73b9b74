/** A candidate that waits for a person: the gate, the answer, and what happens to the work. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HONEST, projectWithAgent, setAgent } from './calculator.ts';
import { eventsOf, gates, git, harness, read, snapshot } from './support.ts';

const WITH_A_QUESTION = `${HONEST}\necho 'logs/' >> .gitignore`;

test('a change to a protected file waits at a gate; accepting it lands exactly the candidate', async () => {
  const scene = await projectWithAgent(WITH_A_QUESTION);
  const before = await snapshot(scene);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 8, last: { outcome: 'needs_human', feature: 2 } });
  expect(await snapshot(scene)).toEqual(before);
  expect(await gates(scene)).toMatchObject([
    {
      id: 'project.tampering:2',
      header: expect.any(String),
      question: expect.stringContaining('.gitignore'),
      options: [{ label: 'Accept' }, { label: 'Reject' }],
    },
  ]);
  const waiting = await harness(scene, 'run', '--json');
  expect(waiting.code).toBe(8);
  expect(eventsOf(waiting, 'session.start')).toEqual([]);
  expect(await snapshot(scene)).toEqual(before);
  expect(await harness(scene, 'answer', 'project.tampering', 'accept')).toMatchObject({ code: 0 });
  await setAgent(scene, 'exit 0');
  const after = await harness(scene, 'run', '--json');
  expect(eventsOf(after, 'session.start'), after.stderr).toMatchObject([{ feature: 3 }]);
  expect((await git(scene, 'diff', '--name-only', 'HEAD^', 'HEAD')).split('\n')).toEqual([
    '.gitignore',
    'features.json',
    'src/subtract.js',
    'test/subtract.test.js',
  ]);
  expect(await read(scene, '.gitignore')).toContain('logs/');
  expect(await git(scene, 'status', '--porcelain')).toBe('?? untracked.txt');
});

test('rejecting it drops the candidate, and the next session tries again', async () => {
  const scene = await projectWithAgent(WITH_A_QUESTION);
  const before = await snapshot(scene);
  expect((await harness(scene, 'run')).code).toBe(8);
  expect((await harness(scene, 'answer', 'project.tampering', '2')).code).toBe(0);
  const said = '"Reject" is recorded; harness run carries it out';
  expect(await gates(scene)).toEqual([]);
  for (const screen of ['status', 'summary', 'features']) {
    const { stdout } = await harness(scene, screen);
    expect(stdout).toContain(said);
    expect(stdout).not.toMatch(/waits for a person|Waiting for you|harness gates|harness answer/);
  }
  await setAgent(scene, HONEST);
  expect(await snapshot(scene)).toEqual(before);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  expect(await read(scene, '.gitignore')).not.toContain('logs/');
});

test('an answers file decides in the same run; --yes never does', async () => {
  const scene = await projectWithAgent(WITH_A_QUESTION);
  const careless = await harness(scene, 'run', '--json', '--yes');
  expect(careless.code, careless.stderr).toBe(8);
  const other = await projectWithAgent(WITH_A_QUESTION);
  const answers = join(other.folder, 'answers.json');
  await writeFile(answers, JSON.stringify({ 'project.tampering': { option: 'Accept', text: 'looked at it' } }));
  const run = await harness(other, 'run', '--json', '--answers', answers);
  expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  expect(run.last).toMatchObject({ commit: await git(other, 'rev-parse', 'HEAD'), exit_code: 0 });
  expect(await read(other, '.gitignore')).toContain('logs/');
  const before = await snapshot(scene);
  await writeFile(answers, JSON.stringify({ 'project.tampering': 'Reject' }));
  const third = await projectWithAgent(WITH_A_QUESTION);
  const refused = await harness(third, 'run', '--json', '--answers', answers);
  expect(refused, refused.stderr).toMatchObject({ code: 4, last: { outcome: 'rejected', feature: 2, reasons: ['tamper.harness_state'] } });
  expect(Object.keys(await snapshot(third))).toEqual(Object.keys(before));
});
