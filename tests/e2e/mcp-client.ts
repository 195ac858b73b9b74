/** A host in a few lines, in either generation of the protocol, so that every message on the wire is under the test's control. */
import { spawn, type ChildProcess } from 'node:child_process';
import { BIN } from './host-support.ts';
import type { Scene } from './support.ts';

export type Era = '2025-11-25' | '2026-07-28';
export const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28'];

export interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface ToolAnswer {
  isError: boolean;
  /** Each text of the answer. */
  texts: string[];
  /** The second text, which is JSON. */
  value: Record<string, unknown>;
  /** Characters of all texts. */
  size: number;
}

type Elicited = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> };

export interface HostOptions {
  era: Era;
  /** Answers a question of the server; absent: the host declares no elicitation. */
  elicit?: (params: Record<string, unknown>, id: string) => Elicited;
  env?: Readonly<Record<string, string>>;
}

export interface McpHost {
  child: ChildProcess;
  progress: string[];
  request(method: string, params?: Record<string, unknown>): Promise<Message>;
  /** Gives the id at once, so that the call can be cancelled. */
  begin(method: string, params?: Record<string, unknown>): { id: number; answer: Promise<Message> };
  notify(method: string, params: Record<string, unknown>): void;
  tool(name: string, input?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

const hosts: McpHost[] = [];

export async function closeMcpHosts(): Promise<void> {
  for (const host of hosts.splice(0)) await host.close();
}

export async function mcpHost(scene: Scene, options: HostOptions): Promise<McpHost> {
  const child = spawn(process.execPath, [BIN, 'mcp'], {
    cwd: scene.project,
    env: { ...scene.env, ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number | string, (message: Message) => void>();
  const progress: string[] = [];
  const capabilities = options.elicit === undefined ? {} : { elicitation: {} };
  let last = 0;
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': options.era,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const withMeta = (params: Record<string, unknown>): Record<string, unknown> =>
    options.era === '2025-11-25' ? params : { ...params, _meta: { ...(params['_meta'] as object | undefined), ...envelope } };
  const hear = (message: Message): void => {
    const { id, method, params = {} } = message;
    if (method === 'notifications/progress') progress.push(String(params['message']));
    else if (method === 'elicitation/create' && id !== undefined)
      send({ id, result: options.elicit?.(params, '') ?? { action: 'cancel' } });
    else if (method === undefined && id !== undefined) waiting.get(id)?.(message);
  };
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(JSON.parse(line) as Message);
  });
  child.stdin.on('error', () => {});
  const begin: McpHost['begin'] = (method, params = {}) => {
    const id = ++last;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({ id, method, params: withMeta(params) });
    return { id, answer };
  };
  const request: McpHost['request'] = (method, params) => begin(method, params).answer;
  /** What the server wants to know is answered, and the request sent again with it. */
  const call = async (params: Record<string, unknown>): Promise<Message> => {
    const message = await request('tools/call', params);
    const wanted = message.result?.['inputRequests'] as Record<string, { params: Record<string, unknown> }> | undefined;
    if (wanted === undefined) return message;
    const entries = Object.entries(wanted).map(([id, one]) => [id, options.elicit?.(one.params, id) ?? { action: 'cancel' }]);
    return await call({ ...params, inputResponses: Object.fromEntries(entries), ...stateOf(message) });
  };
  const host: McpHost = {
    child,
    progress,
    request,
    begin,
    notify: (method, params) => send({ method, params }),
    tool: async (name, input = {}) => answerOf(await call({ name, arguments: input, _meta: { progressToken: `${name}-${last}` } })),
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
  hosts.push(host);
  if (options.era === '2025-11-25') {
    const clientInfo = { name: 'test', version: '1.0.0' };
    await request('initialize', { protocolVersion: options.era, capabilities, clientInfo });
    send({ method: 'notifications/initialized' });
  } else await request('server/discover');
  return host;
}

function stateOf({ result }: Message): object {
  return result?.['requestState'] === undefined ? {} : { requestState: result['requestState'] };
}

function answerOf({ result, error }: Message): ToolAnswer {
  if (error !== undefined) return { isError: true, texts: [error.message], value: { code: error.code }, size: error.message.length };
  const texts = ((result?.['content'] ?? []) as { text?: string }[]).map(({ text = '' }) => text);
  let value: Record<string, unknown> = {};
  try {
    value = JSON.parse(texts[1] ?? '{}') as Record<string, unknown>;
  } catch {
    value = {};
  }
  return { isError: result?.['isError'] === true, texts, value, size: texts.join('').length };
}
