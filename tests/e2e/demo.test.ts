/** `harness demo`: the whole main job, with a lie, a regression and a full context, to a finished program. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyScene, eventsOf, harness, snapshot } from './support.ts';

test('the demo runs where git has no identity, shows what goes wrong on the way, and ends complete', async () => {
  const scene = await emptyScene();
  await rm(join(scene.env['HOME']!, '.gitconfig'), { force: true });
  for (const name of Object.keys(scene.env).filter((one) => /^GIT_(?:AUTHOR|COMMITTER)_/.test(one))) delete scene.env[name];
  const begin = Date.now();
  const run = await harness(scene, 'demo', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { type: 'end', outcome: 'complete', exit_code: 0 } });
  expect(Date.now() - begin).toBeLessThan(120_000);
  const sessions = eventsOf(run, 'session.end');
  expect(sessions).toContainEqual(expect.objectContaining({ outcome: 'rejected', reasons: expect.arrayContaining(['test.failed']) }));
  expect(sessions).toContainEqual(expect.objectContaining({ outcome: 'rejected', reasons: expect.arrayContaining(['regression']) }));
  expect(sessions).toContainEqual(expect.objectContaining({ outcome: 'partial', reasons: ['context_limit'] }));
  expect(sessions.filter((event) => event['outcome'] === 'verified').length).toBeGreaterThanOrEqual(4);
  expect(run.stderr).toMatch(/scripted/);
  const place = /\/\S*harness-demo\S*/.exec(run.stderr)?.[0];
  expect(place).toBeDefined();
  expect(await snapshot(scene, { state: true })).toEqual({});
  await rm(place!.replace(/(harness-demo[^/]*).*/, '$1'), { recursive: true, force: true });
});
