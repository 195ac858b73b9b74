/**
 * A client of the Model Context Protocol over a server's standard input and output: JSON-RPC, one message a line.
 *
 * 1. The server is a program of the agent's: it runs in the agent's sandbox, with the agent's environment and its own variables.
 * 2. Every call ends: with an answer, with the server's own error, when its time is over, or when the server is gone.
 * 3. A line that is no message, and a message that nobody waits for, is passed over; requests of the server are declined.
 */
import type { Platform } from '../../platform/platform.ts';
import type { RunningProcess } from '../../platform/processes.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { AgentTask, McpServer } from '../contract.ts';
import { agentEnvironment } from '../environment.ts';

export interface McpTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

export interface McpPicture {
  mediaType: 'image/png' | 'image/jpeg';
  /** Base64. */
  data: string;
}

export interface McpResult {
  ok: boolean;
  text: string;
  pictures: McpPicture[];
}

export interface McpClient {
  tools: McpTool[];
  call(tool: string, input: Readonly<Record<string, unknown>>, timeoutMs: number, signal: AbortSignal): Promise<McpResult>;
  close(): Promise<void>;
}

const PROTOCOL = '2025-06-18';
/** A server that has to be fetched first takes its time. */
const START_MS = 120_000;
const MOST_PAGES = 20;
const LONGEST_LINE = 32 * 1024 * 1024;
const GRACE_MS = 1_000;

/** Rejects when the server cannot be started or does not speak the protocol. */
export async function openMcpClient(platform: Platform, task: AgentTask, server: McpServer): Promise<McpClient> {
  const child = await platform.processes.start({
    file: server.command,
    args: server.args,
    cwd: task.workspace,
    env: { ...agentEnvironment(task), ...server.env },
    sandbox: task.sandbox,
  });
  const wire = openWire(platform, child);
  try {
    const start = {
      protocolVersion: PROTOCOL,
      capabilities: {},
      clientInfo: { name: 'universal-agent-harness', version: HARNESS_VERSION },
    };
    await wire.ask('initialize', start, START_MS);
    wire.tell('notifications/initialized');
    const tools = await listTools(wire);
    return {
      tools,
      call: async (name, input, timeoutMs, signal) =>
        readResult(await wire.ask('tools/call', { name, arguments: input }, timeoutMs, signal)),
      close: () => child.stop(GRACE_MS),
    };
  } catch (error) {
    await child.stop(GRACE_MS);
    throw error;
  }
}

interface Wire {
  ask(method: string, params: object, timeoutMs: number, signal?: AbortSignal): Promise<unknown>;
  tell(method: string): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

function openWire({ clock }: Platform, child: RunningProcess): Wire {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let over: Error | null = null;
  let complaints = '';
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const end = (why: string): void => {
    over ??= new Error(complaints.trim() === '' ? why : `${why}: ${complaints.trim()}`);
    for (const one of waiting.values()) one.reject(over);
    waiting.clear();
  };
  const take = (message: Record<string, unknown>): void => {
    const { id, method, result, error } = message;
    if (typeof method === 'string') {
      if (id !== undefined) send(method === 'ping' ? { id, result: {} } : { id, error: { code: -32_601, message: 'not supported' } });
      return;
    }
    const one = typeof id === 'number' ? waiting.get(id) : undefined;
    waiting.delete(id as number);
    if (error !== undefined) one?.reject(new Error(asRecord(error)['message']?.toString() ?? 'the server refused'));
    else one?.resolve(result);
  };
  // A server that does not listen any more is about to end, and says why on its way.
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString('utf8')).slice(-500)));
  void child.exited.then(() => end('the server ended'));
  readLines(child, take, end);
  return {
    tell: (method) => send({ method }),
    ask: async (method, params, timeoutMs, signal) => {
      if (over !== null) throw over;
      const id = ++last;
      const answered = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
      send({ id, method, params });
      const done = new AbortController();
      const late = clock.sleep(timeoutMs, signal === undefined ? done.signal : AbortSignal.any([done.signal, signal])).then(() => {
        if (done.signal.aborted) return null;
        throw new Error(signal?.aborted === true ? 'stopped' : `no answer to ${method} in ${timeoutMs / 1_000} s`);
      });
      return await Promise.race([answered, late]).finally(() => {
        waiting.delete(id);
        done.abort();
      });
    },
  };
}

function readLines(child: RunningProcess, take: (message: Record<string, unknown>) => void, end: (why: string) => void): void {
  let parts: Buffer[] = [];
  let size = 0;
  child.stdout.on('error', () => {});
  child.stdout.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      const line = Buffer.concat([...parts, rest.subarray(0, at)]).toString('utf8');
      [parts, size, rest] = [[], 0, rest.subarray(at + 1)];
      const message = parsed(line);
      if (message !== null) take(message);
    }
    parts.push(rest);
    size += rest.length;
    if (size <= LONGEST_LINE) return;
    parts = [];
    child.stdout.destroy();
    end('the server sent more than can be read');
  });
}

async function listTools(wire: Wire): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page++) {
    const listed = asRecord(await wire.ask('tools/list', cursor === undefined ? {} : { cursor }, START_MS));
    for (const one of Array.isArray(listed['tools']) ? listed['tools'] : []) {
      const { name, description, inputSchema } = asRecord(one);
      if (typeof name === 'string')
        tools.push({ name, description: typeof description === 'string' ? description : '', inputSchema: asRecord(inputSchema) });
    }
    cursor = listed['nextCursor'];
    if (typeof cursor !== 'string') break;
  }
  return tools;
}

const LARGEST_PICTURE = 5 * 1024 * 1024;

function readResult(value: unknown): McpResult {
  const { content, isError, structuredContent } = asRecord(value);
  const parts = (Array.isArray(content) ? content : []).map(asRecord);
  const pictures = parts.flatMap(({ type, data, mimeType }): McpPicture[] =>
    type === 'image' && typeof data === 'string' && data.length < LARGEST_PICTURE && (mimeType === 'image/png' || mimeType === 'image/jpeg')
      ? [{ mediaType: mimeType, data }]
      : [],
  );
  const words = parts.map((part) =>
    typeof part['text'] === 'string' ? part['text'] : part['type'] === 'image' ? '' : JSON.stringify(part),
  );
  const text = words.filter((one) => one !== '').join('\n');
  return {
    ok: isError !== true,
    text: text === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : text,
    pictures,
  };
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
