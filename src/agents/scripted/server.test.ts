import { Anthropic } from '@anthropic-ai/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Fault, ScenarioInput } from './scenario.ts';
import { scriptedModel } from './scripted-model.ts';
import { startScriptedServer, type ScriptedServer } from './server.ts';

let server: ScriptedServer;
afterEach(() => server.close());

async function serve(scenario: ScenarioInput): Promise<Anthropic> {
  server = await startScriptedServer(nodePlatform({}), scriptedModel(scenario), { apiKey: 'key' });
  return new Anthropic({ apiKey: 'key', baseURL: server.url, maxRetries: 0, logLevel: 'off' });
}

const TOOLS: Anthropic.Tool[] = [
  { name: 'shell', description: 'runs', input_schema: { type: 'object', properties: { command: { type: 'string' } } } },
];
const ask = (overrides: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}): Anthropic.MessageCreateParamsNonStreaming => ({
  model: 'claude-test',
  max_tokens: 100,
  tools: TOOLS,
  messages: [{ role: 'user', content: 'Begin.' }],
  ...overrides,
});
const oneStep = (step: NonNullable<ScenarioInput['conversations'][number]['steps']>[number]): ScenarioInput => ({
  conversations: [{ steps: [step] }],
});

describe('the Messages API', () => {
  test('a streamed message is assembled by the client library to what the scenario says', async () => {
    const client = await serve(
      oneStep({ text: 'Grüße, ich sehe nach — 🌱 und berichte.', tools: [{ name: 'shell', input: { command: 'ls -l "a b"' } }] }),
    );
    const events: string[] = [];
    const message = await client.messages
      .stream(ask())
      .on('streamEvent', (event) => void events.push(event.type))
      .finalMessage();
    expect(message.content).toEqual([
      { type: 'text', text: 'Grüße, ich sehe nach — 🌱 und berichte.' },
      { type: 'tool_use', id: expect.any(String), name: 'shell', input: { command: 'ls -l "a b"' } },
    ]);
    expect(message.stop_reason).toBe('tool_use');
    expect(events[0]).toBe('message_start');
    expect(events.at(-1)).toBe('message_stop');
    expect(events.filter((type) => type === 'content_block_delta').length).toBeGreaterThan(3);
  });

  test('a message that is not streamed has the same content and usage', async () => {
    const client = await serve(oneStep({ text: 'Done.' }));
    const whole = await client.messages.create(ask());
    const streamed = await client.messages.stream(ask()).finalMessage();
    expect(whole.content).toEqual(streamed.content);
    expect(whole.usage.output_tokens).toBe(streamed.usage.output_tokens);
    expect(whole.stop_reason).toBe('end_turn');
  });

  test('the next step follows from the tool results in the request, so asking twice gives the same answer', async () => {
    const client = await serve({
      conversations: [
        {
          steps: [
            {
              tools: [
                { name: 'shell', input: { command: 'a' } },
                { name: 'shell', input: { command: 'b' } },
              ],
            },
            { text: 'Both done.' },
            { text: 'Second turn.' },
          ],
        },
      ],
    });
    const first = await client.messages.create(ask());
    const again = await client.messages.create(ask());
    expect(again.content.map((block) => block.type)).toEqual(first.content.map((block) => block.type));
    const results = first.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'ok' }] : [],
    );
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: 'Begin.' },
      { role: 'assistant', content: first.content },
      { role: 'user', content: results },
    ];
    const second = await client.messages.create(ask({ messages }));
    expect(second.content).toEqual([{ type: 'text', text: 'Both done.' }]);
    const third = await client.messages.create(
      ask({ messages: [...messages, { role: 'assistant', content: second.content }, { role: 'user', content: 'More.' }] }),
    );
    expect(third.content).toEqual([{ type: 'text', text: 'Second turn.' }]);
  });

  test('conversations are told apart by what their opening contains', async () => {
    const client = await serve({
      conversations: [
        { when: { contains: 'red' }, steps: [{ text: 'Red it is.' }] },
        { when: { nth: 2 }, steps: [{ text: 'The second one.' }] },
        { steps: [{ text: 'Any other.' }] },
      ],
    });
    const say = async (content: string): Promise<unknown> =>
      (await client.messages.create(ask({ messages: [{ role: 'user', content }] }))).content;
    expect(await say('blue')).toEqual([{ type: 'text', text: 'Any other.' }]);
    expect(await say('green')).toEqual([{ type: 'text', text: 'The second one.' }]);
    expect(await say('red')).toEqual([{ type: 'text', text: 'Red it is.' }]);
    expect(await say('blue')).toEqual([{ type: 'text', text: 'Any other.' }]);
  });

  test('requests without tools get a harmless answer, and system-role messages are accepted', async () => {
    const client = await serve(oneStep({ text: 'The real work.', tools: [{ name: 'shell', input: {} }] }));
    const errand = await client.messages.create({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Title?' }] });
    expect(errand.content).toEqual([{ type: 'text', text: 'OK' }]);
    const withSystem = await client.messages.create(
      ask({
        messages: [
          { role: 'user', content: 'Begin.' },
          { role: 'system', content: 'A note.' },
        ],
      }),
    );
    expect(withSystem.stop_reason).toBe('tool_use');
  });

  test('what the provider refuses is refused here: unanswered tool calls, a fifth cache mark, a wrong key', async () => {
    const client = await serve(oneStep({ text: 'x' }));
    const unanswered = ask({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'shell', input: {} }] },
        { role: 'user', content: 'b' },
      ],
    });
    await expect(client.messages.create(unanswered)).rejects.toThrow(/without tool_result/);
    const mark = { type: 'text' as const, text: 'x', cache_control: { type: 'ephemeral' as const } };
    await expect(client.messages.create(ask({ system: [mark, mark, mark, mark, mark] }))).rejects.toThrow(/maximum of 4/);
    const stranger = new Anthropic({ apiKey: 'other', baseURL: server.url, maxRetries: 0, logLevel: 'off' });
    await expect(stranger.messages.create(ask())).rejects.toMatchObject({ status: 401 });
  });

  test('tokens are counted on request, and raw requests are kept', async () => {
    const client = await serve(oneStep({ text: 'x' }));
    const counted = await client.messages.countTokens({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(400) }] });
    expect(counted.input_tokens).toBeGreaterThan(100);
    await client.messages.create(ask());
    expect(server.requests).toHaveLength(1);
    expect(JSON.parse(server.requests[0]!.raw)).toEqual(server.requests[0]!.body);
  });
});

