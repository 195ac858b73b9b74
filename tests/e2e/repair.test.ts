/** A branch that does not pass its own checks is repaired by a session before anything new, in a run without a person. */
import { expect, test } from 'vitest';
import { HONEST_BOTH, projectWithAgent } from './calculator.ts';
import { eventsOf, git, harness, read, write } from './support.ts';

const REPAIRING = `if [ -z "$HARNESS_FEATURE_ID" ]; then grep -q 'broken.js' "$TMPDIR/prompt.txt" && rm src/broken.js; exit 0; fi\n${HONEST_BOTH}`;

test('a type check that a commit of somebody broke is repaired first; one session alone only tells of it', async () => {
  const scene = await projectWithAgent(REPAIRING, { checked: true, sanity: 'ls src && test ! -e src/broken.js' });
  await write(scene, { 'src/broken.js': 'export const broken = ;\n' });
  await git(scene, 'add', 'src');
  await git(scene, 'commit', '-q', '-m', 'Break the type check');
  expect((await harness(scene, 'run')).code).toBe(6);
  const run = await harness(scene, 'run', '--until-done', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(eventsOf(run, 'session.end').map((event) => [event['feature'], event['outcome']])).toEqual([
    [null, 'verified'],
    [2, 'verified'],
    [3, 'verified'],
  ]);
  expect(await git(scene, 'log', '--format=%s')).toContain('Repair (session 1)');
});

test('what an agent does not get repaired is a question after two tries, and nothing is built on it', async () => {
  const scene = await projectWithAgent('exit 0', { checked: true, sanity: 'test ! -e src/broken.js' });
  await write(scene, { 'src/broken.js': 'broken\n' });
  await git(scene, 'add', 'src');
  await git(scene, 'commit', '-q', '-m', 'Break the type check');
  const run = await harness(scene, 'run', '--until-done', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 6 });
  expect(eventsOf(run, 'session.end').map((event) => [event['feature'], event['outcome']])).toEqual([
    [null, 'rejected'],
    [null, 'rejected'],
  ]);
  expect(eventsOf(run, 'gate.asked')).toMatchObject([{ gate: { id: 'project.sanity' } }]);
  expect(await read(scene, 'src/broken.js')).toBe('broken\n');
});
