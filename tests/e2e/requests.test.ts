/** A person is not turned away because a run is under way: what they ask for is taken up between two sessions. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HONEST, projectWithAgent } from './calculator.ts';
import { git, harness, read, startHarness, type Scene } from './support.ts';

/** The agent works only once it may. */
async function atWork(args: readonly string[]): Promise<{ scene: Scene; running: ReturnType<typeof startHarness>; go(): Promise<void> }> {
  const scene = await projectWithAgent(`echo ready; while [ ! -e "$HOME/go" ]; do sleep 0.1; done\n${HONEST}`, { checked: true });
  const running = startHarness(scene, [...args, '--json']);
  await expect.poll(running.seen, { timeout: 60_000 }).toContain('"text":"ready"');
  return { scene, running, go: () => writeFile(join(scene.env['HOME']!, 'go'), '') };
}

async function waiting(scene: Scene): Promise<string[]> {
  return await readdir(join(scene.project, '.harness/requests')).catch(() => []);
}

test('skip and add-feature while a run is under way are taken up by it, and it goes by them', async () => {
  const { scene, running, go } = await atWork(['run', '--until-done']);
  const skip = await harness(scene, 'skip', '--feature', '3', '--reason', 'later', '--json');
  expect(skip.code, skip.stderr).toBe(0);
  expect(JSON.parse(skip.stdout)).toMatchObject({ feature: 3, requested: true, running: { command: 'harness run' } });
  const add = await harness(scene, 'add-feature', 'A user divides two numbers', '--json');
  expect(add.code, add.stderr).toBe(0);
  expect(JSON.parse(add.stdout)).toMatchObject({ requested: true });
  expect(await waiting(scene)).toHaveLength(2);
  expect(await git(scene, 'log', '--format=%s')).not.toContain('Add feature');
  await go();
  const run = await running.ended;
  const subjects = await git(scene, 'log', '--format=%s');
  expect(subjects, run.stderr).toContain('Add feature #4: A user divides two numbers');
  expect(subjects).toContain('Feature #2');
  expect(subjects).not.toContain('Feature #3');
  const state = JSON.parse(await read(scene, '.harness/session_state.json')) as { skipped: { feature: number; reason: string }[] };
  expect(state.skipped).toMatchObject([{ feature: 3, reason: 'later' }]);
  expect(await waiting(scene)).toEqual([]);
});

test('what cannot be done is said at once, and nothing is left for the process', async () => {
  const { scene, running, go } = await atWork(['run']);
  expect((await harness(scene, 'skip', '--feature', '99')).code).toBe(2);
  expect((await harness(scene, 'add-feature', 'A user adds two numbers')).code).toBe(2);
  expect(await waiting(scene)).toEqual([]);
  await go();
  expect((await running.ended).code).toBe(0);
});

test('an override is agreed to where it is asked for, and recorded by the process at work', async () => {
  const { scene, running, go } = await atWork(['run']);
  const asked = await harness(scene, 'override', '--feature', '3', '--passes', 'true', '--approve', 'project.override', '--json');
  expect(asked.code, asked.stderr).toBe(0);
  expect(JSON.parse(asked.stdout)).toMatchObject({ feature: 3, passes: true, requested: true });
  await go();
  expect((await running.ended).code).toBe(0);
  expect(await git(scene, 'log', '--format=%s')).toContain('Record feature #3 as passing (not verified)');
});

test('a request whose process was killed is taken up by the next command', async () => {
  const { scene, running } = await atWork(['run']);
  expect((await harness(scene, 'skip', '--feature', '3', '--reason', 'later')).code).toBe(0);
  running.child.kill('SIGKILL');
  await running.ended;
  expect((await harness(scene, 'add-feature', 'A user divides two numbers')).code).toBe(0);
  const state = JSON.parse(await read(scene, '.harness/session_state.json')) as { skipped: { feature: number }[] };
  expect(state.skipped).toMatchObject([{ feature: 3 }]);
  expect(await waiting(scene)).toEqual([]);
});