test('a closed server ends its streams and answers no more', async () => {
  const client = await serve(oneStep({ text: 'A text of some length.', fault: { kind: 'stall' } }));
  const stream = await client.messages.create({ ...ask(), stream: true });
  const reading = (async () => {
    for await (const event of stream) if (event.type === 'message_start') await server.close();
  })();
  await expect(reading).rejects.toThrow(/terminated/);
  await expect(client.messages.create(ask())).rejects.toThrow(/Connection error/);
});

describe('the prefix cache', () => {
  const cached = { type: 'ephemeral' as const };
  const system = [{ type: 'text' as const, text: 'S'.repeat(4_000), cache_control: cached }];
  const first: Anthropic.MessageParam = { role: 'user', content: [{ type: 'text', text: 'U'.repeat(2_000), cache_control: cached }] };

  test('the first request writes, the second reads exactly what was written', async () => {
    const client = await serve(oneStep({ text: 'x' }));
    const one = (await client.messages.create(ask({ system, messages: [first] }))).usage;
    const two = (await client.messages.create(ask({ system, messages: [first] }))).usage;
    expect(one.cache_read_input_tokens).toBe(0);
    expect(one.cache_creation_input_tokens).toBeGreaterThan(1_500);
    expect(two).toMatchObject({
      cache_read_input_tokens: one.cache_creation_input_tokens,
      cache_creation_input_tokens: 0,
      input_tokens: one.input_tokens,
    });
  });

  test('a longer conversation reads the old prefix although the mark has moved', async () => {
    const client = await serve(oneStep({ text: 'x' }));
    const one = (await client.messages.create(ask({ system, messages: [first] }))).usage;
    const longer: Anthropic.MessageParam[] = [
      { role: 'user', content: [{ type: 'text', text: 'U'.repeat(2_000) }] },
      { role: 'assistant', content: [{ type: 'text', text: 'x' }] },
      { role: 'user', content: [{ type: 'text', text: 'More.', cache_control: cached }] },
    ];
    const two = (await client.messages.create(ask({ system, messages: longer }))).usage;
    expect(two.cache_read_input_tokens).toBe(one.cache_creation_input_tokens);
    expect(two.cache_creation_input_tokens).toBeGreaterThan(0);
  });

  test('one changed byte in the system text reads nothing', async () => {
    const client = await serve(oneStep({ text: 'x' }));
    await client.messages.create(ask({ system, messages: [first] }));
    const changed = [{ ...system[0]!, text: `${'S'.repeat(3_999)}s` }];
    expect((await client.messages.create(ask({ system: changed, messages: [first] }))).usage.cache_read_input_tokens).toBe(0);
  });

  test('without marks nothing is cached', async () => {
    const client = await serve(oneStep({ text: 'x' }));
    await client.messages.create(ask());
    expect((await client.messages.create(ask())).usage).toMatchObject({ cache_read_input_tokens: 0, cache_creation_input_tokens: 0 });
  });

  test('a step can state its own usage', async () => {
    const client = await serve(oneStep({ text: 'x', usage: { input_tokens: 150_000, output_tokens: 9 } }));
    expect((await client.messages.stream(ask()).finalMessage()).usage).toMatchObject({
      input_tokens: 150_000,
      output_tokens: 9,
      cache_read_input_tokens: 0,
    });
  });
});

