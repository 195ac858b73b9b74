/** `harness init` at a terminal without arguments, through a real pseudo-terminal. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calculator } from './calculator.ts';
import { ENTER, DOWN, hasScript, INTERRUPT, sitDown } from './sit-down.ts';
import { git, harness, read, snapshot, type Scene } from './support.ts';

/** The person's own agent: it is the one that is recommended. */
async function withOwnAgent(scene: Scene): Promise<Scene> {
  await mkdir(join(scene.folder, 'harness-home'), { recursive: true });
  await writeFile(join(scene.folder, 'harness-home', 'config.yaml'), 'agent:\n  backend: command\n  command: my-agent\n');
  return scene;
}

test.runIf(hasScript)('three questions lead to the same set-up as the options', async () => {
  const scene = await withOwnAgent(await calculator());
  const { code, seen } = await sitDown(
    scene,
    ['init'],
    [
      [/Which agent should do the work\?/, ENTER],
      [/The tests are run by "npm test"\. Is that right\?/, DOWN, ENTER],
      [/Which command runs all tests\?/, 'node --test', ENTER],
      [/What should be built\?/, ENTER],
    ],
  );
  expect(code, seen).toBe(0);
  const settings = await read(scene, '.harness.yaml');
  for (const line of ['full: node --test', 'backend: command', 'command: my-agent']) expect(settings).toContain(line);
  expect(await git(scene, 'show', '--stat', '--format=%an', 'HEAD')).toContain('Ada Tester');
  expect(seen).toContain('Baseline: 1 of 1 tests pass');
});

test.runIf(hasScript)('leaving it leaves nothing behind', async () => {
  const scene = await withOwnAgent(await calculator());
  const before = await snapshot(scene, { state: true });
  const { code, seen } = await sitDown(
    scene,
    ['init'],
    [
      [/Which agent should do the work\?/, ENTER],
      [/The tests are run by/, ENTER],
      [/What should be built\?/, INTERRUPT],
    ],
  );
  expect(code, seen).toBe(130);
  expect(seen).toContain('Nothing was set up.');
  expect(await snapshot(scene, { state: true })).toEqual(before);
});

test('without a terminal the two ways are named', async () => {
  const scene = await calculator();
  const run = await harness(scene, 'init');
  expect(run).toMatchObject({ code: 2 });
  expect(run.stderr).toContain('harness init --features FILE');
});
