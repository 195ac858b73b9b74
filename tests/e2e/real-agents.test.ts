/** Claude Code and Codex from npm, driven by the built program against a scripted model on loopback: a verified session and a caught lie. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/agents/scripted/server.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { AGENT_CACHE, isInstalled } from '../conformance/installed-agents.ts';
import { writeCodexSettings } from '../conformance/real-subjects.ts';
import { calculator, claim, RUN_SUBTRACT, WRITE_SUBTRACT } from './calculator.ts';
import { eventsOf, git, harness, processesWith, snapshot, startHarness, type Scene } from './support.ts';

interface RealAgent {
  name: string;
  /** Variables that the user has and names for the agent. */
  variables(server: ScriptedServer): Record<string, string>;
  prepare?(scene: Scene, server: ScriptedServer): Promise<void>;
}

const AGENTS: RealAgent[] = [
  { name: 'claude-code', variables: (server) => ({ ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url }) },
  { name: 'codex', variables: () => ({ OPENAI_API_KEY: 'key' }), prepare: (scene, server) => writeCodexSettings(scene.env['HOME']!, server.url) },
];

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A project whose agent is the real program, and whose model gives these commands, one in each response. */
async function projectWith(agent: RealAgent, commands: readonly string[]): Promise<Scene> {
  const steps = commands.map((command, index) => ({ text: `Step ${index + 1}.`, tools: [{ name: 'shell', input: { command } }] }));
  const model = scriptedModel({ conversations: [{ steps: [...steps, { text: 'The feature is done.' }] }] });
  const server = await startScriptedServer(nodePlatform({}), model, { apiKey: 'key' });
  servers.push(server);
  const variables = agent.variables(server);
  const settings = `project:\n  name: calculator\ntesting:\n  full: npm test\nagent:\n  backend: ${agent.name}\n  env: [${Object.keys(variables).join(', ')}]\n`;
  const scene = await calculator({ '.harness.yaml': settings });
  Object.assign(scene.env, variables, { HARNESS_AGENT_CACHE: AGENT_CACHE, CANARY_TOKEN: 'seen-by-nobody' });
  await mkdir(scene.env['HOME']!, { recursive: true });
  await agent.prepare?.(scene, server);
  const adopted = await harness(scene, 'init', '--features', 'features.json');
  expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
  return scene;
}

for (const agent of AGENTS) describe.skipIf(!isInstalled(agent.name))(agent.name, () => {
  test('an honest session is verified and committed once; its tokens are counted, and a secret of the user is not in its environment', async () => {
    const scene = await projectWith(agent, ['env', WRITE_SUBTRACT, RUN_SUBTRACT, claim(2)]);
    const before = await git(scene, 'rev-parse', 'HEAD');
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr + run.stdout).toMatchObject({ code: 0 });
    expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(before);
    expect(run.last).toMatchObject({ outcome: 'verified', feature: 2, exit_code: 0 });
    expect(eventsOf(run, 'agent.usage').length).toBeGreaterThanOrEqual(2);
    expect(eventsOf(run, 'agent.tool')).toHaveLength(4);
    expect(eventsOf(run, 'agent.result')[0]!['output']).toContain('HARNESS_SESSION=1');
    expect(run.stdout).not.toContain('seen-by-nobody');
  });

  test('a claim without working code is refused, and home is byte-identical', async () => {
    const lie = `${WRITE_SUBTRACT}\necho 'export const subtract = () => 7;' > src/subtract.js`;
    const scene = await projectWith(agent, [lie, `${RUN_SUBTRACT} || true; echo '# pass 1'`, claim(2)]);
    const before = await snapshot(scene);
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr + run.stdout).toMatchObject({ code: 4 });
    expect(run.last).toMatchObject({ outcome: 'rejected', reasons: expect.arrayContaining(['test.failed']) });
    expect(await snapshot(scene)).toEqual(before);
  });

  test('an interrupt ends the agent and its detached child', async () => {
    const mark = `real-agent-child-${agent.name}`;
    const hang = `setsid sh -c 'sleep 300; : ${mark}' > /dev/null 2>&1 < /dev/null & sleep 301`;
    const scene = await projectWith(agent, [hang]);
    const started = startHarness(scene, ['run', '--json']);
    while ((await processesWith(mark)).length === 0 && started.child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 100));
    started.child.kill('SIGINT');
    const run = await started.ended;
    expect(run, run.stderr + run.stdout).toMatchObject({ code: 130 });
    expect(await processesWith(mark)).toEqual([]);
    expect(await processesWith(join(scene.folder, 'harness-home'))).toEqual([]);
  });
});