describe('faults on the wire', () => {
  const withFault = (fault: Record<string, unknown>): ScenarioInput =>
    oneStep({ text: 'A text that is long enough for some deltas.', fault: fault as Fault });
  const read = (client: Anthropic): Promise<Anthropic.Message> => client.messages.stream(ask()).finalMessage();

  test.each([
    [429, 'rate_limit_error'],
    [529, 'overloaded_error'],
    [401, 'authentication_error'],
    [500, 'api_error'],
  ])('status %i comes with its error type, once', async (status, type) => {
    const client = await serve(withFault({ kind: 'status', status }));
    await expect(read(client)).rejects.toMatchObject({ status, type });
    expect((await read(client)).stop_reason).toBe('end_turn');
  });

  test('a rate limit can say when to come back', async () => {
    const client = await serve(withFault({ kind: 'status', status: 429, retry_after: 17 }));
    const error = await read(client).catch((thrown: unknown) => thrown);
    expect((error as { headers: Headers }).headers.get('retry-after')).toBe('17');
  });

  test('a prompt that is too long gets status 400 and the provider’s words', async () => {
    await expect(read(await serve(withFault({ kind: 'context_too_long' })))).rejects.toThrow(/prompt is too long/);
  });

  test('a cut comes after part of the stream has arrived', async () => {
    const client = await serve(withFault({ kind: 'cut', after_events: 4 }));
    const seen: string[] = [];
    await expect(
      client.messages
        .stream(ask())
        .on('streamEvent', (event) => void seen.push(event.type))
        .finalMessage(),
    ).rejects.toThrow(/terminated/);
    expect(seen).toContain('content_block_delta');
    expect((await read(client)).stop_reason).toBe('end_turn');
  });

  test.each(['malformed', 'truncated', 'stream_error', 'reset'])('%s breaks the message for the client', async (kind) => {
    const client = await serve(withFault({ kind }));
    const seen: string[] = [];
    const stream = await client.messages.create({ ...ask(), stream: true }).catch(() => null);
    const whole = await (async () => {
      for await (const event of stream ?? []) seen.push(event.type);
    })().then(
      () => true,
      () => false,
    );
    expect(whole && seen.includes('message_stop')).toBe(false);
  });

  test('a stall keeps the connection open and sends nothing more', async () => {
    const client = await serve(withFault({ kind: 'stall', after_events: 2 }));
    const abort = new AbortController();
    const stream = await client.messages.create({ ...ask(), stream: true }, { signal: abort.signal });
    const seen: string[] = [];
    setTimeout(() => abort.abort(), 300);
    for await (const event of stream) seen.push(event.type);
    expect(seen).toEqual(['message_start', 'content_block_start']);
  });

  test('a delay comes before the headers', async () => {
    const client = await serve(withFault({ kind: 'delay', ms: 150 }));
    const begin = performance.now();
    await client.messages.create({ ...ask(), stream: true });
    expect(performance.now() - begin).toBeGreaterThan(140);
  });

  test('a fault can be planned for the how-manieth request of all', async () => {
    const client = await serve({ ...oneStep({ text: 'x' }), faults: [{ request: 1, fault: { kind: 'status', status: 500 } }] });
    await read(client);
    await expect(read(client)).rejects.toMatchObject({ status: 500 });
    await read(client);
  });
});

