/** What only Claude Code does, seen on the wire: injected text, refused calls, the budget, tool servers, and no settings of the repository. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentConversation, AgentHost, AgentTask } from '../../src/agents/contract.ts';
import { createBackend } from '../../src/agents/registry.ts';
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/agents/scripted/server.ts';
import { bench, collect, endOf, ofType, wholeTurn, type Bench } from '../../src/agents/test-support.ts';
import { AGENT_CACHE, isInstalled } from './installed-agents.ts';

type Steps = ScenarioInput['conversations'][number]['steps'];

describe.skipIf(!isInstalled('claude-code'))('Claude Code', () => {
  let at: Bench;
  let server: ScriptedServer;
  beforeEach(async () => {
    at = await bench({}, { HARNESS_AGENT_CACHE: AGENT_CACHE });
  });
  afterEach(async () => {
    await server.close();
    await at.remove();
  });

  async function start(steps: Steps, overrides: Partial<AgentTask> = {}, host: Partial<AgentHost> = {}): Promise<AgentConversation> {
    server = await startScriptedServer(at.platform, scriptedModel({ conversations: [{ steps }] }), { apiKey: 'key' });
    const env = { ...at.task.env, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url };
    return (await createBackend('claude-code')).start({ ...at.task, env, ...overrides }, { platform: at.platform, ...host });
  }
  const shell = (command: string): NonNullable<Steps[number]['tools']>[number] => ({ name: 'shell', input: { command } });
  const mainRequests = (): string[] =>
    server.requests.filter((request) => request.raw.includes('"tools":[{')).map((request) => request.raw);

  test('text that is injected while it works stands in the request after the tool result, and not before', async () => {
    const conversation = await start([
      { text: 'One.', tools: [shell('echo one')] },
      { text: 'Two.', tools: [shell('echo two')] },
      { text: 'Done.' },
    ]);
    const events = await wholeTurn(conversation, 'Begin.', (event) => {
      if (event.type === 'tool_result' && event.output.includes('one')) conversation.inject?.('75% of the context is used.');
    });
    expect(endOf(events)).toEqual({ kind: 'finished' });
    const carrying = mainRequests().map((raw) => raw.includes('75% of the context is used.'));
    expect(carrying[0]).toBe(false);
    expect(carrying.at(-1)).toBe(true);
  });

  test('a call that the policy closes is refused though permissions are bypassed', async () => {
    const conversation = await start([{ text: 'I try.', tools: [shell('touch before; sudo touch after')] }, { text: 'Done.' }]);
    const results = ofType(await wholeTurn(conversation, 'Begin.'), 'tool_result');
    expect(results).toMatchObject([{ ok: false, output: expect.stringContaining('tools.shell.denied_commands') }]);
    expect(await at.platform.files.exists(join(at.task.workspace, 'before'))).toBe(false);
  });

  test('the next request is not sent when it would go over the budget', async () => {
    let asked = 0;
    const conversation = await start(
      [
        { text: 'One.', tools: [shell('echo one')] },
        { text: 'Two.', tools: [shell('echo two')] },
      ],
      {},
      { beforeRequest: () => ((asked += 1) > 1 ? 'stop' : 'go') },
    );
    expect(endOf(await wholeTurn(conversation, 'Begin.'))).toMatchObject({ kind: 'failed', class: 'budget' });
    expect(mainRequests()).toHaveLength(1);
  });

  test('instructions, hooks and settings of the repository are not loaded; the harness speaks in the system text', async () => {
    await mkdir(join(at.task.workspace, '.claude'));
    await writeFile(join(at.task.workspace, 'CLAUDE.md'), 'Repository instruction zebra.');
    const hook = { hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'touch hooked' }] }] } };
    await writeFile(join(at.task.workspace, '.claude', 'settings.json'), JSON.stringify(hook));
    await wholeTurn(await start([{ text: 'One.', tools: [shell('echo one')] }, { text: 'Done.' }]), 'Begin.');
    expect(await at.platform.files.exists(join(at.task.workspace, 'hooked'))).toBe(false);
    expect(mainRequests()[0]).toContain('You build the application.');
    expect(mainRequests().join('')).not.toContain('zebra');
  });

  test('tool servers of the task are offered to the model', async () => {
    const program = join(at.task.temporary, 'server.mjs');
    await writeFile(program, TOOL_SERVER);
    await wholeTurn(
      await start([{ text: 'Done.' }], {
        mcpServers: { numbers: { command: process.execPath, args: [program], env: { TOOL_NAME: 'add_up' } } },
      }),
      'Begin.',
    );
    expect(mainRequests()[0]).toContain('mcp__numbers__add_up');
  });

  test('a second turn goes on in the same conversation', async () => {
    const conversation = await start([{ text: 'First answer.' }, { text: 'Second answer.' }]);
    await collect(conversation.turn('Question one.'));
    const second = await wholeTurn(conversation, 'Question two.');
    expect(ofType(second, 'text').map((event) => event.text)).toEqual(['Second answer.']);
    expect(mainRequests().at(-1)).toContain('Question one.');
  });

  test('too long a context ends the turn with that class, an overload is tried again', async () => {
    const conversation = await start([
      { text: 'x', fault: { kind: 'status', status: 529, times: 1 } },
      { text: 'y', fault: { kind: 'context_too_long', times: 99 } },
    ]);
    const first = await collect(conversation.turn('Begin.'));
    expect(ofType(first, 'retry')).toMatchObject([{ class: 'unavailable' }]);
    expect(endOf(first)).toEqual({ kind: 'finished' });
    expect(endOf(await wholeTurn(conversation, 'More.'))).toMatchObject({ kind: 'failed', class: 'context_too_long' });
  });
});

/** The least that the Model Context Protocol asks of a server. */
const TOOL_SERVER = `import { createInterface } from 'node:readline';
const answers = {
  initialize: (params) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'numbers', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: process.env.TOOL_NAME, description: 'Adds numbers up.', inputSchema: { type: 'object', properties: {} } }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const reply = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...reply }) + '\\n');
});
`;
