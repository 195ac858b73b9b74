/** The whole workflow through the built-in agent loop, against a model on the wire that plays every role. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer } from '../../src/agents/scripted/server.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { makeScene, startHarness } from './support.ts';
import { BUGGY, GO, lastCommit, TASK } from './workflow-scene.ts';

const KEY = 'a-key-of-this-test';
const file = (path: string, content: string) => ({ name: 'write_file', input: { path, content } });
const result = (name: string, content: string) => file(`.harness/output/${name}`, content);

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.js';
test('adds', () => assert.equal(add(1, 2), 3));
`;

const part = (contains: string, tools: ReturnType<typeof file>[], text: string): ScenarioInput['conversations'][number] => ({
  when: { contains },
  steps: [{ tools: [{ name: 'read_file', input: { path: 'src/add.js' } }] }, { tools }, { text }],
});

const SCENARIO: ScenarioInput = {
  conversations: [
    part('You plan one piece of work', [result('spec.md', '# Spec\nadd must add\n')], 'spec written — add adds'),
    part(
      'You implement one agreed spec',
      [
        file('src/add.js', 'export function add(a, b) {\n  return a + b;\n}\n'),
        file('test/add.test.js', TEST),
        result('changes.md', '- `src/add.js`\n- `test/add.test.js`\n'),
      ],
      'changed 2 files — add adds',
    ),
    part('You evaluate code against its spec', [result('qa_report.md', '# QA\n\n### Verdict: PASS\n')], 'PASS — meets the spec'),
  ],
};

test('the anthropic backend mends a bug from task to commit', async () => {
  const server = await startScriptedServer(nodePlatform({}), scriptedModel(SCENARIO), { apiKey: KEY });
  onTestFinished(() => server.close());
  const scene = await makeScene(BUGGY);
  const answers = join(scene.folder, 'answers.json');
  await writeFile(answers, JSON.stringify(GO));
  const args = ['workflow', TASK, '--mode', 'single', '--model-config', 'balanced', '--agent', 'anthropic', '--json', '--answers', answers];
  const run = await startHarness(scene, args, { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY }).ended;
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect((await lastCommit(scene)).files).toEqual(['src/add.js', 'test/add.test.js']);
  const models = server.requests.map((request) => (request.body as { model: string }).model);
  expect(models[0]).toContain('opus');
  expect(models.some((model) => model.includes('sonnet'))).toBe(true);
  expect(run.stdout).not.toContain(KEY);
});