describe('the Responses API', () => {
  interface ResponseEvent {
    type: string;
    delta?: string;
    item?: { type: string; name?: string; arguments?: string; call_id?: string };
    response?: { usage: { input_tokens: number; input_tokens_details: { cached_tokens: number } } };
  }

  async function respond(body: Record<string, unknown>, path = '/v1/responses'): Promise<ResponseEvent[]> {
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-test', stream: true, ...body }),
    });
    return (await answer.text())
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as ResponseEvent] : []));
  }
  const tools = [{ type: 'function', name: 'exec_command', parameters: { type: 'object', properties: { cmd: { type: 'string' } } } }];
  const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Begin.' }] };

  test('streams text and function calls in the words of the client, then the usage', async () => {
    await serve(oneStep({ text: 'Writing.', tools: [{ name: 'write_file', input: { path: 'a/b.txt', content: 'x\n' } }] }));
    const events = await respond({ tools, input: [user] });
    expect(events[0]?.type).toBe('response.created');
    expect(
      events
        .filter((event) => event.type === 'response.output_text.delta')
        .map((event) => event.delta)
        .join(''),
    ).toBe('Writing.');
    const call = events.find((event) => event.type === 'response.output_item.done' && event.item?.type === 'function_call')?.item;
    expect(call?.name).toBe('exec_command');
    expect(JSON.parse(call?.arguments ?? '{}').cmd).toContain("cat > 'a/b.txt'");
    expect(
      events
        .filter((event) => event.type === 'response.function_call_arguments.delta')
        .map((event) => event.delta)
        .join(''),
    ).toBe(call?.arguments);
    expect(events.at(-1)?.type).toBe('response.completed');
    expect(events.at(-1)?.response?.usage.input_tokens).toBeGreaterThan(0);
  });

  test('the next step follows from the function outputs, and the old prefix counts as cached', async () => {
    await serve({ conversations: [{ steps: [{ tools: [{ name: 'shell', input: { command: 'ls' } }] }, { text: 'Finished.' }] }] });
    const first = await respond({ tools, input: [user] }, '/responses');
    const call = first.find((event) => event.type === 'response.output_item.done')!.item!;
    const second = await respond({ tools, input: [user, call, { type: 'function_call_output', call_id: call.call_id, output: 'ok' }] });
    expect(
      second
        .filter((event) => event.type === 'response.output_text.delta')
        .map((event) => event.delta)
        .join(''),
    ).toBe('Finished.');
    const before = first.at(-1)!.response!.usage.input_tokens;
    expect(second.at(-1)!.response!.usage.input_tokens_details.cached_tokens).toBe(before);
  });
});
