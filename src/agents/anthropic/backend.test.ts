import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentConversation, AgentHost, AgentTask } from '../contract.ts';
import { scriptedModel, type ScriptedModel } from '../scripted/scripted-model.ts';
import type { Fault, ScenarioInput } from '../scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../scripted/server.ts';
import { bench, collect, endOf, eventually, ofType, runs, wholeTurn, type Bench } from '../test-support.ts';
import { anthropicBackend, startLoop } from './backend.ts';

interface SentBlock {
  type: string;
  text?: string;
  content?: string;
  cache_control?: unknown;
  is_error?: boolean;
}
interface Sent {
  system: SentBlock[];
  tools: unknown[];
  messages: { role: string; content: SentBlock[] }[];
}

const PATIENT_MS = 10_000_000;
let at: Bench;
let servers: ScriptedServer[] = [];
beforeEach(async () => {
  at = await bench();
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
  await at.remove();
});

async function serve(model: ScriptedModel): Promise<ScriptedServer> {
  const server = await startScriptedServer(at.platform, model, { apiKey: 'key' });
  servers.push(server);
  return server;
}

async function converse(
  scenario: ScenarioInput | ScriptedModel,
  options: { task?: Partial<AgentTask>; host?: Partial<AgentHost>; idleTimeoutMs?: number } = {},
): Promise<{ conversation: AgentConversation; server: ScriptedServer; sent: (index: number) => Sent }> {
  const server = await serve('answer' in scenario ? scenario : scriptedModel(scenario));
  const backend = anthropicBackend({ apiKey: 'key', baseUrl: server.url, idleTimeoutMs: options.idleTimeoutMs ?? PATIENT_MS });
  const conversation = await backend.start({ ...at.task, ...options.task }, { platform: at.platform, ...options.host });
  return { conversation, server, sent: (index) => server.requests.at(index)!.body as Sent };
}

const WORK: ScenarioInput = {
  conversations: [
    {
      steps: [
        { text: 'Looking.', tools: [{ name: 'shell', input: { command: 'pwd; echo oops >&2' } }] },
        {
          tools: [
            { name: 'write_file', input: { path: 'src/a.js', content: 'one two\n' } },
            { name: 'edit_file', input: { path: 'src/a.js', old_string: 'two', new_string: '$& three' } },
          ],
        },
        { text: 'All done.' },
        { text: 'Still done.' },
      ],
    },
  ],
};

