/** The built-in loop on Anthropic's Messages API. The key stays in this process: no tool of the agent sees it. */
import type { AgentBackend, AgentConversation, AgentHost, AgentTask } from '../contract.ts';
import { LoopConversation } from './conversation.ts';
import { openMcpTools } from './tools/mcp.ts';
import type { SendRequest } from './wire.ts';

export interface AnthropicOptions {
  /** Default: ANTHROPIC_API_KEY of the user. */
  apiKey?: string;
  /** Default: ANTHROPIC_BASE_URL of the user, else the provider's own. */
  baseUrl?: string;
  idleTimeoutMs?: number;
  maxOutputTokens?: number;
}

export interface Connection {
  apiKey: string;
  baseUrl: string;
  headers?: Record<string, string>;
}

const KEY_VARIABLE = 'ANTHROPIC_API_KEY';
const BASE_VARIABLE = 'ANTHROPIC_BASE_URL';
const PROVIDER_URL = 'https://api.anthropic.com';
const IDLE_TIMEOUT_MS = 120_000;
const MAX_OUTPUT_TOKENS = 16_000;

export function anthropicBackend(options: AnthropicOptions = {}): AgentBackend {
  const keyOf = (env: Readonly<Record<string, string | undefined>>): string => options.apiKey ?? env[KEY_VARIABLE] ?? '';
  return {
    name: 'anthropic',
    usage: 'exact',
    start: async (task, host) => {
      const { env } = host.platform;
      const apiKey = keyOf(env);
      if (apiKey === '') return keylessConversation();
      return startLoop(task, host, { apiKey, baseUrl: options.baseUrl ?? (env[BASE_VARIABLE] || PROVIDER_URL) }, options);
    },
    check: async (platform) => {
      const ready = keyOf(platform.env) !== '';
      return {
        name: 'anthropic',
        found: true,
        version: null,
        can_start: ready,
        detail: ready ? `built in; ${KEY_VARIABLE} is set` : `built in; ${KEY_VARIABLE} is not set`,
        install: ready ? null : `export ${KEY_VARIABLE}=<your key>`,
      };
    },
  };
}

/** The loop over one connection; the client library is loaded here and not before. */
export async function startLoop(
  task: AgentTask,
  host: AgentHost,
  connection: Connection,
  options: Pick<AnthropicOptions, 'idleTimeoutMs' | 'maxOutputTokens'> & { onStopped?(): Promise<void> },
): Promise<AgentConversation> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({
    apiKey: connection.apiKey,
    authToken: null,
    baseURL: connection.baseUrl,
    maxRetries: 0,
    logLevel: 'off',
    defaultHeaders: connection.headers,
  });
  const send: SendRequest = (request, signal) => client.messages.create(request, { signal });
  return new LoopConversation(task, host, {
    send,
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    maxOutputTokens: options.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
    mcp: await openMcpTools(host.platform, task),
    onStopped: options.onStopped,
  });
}

function keylessConversation(): AgentConversation {
  return {
    manyTurns: true,
    inject: () => {},
    stop: async () => {},
    turn: async function* () {
      const message = `${KEY_VARIABLE} is not set. Set it to a key of the Anthropic API, or choose another agent.backend in .harness.yaml.`;
      yield { type: 'end', end: { kind: 'failed', class: 'auth', message, retryAt: null } };
    },
  };
}
