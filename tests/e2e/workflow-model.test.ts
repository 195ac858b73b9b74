/** The whole workflow through the built-in agent loop, against a model on the wire that plays every role. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer } from '../../src/agents/scripted/server.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { eventsOf, makeScene, startHarness } from './support.ts';
import { BUGGY, GO, lastCommit, TASK } from './workflow-scene.ts';

const KEY = 'a-key-of-this-test';
const file = (path: string, content: string) => ({ name: 'write_file', input: { path, content } });
const result = (name: string, content: string) => file(`.harness/output/${name}`, content);

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.js';
test('adds', () => assert.equal(add(1, 2), 3));
`;

/** The role that has to write this file: its prompt names the path. */
const part = (
  name: string,
  text: string,
  content: string,
  tools: ReturnType<typeof file>[] = [],
): ScenarioInput['conversations'][number] => ({
  when: { contains: `output/${name}` },
  steps: [{ tools: [{ name: 'read_file', input: { path: 'src/add.js' } }] }, { tools: [...tools, result(name, content)] }, { text }],
});

const PERSONAS = ['architect', 'senior_developer', 'qa_specialist'];

const SCENARIO: ScenarioInput = {
  conversations: [
    ...PERSONAS.map((persona) => part(`proposal_${persona}.md`, 'proposal written — add adds', `# Proposal of the ${persona}\n`)),
    ...PERSONAS.map((persona) => part(`critique_${persona}.md`, 'critique written — agreed', `# Critique of the ${persona}\n`)),
    part('spec.md', 'spec written — add adds', '# Spec\nadd must add\n'),
    part('plan.md', 'plan written — one file', '# Plan\n1. the sign\n'),
    ...['combined', 'code_quality', 'test_stability'].map((name) => part(`review_${name}.md`, 'review written — fine', '# Review\n')),
    part('changes.md', 'changed 2 files — add adds', '- `src/add.js`\n- `test/add.test.js`\n', [
      file('src/add.js', 'export function add(a, b) {\n  return a + b;\n}\n'),
      file('test/add.test.js', TEST),
    ]),
    part('qa_report.md', 'PASS — meets the spec', '# QA\n\n### Verdict: PASS\n'),
  ],
};

test.each([
  ['single', 3],
  ['standard', 7],
  ['multi', 12],
])('the anthropic backend mends a bug from task to commit in %s mode, with %i role calls', async (mode, calls) => {
  const server = await startScriptedServer(nodePlatform({}), scriptedModel(SCENARIO), { apiKey: KEY });
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