describe('a whole session', () => {
  test('tools run in the workspace and their results go back in order', async () => {
    const { conversation, sent } = await converse(WORK);
    const events = await wholeTurn(conversation, 'Begin.');
    expect(endOf(events)).toEqual({ kind: 'finished' });
    expect(events.map((event) => event.type)).toEqual([
      'text',
      'usage',
      'tool',
      'tool_result',
      'usage',
      'tool',
      'tool_result',
      'tool',
      'tool_result',
      'text',
      'usage',
      'end',
    ]);
    expect(ofType(events, 'tool_result')[0]).toMatchObject({ ok: true, output: `exit code: 0\n${at.task.workspace}\noops` });
    expect(await readFile(join(at.task.workspace, 'src/a.js'), 'utf8')).toBe('one $& three\n');
    expect(sent(-1).messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(sent(-1).messages[4]!.content.map((block) => block.type)).toEqual(['tool_result', 'tool_result']);
  });

  test('a second turn goes on in the same window', async () => {
    const { conversation, sent } = await converse(WORK);
    await collect(conversation.turn('Begin.'));
    const events = await wholeTurn(conversation, 'Is it done?');
    expect(conversation.manyTurns).toBe(true);
    expect(ofType(events, 'text').map((event) => event.text)).toEqual(['Still done.']);
    expect(sent(-1).messages.at(-1)!.content[0]!.text).toBe('Is it done?');
  });

  test('a failing command is told to the model as an error', async () => {
    const { conversation, sent } = await converse({
      conversations: [
        {
          steps: [
            {
              tools: [
                { name: 'shell', input: { command: 'echo bad; exit 4' } },
                { name: 'no_such_tool', input: {} },
              ],
            },
            { text: 'ok' },
          ],
        },
      ],
    });
    const events = await wholeTurn(conversation, 'Begin.');
    expect(ofType(events, 'tool_result').map((event) => event.ok)).toEqual([false, false]);
    expect(
      sent(-1)
        .messages.at(-1)!
        .content.map((block) => block.is_error),
    ).toEqual([true, true]);
    expect(sent(-1).messages.at(-1)!.content[0]!.content).toBe('exit code: 4\nbad');
  });

  test('the shell sees the task’s variables, and neither the key nor the user’s environment', async () => {
    const { conversation } = await converse({
      conversations: [{ steps: [{ tools: [{ name: 'shell', input: { command: 'env' } }] }, { text: 'ok' }] }],
    });
    const output = ofType(await wholeTurn(conversation, 'Begin.'), 'tool_result')[0]!.output;
    expect(output).toContain('HARNESS_ROLE=project/coding');
    expect(output).toContain(`TMPDIR=${at.task.temporary}`);
    expect(output).not.toMatch(/ANTHROPIC|=key$/m);
  });

  test('the loop ends with a warning when the turns are used up', async () => {
    const { conversation, server } = await converse(
      { conversations: [{ steps: Array.from({ length: 9 }, () => ({ tools: [{ name: 'shell', input: { command: 'true' } }] })) }] },
      { task: { maxTurns: 3 } },
    );
    const events = await wholeTurn(conversation, 'Begin.');
    expect(endOf(events)).toEqual({ kind: 'finished' });
    expect(ofType(events, 'warning')[0]?.message).toContain('3 turns');
    expect(server.requests).toHaveLength(3);
  });

  test('without a key the turn fails with a message that names the variable', async () => {
    const conversation = await anthropicBackend().start(at.task, { platform: at.platform });
    expect(endOf(await wholeTurn(conversation, 'Begin.'))).toMatchObject({
      kind: 'failed',
      class: 'auth',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
  });
});

describe('the prompt cache', () => {
  test('later requests read what earlier ones wrote, and usage is exact', async () => {
    const { conversation } = await converse(WORK, { task: { system: 'S'.repeat(9_000) } });
    const usages = ofType(await wholeTurn(conversation, 'Begin.'), 'usage');
    const [first, second, third] = usages.map((event) => event.usage);
    expect(first!.cache_read_input_tokens).toBe(0);
    expect(second!.cache_read_input_tokens).toBe(first!.cache_creation_input_tokens);
    expect(third!.cache_read_input_tokens).toBe(second!.cache_read_input_tokens + second!.cache_creation_input_tokens);
    expect(usages.every((event) => event.usage.input_tokens === 0 && !event.estimated)).toBe(true);
    expect(usages[2]!.context_tokens).toBe(third!.cache_read_input_tokens + third!.cache_creation_input_tokens + third!.output_tokens);
  });

  test('tools and system are byte-identical between sessions, so the next session starts from the cache', async () => {
    const model = scriptedModel(WORK);
    const one = await converse(model, { task: { system: 'S'.repeat(9_000) } });
    await wholeTurn(one.conversation, 'Begin.');
    const two = await converse(model, { task: { system: 'S'.repeat(9_000), session: 8, feature: 4 } });
    const events = await wholeTurn(two.conversation, 'Another feature.');
    const stable = (raw: string): string => raw.slice(0, raw.indexOf('"messages"'));
    expect(stable(one.server.requests[0]!.raw)).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}');
    expect(stable(two.server.requests[0]!.raw)).toBe(stable(one.server.requests[0]!.raw));
    expect(ofType(events, 'usage')[0]!.usage.cache_read_input_tokens).toBeGreaterThan(2_250);
  });

  test('the marks are on the tools, the system text and the ends of this request and of the one before it', async () => {
    const { conversation, server } = await converse(WORK);
    await wholeTurn(conversation, 'Begin.');
    for (const [at, request] of server.requests.entries()) {
      const { messages } = request.body as Sent;
      const marked = messages.flatMap(({ content }, index) => (content.some((block) => block.cache_control !== undefined) ? [index] : []));
      expect(request.raw.match(/"cache_control"/g)).toHaveLength(at === 0 ? 3 : 4);
      expect(marked).toEqual(at === 0 ? [0] : [messages.length - 3, messages.length - 1]);
      expect(messages.at(-1)!.content.at(-1)!.cache_control).toEqual({ type: 'ephemeral' });
    }
  });

  test('a step of many tools does not lose what the request before it wrote', async () => {
    const many = Array.from({ length: 15 }, (_, index) => ({ name: 'shell', input: { command: `echo ${index}` } }));
    const { conversation } = await converse({
      conversations: [{ steps: [{ tools: many.slice(0, 1) }, { tools: many }, { text: 'Done.' }] }],
    });
    const usages = ofType(await wholeTurn(conversation, `Begin. ${'P'.repeat(9_000)}`), 'usage').map((event) => event.usage);
    expect(usages[2]!.cache_read_input_tokens).toBe(usages[1]!.cache_read_input_tokens + usages[1]!.cache_creation_input_tokens);
  });

  test('a session with other words and the same tools reads the tools', async () => {
    const model = scriptedModel(WORK);
    await wholeTurn((await converse(model, { task: { system: 'You plan.' } })).conversation, 'Begin.');
    const events = await wholeTurn((await converse(model, { task: { system: 'You review.' } })).conversation, 'Begin.');
    expect(ofType(events, 'usage')[0]!.usage.cache_read_input_tokens).toBeGreaterThan(0);
  });
});

describe('injection', () => {
  test('the text stands after the tool results of the next message', async () => {
    const { conversation, sent } = await converse(WORK);
    await wholeTurn(conversation, 'Begin.', (event) => {
      if (event.type === 'tool' && event.name === 'shell') conversation.inject?.('75% of the context is used.');
    });
    expect(
      sent(1)
        .messages.at(-1)!
        .content.map((block) => [block.type, block.text]),
    ).toEqual([
      ['tool_result', undefined],
      ['text', '75% of the context is used.'],
    ]);
    expect(sent(2).messages[2]).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result' }, { type: 'text', text: '75% of the context is used.' }],
    });
  });

  test('what comes too late for this turn opens the next one, after its prompt', async () => {
    const { conversation, sent } = await converse(WORK);
    await collect(conversation.turn('Begin.'), (event) => {
      if (event.type === 'text' && event.text === 'All done.') conversation.inject?.('Five minutes left.');
    });
    await wholeTurn(conversation, 'Go on.');
    expect(
      sent(-1)
        .messages.at(-1)!
        .content.map((block) => block.text),
    ).toEqual(['Go on.', 'Five minutes left.']);
  });
});

