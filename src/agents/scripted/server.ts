/**
 * The scripted model on the wire: a server on loopback that speaks the Messages and the Responses API.
 *
 * 1. Every request that reaches a model endpoint is recorded raw, before it is answered.
 * 2. Faults happen on the wire, not in the client: status codes, silence, cuts, broken events.
 * 3. With a key, requests without it get 401. `close` ends every connection.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Platform } from '../../platform/platform.ts';
import { errorBody, playFault, sendJson, sendStream } from './deliver.ts';
import { messageBody, messageEvents, parseMessagesRequest, type ParsedRequest } from './messages-wire.ts';
import { estimateTokens } from './prefix-cache.ts';
import { parseResponsesRequest, responseBody, responseEvents } from './responses-wire.ts';
import type { Reply, ScriptedModel } from './scripted-model.ts';
import type { ServerSentEvent } from './sse.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

export interface RecordedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  /** The body as it arrived. */
  raw: string;
  body: unknown;
}

export interface ScriptedServer {
  url: string;
  requests: RecordedRequest[];
  close(): Promise<void>;
}

interface Wire {
  parse(body: unknown, headers: IncomingMessage['headers']): ParsedRequest;
  body(reply: Reply): Record<string, unknown>;
  events(reply: Reply): ServerSentEvent[];
  automaticCache: boolean;
}

const MESSAGES: Wire = { parse: parseMessagesRequest, body: messageBody, events: messageEvents, automaticCache: false };
const RESPONSES: Wire = { parse: parseResponsesRequest, body: responseBody, events: responseEvents, automaticCache: true };
const WIRES: Readonly<Record<string, Wire>> = { '/v1/messages': MESSAGES, '/v1/responses': RESPONSES, '/responses': RESPONSES };
const LARGEST_BODY = 64 * 1024 * 1024;

export async function startScriptedServer(
  platform: Platform,
  model: ScriptedModel,
  options: { apiKey?: string } = {},
): Promise<ScriptedServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    answer({ platform, model, requests, apiKey: options.apiKey ?? null }, request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => socket.unref());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close: () => closeServer(server) };
}

interface Place {
  platform: Platform;
  model: ScriptedModel;
  requests: RecordedRequest[];
  apiKey: string | null;
}

async function answer(desk: Place, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = beforeFirst(request.url ?? '/', '?');
  const raw = await readBody(request);
  if (raw === null) return sendJson(response, 413, errorBody('request_too_large', 'the request is too large'));
  if (desk.apiKey !== null && !carriesKey(request, desk.apiKey))
    return sendJson(response, 401, errorBody('authentication_error', 'invalid key'));
  const body = parseJson(raw);
  if (request.method === 'POST' && path === '/v1/messages/count_tokens') return countTokens(response, body, request);
  const wire = request.method === 'POST' ? WIRES[path] : undefined;
  if (wire === undefined) return sendJson(response, 404, errorBody('not_found_error', `there is nothing at ${path}`));
  desk.requests.push({ path, headers: request.headers, raw, body });
  const parsed = wire.parse(body, request.headers);
  if (!parsed.ok) return sendJson(response, 400, errorBody('invalid_request_error', parsed.message));
  const answered = desk.model.answer(parsed.request, wire.automaticCache);
  if (answered.kind === 'no_match') return sendJson(response, 400, errorBody('invalid_request_error', answered.message));
  const { reply, fault } = answered;
  const events = wire.events(reply);
  if (fault !== null && (await playFault(desk.platform.clock, response, fault, events))) return;
  if (parsed.request.stream) return sendStream(response, events);
  sendJson(response, 200, wire.body(reply));
}

function countTokens(response: ServerResponse, body: unknown, request: IncomingMessage): void {
  const parsed = parseMessagesRequest(body, request.headers);
  if (!parsed.ok) return sendJson(response, 400, errorBody('invalid_request_error', parsed.message));
  const bytes = parsed.request.segments.reduce((sum, segment) => sum + Buffer.byteLength(segment.bytes), 0);
  sendJson(response, 200, { input_tokens: estimateTokens(bytes) });
}

function carriesKey(request: IncomingMessage, key: string): boolean {
  return request.headers['x-api-key'] === key || request.headers.authorization === `Bearer ${key}`;
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LARGEST_BODY) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
