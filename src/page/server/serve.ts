/**
 * The page's server: one process, no state of its own.
 *
 * 1. Bound to 127.0.0.1. Who is refused gets 403 and nothing else.
 * 2. `/` and `/assets/*` hold no data; everything below `/api` does.
 * 3. A stream of events begins after a number and goes on for as long as somebody reads; who is slow is waited for.
 * 4. What fails is told as the commands tell it; a defect is told as one, without its stack.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HarnessError } from '../../domain/errors.ts';
import { followNumbered } from '../../journal/follow-numbered.ts';
import type { Platform } from '../../platform/platform.ts';
import { cleanValue } from '../../reading/clean-value.ts';
import { knownProjects } from '../../reading/known-projects.ts';
import { openReader, type Reader } from '../../reading/open-reader.ts';
import type { Asset, AssetName } from './assets.ts';
import { openWrites, type Writes } from './writes.ts';
import { createHash, timingSafeEqual } from 'node:crypto';

export interface ServeOptions {
  platform: Platform;
  token: string;
  /** 0: any free one. */
  port: number;
  /** Further ports to try where that one is taken. */
  tries: number;
  proxy: URL | null;
  readonly: boolean;
  assets: ReadonlyMap<AssetName, Asset>;
  /** A report instead of the projects of this machine. */
  report: unknown;
  signal: AbortSignal;
}

export interface Served {
  port: number;
  url: string;
  close(): Promise<void>;
}

const LARGEST_BODY = 64 * 1024;

export async function servePage(options: ServeOptions): Promise<Served> {
  const { platform, token, proxy, readonly, signal } = options;
  const door: Door = { port: 0, token, proxy, readonly };
  const writes = openWrites(platform, signal);
  const readers = new Map<string, Reader>();
  const server = createServer((request, response) => {
    answer({ options, door, writes, readers }, request, response).catch((error: unknown) => fail(response, error));
  });
  door.port = await listen(server, options.port, options.tries);
  return { port: door.port, url: `http://127.0.0.1:${door.port}/#token=${token}`, close: () => closeServer(server) };
}

interface Ground {
  options: ServeOptions;
  door: Door;
  writes: Writes;
  readers: Map<string, Reader>;
}

async function answer(ground: Ground, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://page');
  const method = request.method ?? 'GET';
  const room = admit(ground.door, { method, path: url.pathname, headers: request.headers });
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  if (room === null) return void response.writeHead(403).end();
  if (room === 'page') return sendAsset(ground, url.pathname, response, method);
  const path = url.pathname.split('/').slice(2).map(decodeURIComponent);
  if (method === 'POST') return sendJson(response, await write(ground, path, request));
  const [events, reader] = await streamOf(ground, path);
  if (events) return reader === null ? missing(response) : await stream(ground, reader, url.searchParams, response);
  const body = await read(ground, path, url.searchParams);
  return body === undefined ? missing(response) : sendJson(response, { status: 200, body });
}

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
} as const;

async function read(
  { options, readers, door }: Ground,
  [area, id, view, ...rest]: readonly string[],
  query: URLSearchParams,
): Promise<unknown> {
  const { platform } = options;
  if (area === 'page' && id === undefined) return { readonly: door.readonly || options.report !== null, report: options.report };
  if (area === 'projects' && id === undefined) {
    const known = options.report === null ? await knownProjects(platform) : [];
    return await Promise.all(known.map((one) => readerOf(platform, readers, one.id, one.root).card()));
  }
  const reader = area === 'p' && id !== undefined ? await findReader(platform, readers, id) : null;
  if (reader === null) return undefined;
  const isPlain = rest.length === 0;
  if (view === 'state' && isPlain) return await reader.now();
  if (view === 'questions' && isPlain) return await reader.questions();
  if (view === 'features' && isPlain) return await reader.features();
  if (view === 'night' && isPlain) return await reader.night(timeOf(query.get('since')));
  if (view === 'money' && isPlain) return await reader.money();
  if (view === 'mission' && isPlain) return await reader.mission();
  if (view === 'hidden' && isPlain) return await reader.hidden();
  if (view === 'sessions' && rest.length === 1 && /^\d{1,9}$/.test(rest[0] ?? '')) {
    const session = await reader.session(Number(rest[0]));
    return session.record === null && session.started_at === null ? undefined : session;
  }
  return undefined;
}

