/** A project whose agent is a real program from npm, and whose model is scripted. */
import { mkdir } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Conversation } from './flow-scenarios.ts';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/agents/scripted/server.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { AGENT_CACHE } from '../conformance/installed-agents.ts';
import { calculator } from './calculator.ts';
import { harness, makeScene, type Scene } from './support.ts';

export interface RealAgent {
  /** Its folder in the cache. */
  name: string;
  backend: string;
  command?: string;
  /** Variables that the user has and names for the agent. */
  variables(server: ScriptedServer, home: string): Record<string, string>;
  /** The variable with its key; undefined: its key is in its own settings. */
  keyOf?: string;
  prepare?(home: string, server: ScriptedServer): Promise<void>;
}

const servers: ScriptedServer[] = [];

export async function closeServers(): Promise<void> {
  for (const server of servers.splice(0)) await server.close();
}

/** The model gives these commands, one in each response, and then says that it is done. */
export async function projectWith(agent: RealAgent, commands: readonly string[]): Promise<Scene> {
  const steps = commands.map((command, index) => ({ text: `Step ${index + 1}.`, tools: [{ name: 'shell', input: { command } }] }));
  const server = await serverFor([{ steps: [...steps, { text: 'The feature is done.' }] }]);
  const scene = await calculator({ '.harness.yaml': settingsOf(agent, Object.keys(agent.variables(server, ''))) });
  await setUp(scene, agent, server);
  const adopted = await harness(scene, 'init', '--features', 'features.json');
  expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
  return scene;
}

/** A repository without a feature list, whose settings name the agent; the model plays these conversations. */
export async function sceneWith(
  agent: RealAgent,
  files: Readonly<Record<string, string>>,
  conversations: readonly Conversation[],
): Promise<Scene> {
  return (await wiredSceneWith(agent, files, conversations)).scene;
}

/** The same, with what the agent sends to its model. */
export async function wiredSceneWith(
  agent: RealAgent,
  files: Readonly<Record<string, string>>,
  conversations: readonly Conversation[],
): Promise<{ scene: Scene; server: ScriptedServer }> {
  const server = await serverFor(conversations);
  const scene = await makeScene({ ...files, '.harness.yaml': settingsOf(agent, Object.keys(agent.variables(server, ''))) });
  await setUp(scene, agent, server);
  return { scene, server };
}

async function serverFor(conversations: readonly Conversation[]): Promise<ScriptedServer> {
  const server = await startScriptedServer(nodePlatform({}), scriptedModel({ conversations: [...conversations] }), { apiKey: 'key' });
  servers.push(server);
  return server;
}

async function setUp(scene: Scene, agent: RealAgent, server: ScriptedServer): Promise<void> {
  const home = scene.env['HOME']!;
  Object.assign(scene.env, agent.variables(server, home), { HARNESS_AGENT_CACHE: AGENT_CACHE, CANARY_TOKEN: 'seen-by-nobody' });
  await mkdir(home, { recursive: true });
  await agent.prepare?.(home, server);
}

function settingsOf(agent: RealAgent, names: readonly string[]): string {
  const command = agent.command === undefined ? '' : `  command: ${JSON.stringify(agent.command)}\n`;
  return `project:\n  name: calculator\ntesting:\n  full: npm test\nagent:\n  backend: ${agent.backend}\n${command}  env: [${names.join(', ')}]\n`;
}
