/** A calculator project whose agent is the built-in loop, talking to a scripted model of the test's own on loopback. */
import { afterAll } from 'vitest';
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer, type RecordedRequest, type ScriptedServer } from '../../src/agents/scripted/server.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { claim, projectWithAgent, RUN_SUBTRACT, WRITE_SUBTRACT } from './calculator.ts';
import { git, write, type Scene } from './support.ts';

export const KEY = 'key-of-the-tests';

export type Steps = ScenarioInput['conversations'][number]['steps'];
export type WireStep = Steps[number];

export interface Wired {
  scene: Scene;
  server: ScriptedServer;
}

const servers: ScriptedServer[] = [];
afterAll(async () => {
  for (const server of servers.splice(0)) await server.close();
});

export async function projectOnWire(steps: Steps, settings = '', faults: NonNullable<ScenarioInput['faults']> = []): Promise<Wired> {
  const scene = await projectWithAgent('exit 1');
  await write(scene, {
    '.harness.yaml': `project:\n  name: calculator\ntesting:\n  full: npm test\nagent:\n  backend: anthropic\n${settings}`,
  });
  await git(scene, 'commit', '-q', '-m', 'Settings', '--', '.harness.yaml');
  const server = await startScriptedServer(nodePlatform({}), scriptedModel({ conversations: [{ steps }], faults }), { apiKey: KEY });
  servers.push(server);
  return { scene: { ...scene, env: { ...scene.env, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url } }, server };
}

export function shell(command: string, more: Partial<WireStep> = {}): WireStep {
  return { tools: [{ name: 'shell', input: { command } }], ...more };
}

/** Implements feature 2, shows its test and claims it. */
export const HONEST_STEPS: Steps = [shell(WRITE_SUBTRACT), shell(RUN_SUBTRACT), shell(claim(2)), { text: 'Subtraction works.' }];

/** Text blocks of the user's part of a request: the prompt and what was injected. */
export function saidTo(request: RecordedRequest | undefined): string[] {
  const messages =
    (request?.body as { messages: { role: string; content: { type: string; text?: string }[] }[] } | undefined)?.messages ?? [];
  return messages
    .filter((message) => message.role === 'user')
    .flatMap((message) => message.content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])));
}