function timeOf(value: string | null): string | null {
  const time = Date.parse(value ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

async function findReader(platform: Platform, readers: Map<string, Reader>, id: string): Promise<Reader | null> {
  const known = (await knownProjects(platform)).find((one) => one.id === id);
  return known === undefined ? null : readerOf(platform, readers, known.id, known.root);
}

function readerOf(platform: Platform, readers: Map<string, Reader>, id: string, root: string): Reader {
  const reader = readers.get(id) ?? openReader(platform, id, root);
  readers.set(id, reader);
  return reader;
}

async function write({ options, writes, readers }: Ground, path: readonly string[], request: IncomingMessage): Promise<Reply | null> {
  const [area, id, action, question, ...rest] = path;
  const reader = area === 'p' && id !== undefined && rest.length === 0 ? await findReader(options.platform, readers, id) : null;
  if (reader === null || action === undefined) return null;
  if (action === 'answers' && question !== undefined) return await writes.answer(reader.root, question, await bodyOf(request));
  if (action === 'say' && question === undefined) return await writes.say(reader.root, await bodyOf(request));
  return question === undefined ? await writes.carryOut(reader.root, action) : null;
}

type Reply = { status: number; body: unknown };

async function streamOf({ options, readers }: Ground, [area, id, view, ...rest]: readonly string[]): Promise<[boolean, Reader | null]> {
  if (area !== 'p' || id === undefined || view !== 'events' || rest.length > 0) return [false, null];
  return [true, await findReader(options.platform, readers, id)];
}

async function stream({ options }: Ground, reader: Reader, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const { platform } = options;
  const after = Number(query.get('after') ?? '0');
  const over = new AbortController();
  response.on('close', () => over.abort());
  const signal = AbortSignal.any([options.signal, over.signal]);
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'X-Accel-Buffering': 'no' });
  response.flushHeaders();
  for await (const batch of followNumbered(platform, await reader.logs(), Number.isFinite(after) ? Math.max(0, after) : 0, signal)) {
    const lines = batch.map((event) => `${JSON.stringify(cleanValue(event))}\n`).join('');
    if (!response.write(lines)) await drained(response, signal);
  }
  response.end();
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    if (signal.aborted) return resolve();
    response.on('drain', done);
    signal.addEventListener('abort', done);
  });
}

function sendAsset({ options }: Ground, path: string, response: ServerResponse, method: string): void {
  const name = path === '/' ? 'index.html' : path.startsWith('/assets/') ? path.slice('/assets/'.length) : null;
  const asset = name === null || (name === 'index.html' && path !== '/') ? undefined : options.assets.get(name as AssetName);
  if (asset === undefined) return missing(response);
  response.writeHead(200, { 'Content-Type': asset.type, 'Content-Length': asset.body.length });
  response.end(method === 'HEAD' ? undefined : asset.body);
}

function sendJson(response: ServerResponse, reply: Reply | null): void {
  if (reply === null) return missing(response);
  response.writeHead(reply.status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(reply.body));
}

function missing(response: ServerResponse): void {
  sendJson(response, { status: 404, body: { error: { message: 'There is nothing here.', details: [] } } });
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const known = error instanceof HarnessError;
  const status = error instanceof URIError ? 400 : !known ? 500 : error.exitCode === 2 ? 400 : 409;
  const message = known ? error.message : status === 400 ? 'The address cannot be read.' : 'The harness itself failed.';
  sendJson(response, { status, body: cleanValue({ error: { message, details: known ? error.details : [] } }) });
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const part of request) {
    text += String(part);
    if (text.length > LARGEST_BODY) throw new HarnessError('The answer is too long.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new HarnessError('The body is not JSON.');
  }
}

async function listen(server: Server, port: number, tries: number): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port === 0 ? 0 : port + attempt, '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken) throw error;
      if (attempt >= tries) throw new HarnessError(`Port ${port} is in use.`, { details: ['Choose another one: harness ui --port N'] });
    }
  }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/**
 * Who gets in. Pure.
 *
 * 1. Every request names the address that the page is bound to; any other `Host` may be a name that a stranger's page rebound.
 * 2. Data need the token in a header, which no foreign page can set without a preflight, and preflights get nothing.
 * 3. A write also needs the page's own `Origin`. There are no cookies: those know no ports.
 */
export interface Door {
  port: number;
  token: string;
  /** Address of a reverse proxy, from the user's own settings. */
  proxy: URL | null;
  readonly: boolean;
}

export interface Knock {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

type Room = 'page' | 'api';

/** Null: refused. */
export function admit(door: Door, { method, path, headers }: Knock): Room | null {
  const origins = [`http://127.0.0.1:${door.port}`, `http://localhost:${door.port}`, ...(door.proxy === null ? [] : [door.proxy.origin])];
  const hosts = origins.map((origin) => new URL(origin).host);
  const host = headers.host ?? '';
  if (!hosts.includes(host)) return null;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isApi(path)) return isRead ? 'page' : null;
  if (!isSame(headers['x-harness-token'], door.token)) return null;
  if (isRead) return headers.origin === undefined || isOwn(origins, headers.origin, host) ? 'api' : null;
  if (method !== 'POST' || door.readonly) return null;
  return isOwn(origins, headers.origin, host) ? 'api' : null;
}

function isApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

function isOwn(origins: readonly string[], origin: string | undefined, host: string): boolean {
  return origin !== undefined && origins.includes(origin) && new URL(origin).host === host;
}

/** In the same time, whatever is given. */
function isSame(given: string | string[] | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token));
}
