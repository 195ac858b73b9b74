/** The whole workflow through the built-in agent loop, against a model on the wire that plays every role. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer } from '../../src/agents/scripted/server.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { WORKFLOW } from './flow-scenarios.ts';
import { eventsOf, makeScene, startHarness } from './support.ts';
import { BUGGY, GO, lastCommit, TASK } from './workflow-scene.ts';

const KEY = 'a-key-of-this-test';
test.each([
  ['single', 3],
  ['standard', 7],
  ['multi', 12],
])('the anthropic backend mends a bug from task to commit in %s mode, with %i role calls', async (mode, calls) => {
  const server = await startScriptedServer(nodePlatform({}), scriptedModel({ conversations: [...WORKFLOW] }), { apiKey: KEY });
  onTestFinished(() => server.close());
  const scene = await makeScene(BUGGY);
  const answers = join(scene.folder, 'answers.json');
  await writeFile(answers, JSON.stringify(GO));
  const args = ['workflow', TASK, '--mode', mode, '--model-config', 'balanced', '--agent', 'anthropic', '--json', '--answers', answers];
  const run = await startHarness(scene, args, { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY }).ended;
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect((await lastCommit(scene)).files).toEqual(['src/add.js', 'test/add.test.js']);
  expect(eventsOf(run, 'session.start')).toHaveLength(calls);
  const models = server.requests.map((request) => (request.body as { model: string }).model);
  expect(models[0]).toContain('opus');
  expect(models.some((model) => model.includes('sonnet'))).toBe(true);
  expect(run.stdout).not.toContain(KEY);
});