describe('the host decides', () => {
  test('it is asked before each request, with an estimate close to what is then counted', async () => {
    const estimates: number[] = [];
    const { conversation } = await converse(WORK, {
      task: { system: 'S'.repeat(20_000) },
      host: { beforeRequest: ({ input_tokens }) => (estimates.push(input_tokens), 'go') },
    });
    const usages = ofType(await wholeTurn(conversation, 'Begin.'), 'usage').map(
      (event) => event.context_tokens - event.usage.output_tokens,
    );
    expect(estimates).toHaveLength(usages.length);
    for (const [index, estimate] of estimates.entries()) expect(Math.abs(estimate - usages[index]!) / usages[index]!).toBeLessThan(0.1);
  });

  test('its no ends the turn with class budget, and nothing is sent', async () => {
    const { conversation, server } = await converse(WORK, { host: { beforeRequest: () => 'stop' } });
    expect(endOf(await wholeTurn(conversation, 'Begin.'))).toMatchObject({ kind: 'failed', class: 'budget' });
    expect(server.requests).toHaveLength(0);
  });
});

describe('stopping', () => {
  const living = (): Promise<number[]> => at.platform.processes.findByEnvironment('HARNESS_PROJECT_DIR', at.task.workspace);

  test('ends a running tool with its children, also one that left the process group', async () => {
    const command = 'setsid sleep 1001 >/dev/null 2>&1 & sleep 1000';
    const { conversation } = await converse({
      conversations: [{ steps: [{ tools: [{ name: 'shell', input: { command } }] }, { text: 'never' }] }],
    });
    const events = await collect(conversation.turn('Begin.'), (event) => {
      if (event.type === 'tool') void eventually(async () => (await living()).length >= 3).then(() => conversation.stop());
    });
    expect(endOf(events)).toEqual({ kind: 'stopped' });
    await conversation.stop();
    expect(await living()).toEqual([]);
  });

  test('waits for a tool that holds out against SIGTERM and hides from the search', async () => {
    const command = `exec env -i /bin/sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done'`;
    const { conversation } = await converse({
      conversations: [{ steps: [{ tools: [{ name: 'shell', input: { command } }] }, { text: 'never' }] }],
    });
    const turn = collect(conversation.turn('Begin.'));
    const pidOf = (): Promise<number> => readFile(join(at.task.workspace, 'pid'), 'utf8').then(Number, () => 0);
    await eventually(async () => (await pidOf()) > 0);
    await conversation.stop();
    expect(await runs(await pidOf())).toBe(false);
    expect(endOf(await turn)).toEqual({ kind: 'stopped' });
  });

  test('tells the owner of the connection, once', async () => {
    const server = await serve(scriptedModel(WORK));
    let told = 0;
    const conversation = await startLoop(
      at.task,
      { platform: at.platform },
      { apiKey: 'key', baseUrl: server.url },
      { onStopped: async () => void (told += 1) },
    );
    await Promise.all([conversation.stop(), conversation.stop()]);
    await conversation.stop();
    expect(told).toBe(1);
  });

  test('aborts a request that hangs', async () => {
    const { conversation, server } = await converse({ conversations: [{ steps: [{ text: 'x', fault: { kind: 'stall' } }] }] });
    const turn = collect(conversation.turn('Begin.'));
    await eventually(() => server.requests.length === 1);
    await conversation.stop();
    expect(endOf(await turn)).toEqual({ kind: 'stopped' });
  });

  test('cuts a wait for the provider short', async () => {
    const { clock } = at.platform;
    const endless = (signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
    const platform = {
      ...at.platform,
      clock: { ...clock, sleep: (ms: number, signal?: AbortSignal) => (ms === 299_000 ? endless(signal) : clock.sleep(ms, signal)) },
    };
    const { conversation } = await converse(
      { conversations: [{ steps: [{ text: 'x', fault: { kind: 'status', status: 429, retry_after: 299, times: 99 } }] }] },
      { host: { platform } },
    );
    const events = await collect(conversation.turn('Begin.'), (event) => {
      if (event.type === 'retry') setTimeout(() => void conversation.stop(), 20);
    });
    expect(endOf(events)).toEqual({ kind: 'stopped' });
  });
});

describe('provider faults', () => {
  async function play(
    fault: Record<string, unknown>,
    options: { idleTimeoutMs?: number } = {},
  ): Promise<{
    end: ReturnType<typeof endOf>;
    requests: number;
    waits: number[];
    server: ScriptedServer;
    texts: string[];
    retries: string[];
  }> {
    const { conversation, server } = await converse(
      { conversations: [{ steps: [{ text: 'A reply of some length, for a few deltas.', fault: fault as Fault }] }] },
      options,
    );
    const before = at.waits.length;
    const events = await wholeTurn(conversation, 'Begin.');
    const waits = at.waits.slice(before).filter((ms) => ms >= 1_000 && ms !== (options.idleTimeoutMs ?? PATIENT_MS));
    return {
      end: endOf(events),
      requests: server.requests.length,
      waits,
      server,
      texts: ofType(events, 'text').map((event) => event.text),
      retries: ofType(events, 'retry').map((event) => event.class),
    };
  }
  const finished = { kind: 'finished' };

  test('429 is answered by waiting longer each time', async () => {
    const { end, waits, retries } = await play({ kind: 'status', status: 429, times: 3 });
    expect(end).toEqual(finished);
    expect(waits).toEqual([5_000, 10_000, 20_000]);
    expect(retries).toEqual(['usage_limit', 'usage_limit', 'usage_limit']);
  });

  test('429 with a time is answered by waiting that long', async () => {
    expect(await play({ kind: 'status', status: 429, retry_after: 42 })).toMatchObject({ end: finished, waits: [42_000] });
  });

  test('429 with a time beyond five minutes ends the turn at once and says when to come back', async () => {
    const begin = Date.now();
    const { end, requests } = await play({ kind: 'status', status: 429, retry_after: 3_600, times: 9 });
    expect(end).toMatchObject({ kind: 'failed', class: 'usage_limit' });
    const retryAt = end.kind === 'failed' ? (end.retryAt ?? 0) : 0;
    expect(retryAt - begin).toBeGreaterThanOrEqual(3_600_000);
    expect(retryAt - begin).toBeLessThan(3_660_000);
    expect(requests).toBe(1);
  });

  test('529 is tried three more times after thirty seconds each, then the provider is unavailable', async () => {
    expect(await play({ kind: 'status', status: 529, times: 3 })).toMatchObject({ end: finished, waits: [30_000, 30_000, 30_000] });
    expect(await play({ kind: 'status', status: 529, times: 9 })).toMatchObject({
      end: { kind: 'failed', class: 'unavailable' },
      requests: 4,
    });
  });

  test.each([
    ['a server error', { kind: 'status', status: 500 }],
    ['a connection that is reset', { kind: 'reset' }],
    ['a cut in the middle', { kind: 'cut', after_events: 4 }],
    ['an event that is not JSON', { kind: 'malformed' }],
    ['a stream without its last event', { kind: 'truncated' }],
  ])('%s is retried once, then the provider is unavailable', async (_, fault) => {
    expect(await play({ ...fault, times: 1 })).toMatchObject({ end: finished, requests: 2, retries: ['unavailable'] });
    expect(await play({ ...fault, times: 9 })).toMatchObject({ end: { kind: 'failed', class: 'unavailable' }, requests: 2 });
  });

  test('an error inside the stream is treated by its type', async () => {
    expect(await play({ kind: 'stream_error', error: 'overloaded_error' })).toMatchObject({ end: finished, waits: [30_000] });
  });

  test('silence in the stream and before the headers is noticed and retried once', async () => {
    const idleTimeoutMs = 300_000;
    expect(await play({ kind: 'stall' }, { idleTimeoutMs })).toMatchObject({ end: finished, requests: 2 });
    expect(await play({ kind: 'delay', ms: 5_000_000 }, { idleTimeoutMs })).toMatchObject({ end: finished, requests: 2 });
    expect(await play({ kind: 'stall', times: 9 }, { idleTimeoutMs })).toMatchObject({
      end: { kind: 'failed', class: 'unavailable', message: expect.stringContaining('nothing for 300 seconds') },
    });
  });

  test.each([
    ['auth', { kind: 'status', status: 401, times: 9 }],
    ['auth', { kind: 'status', status: 403, times: 9 }],
    ['context_too_long', { kind: 'context_too_long', times: 9 }],
    ['agent', { kind: 'status', status: 404, times: 9 }],
  ])('class %s is never retried', async (errorClass, fault) => {
    expect(await play(fault)).toMatchObject({ end: { kind: 'failed', class: errorClass, retryAt: null }, requests: 1 });
  });

  test('a half reply is never sent back: the retried request is the same, byte for byte', async () => {
    const { server } = await play({ kind: 'cut', after_events: 5 });
    expect(server.requests[1]!.raw).toBe(server.requests[0]!.raw);
  });
});

describe('stop reasons', () => {
  const played = async (
    steps: ScenarioInput['conversations'][number]['steps'],
  ): Promise<{ events: Awaited<ReturnType<typeof wholeTurn>>; sent: (index: number) => Sent }> => {
    const { conversation, sent } = await converse({ conversations: [{ steps }] });
    return { events: await wholeTurn(conversation, 'Begin.'), sent };
  };

  test('a reply cut at the output limit is continued', async () => {
    const { events, sent } = await played([{ text: 'Half of', stop_reason: 'max_tokens' }, { text: 'the reply.' }]);
    expect(endOf(events)).toEqual({ kind: 'finished' });
    expect(sent(1).messages.at(-1)!.content[0]!.text).toMatch(/cut at the output limit/);
  });

  test('a reply that is cut again and again ends the turn', async () => {
    const { events } = await played(Array.from({ length: 9 }, () => ({ text: 'Half', stop_reason: 'max_tokens' })));
    expect(endOf(events)).toMatchObject({ kind: 'failed', class: 'agent' });
    expect(ofType(events, 'usage')).toHaveLength(4);
  });

  test('a refusal is a failure, an unknown reason a warning', async () => {
    expect(endOf((await played([{ text: 'No.', stop_reason: 'refusal' }])).events)).toMatchObject({ kind: 'failed', class: 'agent' });
    const { events } = await played([{ text: 'Hm.', stop_reason: 'moon_phase' }]);
    expect(endOf(events)).toEqual({ kind: 'finished' });
    expect(ofType(events, 'warning')[0]?.message).toContain('moon_phase');
  });

  test('a full window is its own class', async () => {
    expect(endOf((await played([{ text: 'x', stop_reason: 'model_context_window_exceeded' }])).events)).toMatchObject({
      class: 'context_too_long',
    });
  });
});
