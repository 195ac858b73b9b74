/** A spec by the embedded agent through the built-in loop, deep, and on into the project flow up to a verified commit. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { ANSWERS, DOCS, specText, TASK } from './spec-support.ts';
import { git, makeScene, read, startHarness } from './support.ts';

type Tools = NonNullable<ScenarioInput['conversations'][number]['steps'][number]['tools']>;
const file = (path: string, content: string): Tools[number] => ({ name: 'write_file', input: { path, content } });
const output = (name: string, content: string): Tools[number] => file(`.harness/output/${name}`, content);
const plays = (role: string, tools: Tools, text: string): ScenarioInput['conversations'][number] => ({
  when: { role },
  steps: [{ tools }, { text }],
});
const analyst = (role: string, name: string, persona: string): ScenarioInput['conversations'][number] =>
  plays(`spec/${role}`, [output(`analysis_${name}.md`, `${persona}: fine\n`)], `Done.\n\n${persona} analysis written — 1 point`);

const TEST_FILE = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '../src/export.js';
test('three orders are three lines', () => assert.equal(toCsv([[1], [2], [3]]), '1;2;3'));
`;
const LIST = {
  project: 'shop',
  features: [
    {
      id: 1,
      description: 'A clerk exports orders as CSV',
      test_file: 'test/export.test.js',
      verification_steps: ['Given three orders', 'When the clerk exports', 'Then the file has three lines'],
      passes: false,
    },
  ],
};
const list = (passes: boolean): string => `${JSON.stringify({ ...LIST, features: [{ ...LIST.features[0], passes }] }, null, 2)}\n`;

const SCENARIO: ScenarioInput = {
  conversations: [
    plays('spec/discovery-analyst', [output('questions.json', '{"questions":[{"question":"Who uses it?","why":"view"}]}')], 'asked'),
    analyst('requirements-analyst', 'requirements', 'requirements'),
    analyst('user-scenario-analyst', 'scenarios', 'scenario'),
    analyst('risk-auditor', 'risk', 'risk'),
    analyst('tech-constraint-analyst', 'tech_constraint', 'tech constraint'),
    plays('spec/synthesis', [output('spec.md', specText('Orders for the back office'))], 'written'),
    plays('spec/critic', [output('critic_findings.md', '[m1] wording\n')], 'critic_findings written — Critical=0, Major=0, Minor=1'),
    plays(
      'project/initializer',
      [
        file('features.json', list(false)),
        file('test/export.test.js', "import { test } from 'node:test';\ntest.todo('export');\n"),
        file('init.sh', '#!/bin/sh\nexit 0\n'),
        file('reset.sh', '#!/bin/sh\nexit 0\n'),
        { name: 'shell', input: { command: 'chmod +x init.sh reset.sh' } },
      ],
      'set up',
    ),
    {
      when: { role: 'project/coding' },
      steps: [
        {
          tools: [
            file('src/export.js', "export const toCsv = (orders) => orders.map((order) => order.join(',')).join(';');\n"),
            file('test/export.test.js', TEST_FILE),
          ],
        },
        { tools: [{ name: 'shell', input: { command: 'node --test test/export.test.js' } }] },
        { tools: [file('features.json', list(true))] },
        { text: 'done' },
      ],
    },
  ],
};

test('a spec of the embedded agent becomes features, and those a verified commit', async () => {
  const scene = await makeScene({ 'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n' });
  const [scenario, answers] = [join(scene.folder, 'scenario.json'), join(scene.folder, 'answers.json')];
  await writeFile(scenario, JSON.stringify(SCENARIO));
  await writeFile(answers, JSON.stringify({ ...ANSWERS, 'spec.questions-1': { text: 'The back office' }, 'spec.next': 'Start /project' }));
  const args = ['spec', TASK, '--mode', 'deep', '--model-config', 'default', '--agent', 'scripted', '--json', '--answers', answers];
  const run = await startHarness(scene, args, { HARNESS_SCENARIO: scenario }).ended;
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(await read(scene, `${DOCS}/spec.md`)).toContain('Orders for the back office');
  expect(JSON.parse(await read(scene, 'features.json'))).toMatchObject({ features: [{ verification_steps: { length: 3 } }] });
  const built = await startHarness(scene, ['run', '--json'], { HARNESS_SCENARIO: scenario }).ended;
  expect(built, built.stdout + built.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 1 } });
  expect(await git(scene, 'show', '--stat', '--format=%s', 'HEAD')).toContain('src/export.js');
});
