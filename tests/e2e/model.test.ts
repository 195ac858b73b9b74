/** Sessions of the built-in agent loop through the program, against a model on the wire that plays a scenario. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/agents/scripted/server.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { calculator, claim, FILES } from './calculator.ts';
import { eventsOf, git, harness, read, snapshot, startHarness, write, type Run, type Scene } from './support.ts';

const KEY = 'a-key-of-this-test';
const shell = (command: string) => ({ name: 'shell', input: { command } });
const SOURCE = { name: 'write_file', input: { path: 'src/subtract.js', content: 'export const subtract = (a, b) => a - b;\n' } };
const TEST = {
  name: 'write_file',
  input: { path: 'test/subtract.test.js', content: FILES['test/add.test.js']!.replaceAll('add', 'subtract').replace('1, 2', '5, 2') },
};
const PROVE = shell('node --test test/subtract.test.js');

const HONEST: ScenarioInput = {
  conversations: [
    {
      steps: [
        {
          text: 'I look around first.',
          tools: [
            { name: 'list_files', input: { path: '.' } },
            { name: 'read_file', input: { path: 'src/add.js' } },
          ],
        },
        { tools: [SOURCE, TEST] },
        { tools: [shell('env')] },
        { tools: [PROVE] },
        { tools: [shell(claim(2))] },
        { text: 'Feature #2 is done.' },
      ],
    },
  ],
};

async function serve(scenario: ScenarioInput): Promise<ScriptedServer> {
  const server = await startScriptedServer(nodePlatform({}), scriptedModel(scenario), { apiKey: KEY });
  onTestFinished(() => server.close());
  return server;
}

async function adopted(backend: string, settings = ''): Promise<Scene> {
  const scene = await calculator({
    '.harness.yaml': `project:\n  name: calculator\ntesting:\n  full: npm test\nagent:\n  backend: ${backend}\n${settings}`,
  });
  expect((await harness(scene, 'init', '--features', 'features.json')).code).toBe(0);
  return scene;
}

function runAgainst(scene: Scene, server: ScriptedServer, key = KEY): Promise<Run> {
  return startHarness(scene, ['run', '--json'], { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: key }).ended;
}

test('the anthropic backend works through a whole session with tools, and later requests read the cached prefix', async () => {
  const server = await serve(HONEST);
  const scene = await adopted('anthropic');
  const run = await runAgainst(scene, server);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  expect(server.requests).toHaveLength(6);
  expect(eventsOf(run, 'agent.tool').map((event) => event['name'])).toEqual([
    'list_files',
    'read_file',
    'write_file',
    'write_file',
    'shell',
    'shell',
    'shell',
  ]);
  const usages = eventsOf(run, 'agent.usage').map(
    (event) => event['usage'] as { cache_read_input_tokens: number; cache_creation_input_tokens: number },
  );
  expect(usages).toHaveLength(6);
  expect(usages[0]!.cache_creation_input_tokens).toBeGreaterThan(0);
  for (const [index, usage] of usages.slice(1).entries()) {
    expect(usage.cache_read_input_tokens).toBeGreaterThanOrEqual(
      usages[index]!.cache_read_input_tokens + usages[index]!.cache_creation_input_tokens,
    );
  }
  const bodies = server.requests.map(
    (request) => request.body as { system: unknown; tools: unknown; messages: unknown[]; stream: boolean },
  );
  for (const body of bodies) {
    expect(body.stream).toBe(true);
    expect(JSON.stringify([body.system, body.tools])).toBe(JSON.stringify([bodies[0]!.system, bodies[0]!.tools]));
    expect(JSON.stringify(body.system)).toContain('cache_control');
  }
  expect(run.stdout + server.requests.map((request) => request.raw).join('')).not.toContain(KEY);
  expect(eventsOf(run, 'session.end')[0]!['cost_usd']).toBeGreaterThan(0);
  const costs = JSON.parse((await harness(scene, 'status', '--json')).stdout) as { costs: { total_usd: number } };
  expect(costs.costs.total_usd).toBeGreaterThan(0);
});

test('a refused claim goes back to an agent that can answer, and the mended work is accepted', async () => {
  const server = await serve({
    conversations: [
      {
        steps: [
          { tools: [{ ...SOURCE, input: { ...SOURCE.input, content: 'export const subtract = () => 0;\n' } }, TEST] },
          { tools: [shell("echo 'node --test test/subtract.test.js'; echo '# pass 1'; echo '# fail 0'"), shell(claim(2))] },
          { text: 'Feature #2 is done.' },
          { tools: [SOURCE, PROVE] },
          { text: 'Now it is really done.' },
        ],
      },
    ],
  });
  const scene = await adopted('anthropic');
  const run = await runAgainst(scene, server);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(eventsOf(run, 'verify.result').map((event) => event['decision'])).toEqual(['rejected', 'accepted']);
  expect(eventsOf(run, 'session.end')).toHaveLength(1);
  expect(await git(scene, 'rev-list', '--count', 'HEAD')).toBe('3');
});

test('warnings about a full context reach the agent by name, and the hard stop keeps its work', async () => {
  const fill = (tokens: number) => ({ input_tokens: tokens, output_tokens: 10 });
  const server = await serve({
    conversations: [
      {
        steps: [
          { tools: [SOURCE], usage: fill(7_600) },
          { tools: [shell('ls')], usage: fill(9_100) },
          { tools: [shell('ls')], usage: fill(10_100) },
          { text: 'more' },
        ],
      },
    ],
  });
  const scene = await adopted('anthropic', 'context:\n  window_tokens: 10000\n');
  const run = await runAgainst(scene, server);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['context_limit'] } });
  const raw = server.requests.map((request) => request.raw);
  expect(raw[1]).toContain('75%');
  expect(raw[2]).toContain('90%');
  expect(await git(scene, 'show', 'refs/harness/wip/2:src/subtract.js')).toContain('a - b');
});

test('a key that is refused is said to be so, and nothing changes', async () => {
  const server = await serve(HONEST);
  const scene = await adopted('anthropic');
  const before = await snapshot(scene);
  const run = await runAgainst(scene, server, 'wrong');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 6, last: { reasons: ['api.auth'] } });
  expect(await snapshot(scene)).toEqual(before);
});

test('the scripted backend plays the same scenario without key and server', async () => {
  const scene = await adopted('scripted');
  const file = join(scene.folder, 'scenario.json');
  await writeFile(file, JSON.stringify(HONEST));
  const run = await startHarness(scene, ['run', '--json'], { HARNESS_SCENARIO: file }).ended;
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await read(scene, 'src/subtract.js')).toBe(SOURCE.input.content);
  await write(scene, { 'note.txt': 'untracked\n' });
  const again = await harness(scene, 'run', '--json');
  expect(again.code, again.stderr).not.toBe(0);
  expect(again.stderr).toContain('HARNESS_SCENARIO');
});
