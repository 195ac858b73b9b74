/** Hidden tests through the whole program, with a model on the wire that plays the agent, the examiner and the second call. */
import { expect, onTestFinished, test } from 'vitest';
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/agents/scripted/server.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { claim, FEATURES, projectWithAgent, RUN_SUBTRACT, WRITE_SUBTRACT } from './calculator.ts';
import { eventsOf, git, harness, read, write, type Run, type Scene } from './support.ts';
import { KEY, saidTo, shell, type Steps } from './wire.ts';

const LIST = FEATURES.replace(
  '"description": "A user subtracts two numbers",',
  '"description": "A user subtracts two numbers", "interface": "src/subtract.js exports subtract(a, b), which gives a number",',
);
const SPECIAL = "echo 'export const subtract = (a, b) => (a === 5 && b === 2 ? 3 : 0);' > src/subtract.js";
const MENDED = "echo 'export const subtract = (a, b) => a - b;' > src/subtract.js";

const testFile = (assertion: string): string =>
  `import assert from 'node:assert/strict';\nimport { writeFileSync } from 'node:fs';\nimport { test } from 'node:test';\nimport { subtract } from '../src/subtract.js';\nwriteFileSync('left-behind.txt', 'x');\ntest('of the examiner', () => { ${assertion} });`;
const examination = (behaviour: string, assertion: string): string => `## ${behaviour}\n\n\`\`\`js\n${testFile(assertion)}\n\`\`\`\n`;
const RIGHT = examination('Subtracting a larger number gives a negative one', 'assert.equal(subtract(3, 8), -5);');
const WRONG = examination('Subtracting never gives less than zero', 'assert.equal(subtract(3, 8), 0);');

interface Played {
  scene: Scene;
  server: ScriptedServer;
  run: Run;
}

/** A run whose second call says `ruling` of each test. */
async function play(examiner: Steps, agent: Steps, ruling = 'entailed'): Promise<Played> {
  const template = await projectWithAgent('exit 1', { files: { 'features.json': LIST } });
  await write(template, {
    '.harness.yaml':
      'project:\n  name: calculator\ntesting:\n  full: npm test\nagent:\n  backend: anthropic\nverification:\n  examiner: on\n',
  });
  await git(template, 'commit', '-q', '-m', 'Settings', '--', '.harness.yaml');
  const scenario: ScenarioInput = {
    conversations: [
      { when: { contains: 'You examine work' }, steps: examiner },
      { when: { contains: 'You decide what the description' }, steps: rules(`1: ${ruling} — as the description says\n`) },
      { steps: agent },
    ],
  };
  const server = await startScriptedServer(nodePlatform({}), scriptedModel(scenario), { apiKey: KEY });
  onTestFinished(() => server.close());
  const scene = { ...template, env: { ...template.env, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url } };
  return { scene, server, run: await harness(scene, 'run', '--json') };
}

const writing = (path: string, content: string): Steps => [
  { tools: [{ name: 'write_file', input: { path: `.harness/output/${path}`, content } }] },
  { text: 'Written.' },
];
const writes = (content: string): Steps => writing('examination.md', content);
const rules = (content: string): Steps => writing('entailment.md', content);
const BUILDS: Steps = [shell(WRITE_SUBTRACT), shell(RUN_SUBTRACT), shell(claim(2)), { text: 'Subtraction works.' }];
const CHEATS: Steps = [shell(`${WRITE_SUBTRACT}\n${SPECIAL}`), shell(RUN_SUBTRACT), shell(claim(2)), { text: 'Subtraction works.' }];

/** Everything that the coding agent was ever told, its tools' results included. */
function toldToAgent(server: ScriptedServer): string {
  return server.requests
    .filter((request) => !/You examine work|You decide what the description/.test(JSON.stringify(request.body)))
    .map((request) => JSON.stringify(request.body))
    .join('\n');
}

test('an answer written down for the known test is caught, told in words, and mended; the cost is booked and nothing of the examiner lands', async () => {
  const { scene, server, run } = await play(writes(RIGHT), [...CHEATS, shell(MENDED), shell(RUN_SUBTRACT), { text: 'Mended.' }]);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  const told = toldToAgent(server);
  expect(told).toContain('Subtracting a larger number gives a negative one');
  expect(told).not.toMatch(/subtract\(3, 8\)|of the examiner/);
  const examiner = server.requests.filter((request) => JSON.stringify(request.body).includes('You examine work'));
  expect(JSON.stringify(examiner.map((request) => request.body))).not.toMatch(/subtract\(5, 2\)|a === 5/);
  expect(examiner).toHaveLength(2);
  const checks = eventsOf(run, 'verify.check').filter((event) => event['name'] === 'examiner');
  expect(checks.map((event) => event['state'])).toEqual(['warned', 'passed']);
  const costs = await read(scene, '.harness/costs.yaml');
  expect(costs).toMatch(/by_feature:\n\s+- feature_id: 2\n\s+cost_usd: [\d.]+\n\s+sessions: 3\n/);
  const records = (await read(scene, '.harness/logs/sessions.jsonl')).split('\n').filter((line) => line.includes('project/examiner'));
  expect(records.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ feature_id: 2, cost_usd: expect.any(Number) }]);
  const landed = await git(scene, 'ls-tree', '-r', '--name-only', 'HEAD');
  expect(landed.split('\n').filter((path) => path.startsWith('test/') || path.includes('left'))).toEqual([
    'test/add.test.js',
    'test/subtract.test.js',
  ]);
});

test('a wrong test of the examiner is not held against the agent: both sides are shown to a person, who decides', async () => {
  const { scene, server, run } = await play(writes(WRONG), [...BUILDS, { text: 'The description allows results below zero.' }]);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 8, last: { outcome: 'needs_human', reasons: ['hidden.failed'] } });
  expect(saidTo(server.requests.at(-1)).at(-1)).toContain('Subtracting never gives less than zero');
  const question = (await harness(scene, 'gates')).stdout;
  for (const side of ['Subtracting never gives less than zero', 'as the description says', 'The description allows results below zero.'])
    expect(question).toContain(side);
  expect(question + run.stdout).not.toMatch(/subtract\(3, 8\)|-5/);
  expect(JSON.parse(await read(scene, '.harness/session_state.json'))).toMatchObject({ failures: {}, stuck_count: 0 });
  const answered = await harness(scene, 'answer', 'project.review', 'Accept');
  expect(answered, answered.stderr).toMatchObject({ code: 0 });
  const accepted = await harness(scene, 'run', '--json');
  expect(accepted.stdout).toContain('"commit"');
  expect(await git(scene, 'show', 'HEAD:src/subtract.js')).toContain('a - b');
});

test('an examiner who cannot be reached costs honest work nothing, and the verdict says that it was not examined', async () => {
  const { run } = await play([{ text: 'I would rather not.' }], BUILDS);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  expect(JSON.stringify(eventsOf(run, 'verify.result'))).toContain('not examined: the examiner wrote no test');
});
