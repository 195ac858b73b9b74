import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../../../platform/node-platform.ts';
import { scriptedModel } from '../../scripted/scripted-model.ts';
import { startScriptedServer } from '../../scripted/server.ts';
import { bench, ofType, wholeTurn, type Bench } from '../../test-support.ts';
import { anthropicBackend } from '../backend.ts';
import { openMcpTools } from './mcp.ts';

/** Lists its tools on two pages, prints a line that is no message, and asks its client something first. */
const SERVER = `const { createInterface } = require('node:readline');
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
console.log('starting up');
say({ id: 'own', method: 'roots/list' });
const tool = (name) => ({ name, description: 'Tool ' + name, inputSchema: { type: 'object', properties: { a: { type: 'number' } } } });
const answers = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'numbers', version: '1' } }),
  'tools/list': ({ cursor }) => (cursor === undefined ? { tools: [tool('add')], nextCursor: '2' } : { tools: [tool('look.at'), tool('hang'), tool('leave')] }),
  'tools/call': ({ name, arguments: input }) => {
    if (name === 'add') return { content: [{ type: 'text', text: String(input.a + Number(process.env.PLUS)) }] };
    if (name === 'look.at') return { content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }], isError: false };
    if (name === 'leave') process.exit(3);
    return undefined;
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method]?.(params ?? {});
  if (id !== undefined && result !== undefined) say({ id, result });
});
`;

let at: Bench;
beforeEach(async () => {
  at = await bench();
  // A server is a process that has to start: it gets real time.
  at.platform = { ...at.platform, clock: nodePlatform().clock };
  await writeFile(join(at.task.temporary, 'server.cjs'), SERVER);
});
afterEach(() => at.remove());

const numbers = (): { command: string; args: string[]; env: Record<string, string> } => ({
  command: process.execPath,
  args: [join(at.task.temporary, 'server.cjs')],
  env: { PLUS: '40' },
});

test('tools of a server are offered under its name and answer calls; what a call does wrong is told to the agent', async () => {
  const task = { ...at.task, mcpServers: { numbers: numbers() } };
  const mcp = await openMcpTools(at.platform, task);
  const limited = (timeout_seconds: number): typeof task => ({
    ...task,
    tools: { ...task.tools, shell: { ...task.tools.shell, timeout_seconds } },
  });
  const call = async (name: string, seconds = 1_000_000): Promise<unknown> => {
    const tool = mcp.tools.find(({ definition }) => definition.name === `mcp__numbers__${name}`)!;
    return await tool
      .run({ platform: at.platform, task: limited(seconds), signal: new AbortController().signal }, { a: 2 })
      .catch((error: Error) => error.message);
  };
  expect(mcp.tools.map(({ definition }) => definition.name)).toEqual(
    ['add', 'look_at', 'hang', 'leave'].map((name) => `mcp__numbers__${name}`),
  );
  expect(await call('add')).toEqual({ ok: true, output: '42', pictures: [] });
  expect(await call('look_at')).toEqual({ ok: true, output: '', pictures: [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }] });
  expect(await call('hang', 1)).toBe('no answer to tools/call in 1 s');
  expect(await call('leave')).toBe('the server ended');
  expect(await call('add')).toBe('the server ended');
  await mcp.close();
});

test('the built-in loop uses them, shows pictures to the model, and goes on without a server that does not start', async () => {
  const model = scriptedModel({
    conversations: [{ steps: [{ text: 'Looking.', tools: [{ name: 'mcp__numbers__look_at', input: {} }] }, { text: 'Done.' }] }],
  });
  const server = await startScriptedServer(at.platform, model, { apiKey: 'key' });
  const broken = { command: '/nowhere/server', args: [], env: {} };
  const mute = { command: process.execPath, args: ['-e', 'console.error("no display"); process.exit(1)'], env: {} };
  const task = { ...at.task, mcpServers: { numbers: numbers(), broken, mute } };
  const conversation = await anthropicBackend({ apiKey: 'key', baseUrl: server.url, idleTimeoutMs: 10_000_000 }).start(task, {
    platform: at.platform,
  });
  const events = await wholeTurn(conversation, 'Begin.');
  await server.close();
  const warnings = ofType(events, 'warning').map(({ message }) => message);
  expect(warnings).toEqual([
    expect.stringContaining('the MCP server broken is left out'),
    expect.stringMatching(/the MCP server mute is left out: the server ended: no display/),
  ]);
  const sent = JSON.stringify(server.requests.at(-1)!.body);
  expect(sent).toContain('"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}');
  expect(await at.platform.processes.findByEnvironment('PLUS', '40')).toEqual([]);
});
