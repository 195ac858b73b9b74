/**
 * For tests only: a server that keeps the issues of a repository as GitHub documents it: numbers, pages, `since`, conditional requests that
 * cost nothing of the limit, a limit that is used up and has its reset, a clock of its own, and faults on demand.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerAboutPulls, createPullStore, type PullStore } from './test-support-pulls.ts';
import { page, type Reply } from './test-support-reply.ts';

export interface StoredIssue {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  closed_at: string | null;
  updated_at: string;
  comments: string[];
  pull_request?: object;
}

/** What happens to a request: `before`: cut off unheard; `after`: carried out, and the answer lost. */
export type Fault = 'before' | 'after' | { status: number; headers?: Record<string, string>; message: string } | null;

export interface FakeGithub extends PullStore {
  url: string;
  issues: Map<number, StoredIssue>;
  /** Method and path of every request that was heard, with the token it carried. */
  requests: { line: string; status: number; authorization: string | undefined }[];
  /** Requests that are left until the limit is renewed, and when that is by this server's clock; null: no limit. */
  limit: { remaining: number; size: number; resetAt: number } | null;
  /** By this server's clock. */
  now(): number;
  /** Asked for each request, by its number from 1. */
  fault: (request: number, line: string) => Fault;
  /** As a person would. */
  byHand(number: number, change: Partial<Pick<StoredIssue, 'state' | 'body'>>): void;
  remove(number: number): void;
  close(): Promise<void>;
}

const NOT_FOUND: Reply = { status: 404, data: { message: 'Not Found' } };

export async function startGithub(): Promise<FakeGithub> {
  const issues = new Map<number, StoredIssue>();
  let clock = Date.parse('2026-01-01T00:00:00Z');
  const now = (): string => new Date((clock += 1_000)).toISOString().replace('.000Z', 'Z');
  let last = 0;
  let heard = 0;
  const setState = (issue: StoredIssue, change: Partial<Pick<StoredIssue, 'state' | 'body' | 'title'>>): void => {
    if (change.state !== undefined && change.state !== issue.state) issue.closed_at = change.state === 'closed' ? now() : null;
    Object.assign(issue, change);
    issue.updated_at = now();
  };
  const answer = async (method: string, url: URL, body: Record<string, string>): Promise<Reply> => {
    const ofPulls = await answerAboutPulls(github, { method, url, body, nextNumber: () => ++last });
    if (ofPulls !== null) return ofPulls;
    const [, repository, rest] = /^\/repos\/([^/]+\/[^/]+)\/issues(.*)$/.exec(url.pathname) ?? [];
    if (repository === undefined || rest === undefined) return NOT_FOUND;
    if (rest === '' && method === 'GET') return { status: 200, data: page([...issues.values()].filter(changedSince(url)), url) };
    if (rest === '' && method === 'POST') {
      const issue = { number: ++last, title: body['title'] ?? '', body: body['body'] ?? '', state: 'open' as const, closed_at: null };
      issues.set(issue.number, { ...issue, updated_at: now(), comments: [] });
      return { status: 201, data: issues.get(issue.number) };
    }
    const [, number, comments] = /^\/(\d+)(\/comments)?$/.exec(rest) ?? [];
    const issue = issues.get(Number(number));
    if (issue === undefined) return NOT_FOUND;
    if (comments !== undefined && method === 'GET')
      return {
        status: 200,
        data: page(
          issue.comments.map((one) => ({ body: one })),
          url,
        ),
      };
    if (comments !== undefined && method === 'POST') {
      issue.comments.push(body['body'] ?? '');
      issue.updated_at = now();
      return { status: 201, data: { body: body['body'] } };
    }
    if (method === 'PATCH') setState(issue, body as Partial<StoredIssue>);
    return { status: 200, data: issue };
  };
  const server = createServer((request, response) => void serve(request, response));
  const github: Omit<FakeGithub, 'url' | 'close'> = {
    ...createPullStore(),
    issues,
    requests: [],
    limit: null,
    now: () => clock,
    fault: () => null,
    byHand: (number, change) => setState(issues.get(number)!, change),
    remove: (number) => void issues.delete(number),
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const line = `${request.method} ${url.pathname}`;
    const entry = { line, status: 0, authorization: request.headers.authorization };
    const say = (status: number, headers: Record<string, string>, written: string | undefined): void => {
      entry.status = status;
      response.writeHead(status, { 'content-type': 'application/json', date: new Date(clock).toUTCString(), ...headers });
      response.end(written);
    };
    const fault = github.fault(++heard, line) ?? exhausted(github);
    github.requests.push(entry);
    const content = await text(request);
    if (fault === 'before') return void request.socket.destroy();
    if (fault !== null && fault !== 'after') return void say(fault.status, fault.headers ?? {}, JSON.stringify({ message: fault.message }));
    const { status, data } = await answer(request.method ?? '', url, content === '' ? {} : JSON.parse(content));
    if (fault === 'after') return void request.socket.destroy();
    const written = JSON.stringify(data);
    const etag = `"${createHash('sha1').update(written).digest('hex')}"`;
    const known = request.headers['if-none-match'] === etag;
    if (!known && github.limit !== null) github.limit.remaining--;
    say(known ? 304 : status, { etag, ...limitHeaders(github) }, known ? undefined : written);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(github, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => stop(server) });
}

/** GitHub refuses what goes over the limit and says when it is renewed; after that time it is. */
function exhausted(github: Pick<FakeGithub, 'limit' | 'now'>): Fault {
  const { limit } = github;
  if (limit === null || limit.remaining > 0) return null;
  if (Date.now() >= limit.resetAt) {
    limit.remaining = limit.size;
    return null;
  }
  return { status: 403, headers: limitHeaders(github), message: 'API rate limit exceeded for user ID 1.' };
}

function limitHeaders({ limit }: Pick<FakeGithub, 'limit'>): Record<string, string> {
  if (limit === null) return {};
  return {
    'x-ratelimit-limit': String(limit.size),
    'x-ratelimit-remaining': String(limit.remaining),
    'x-ratelimit-reset': String(Math.ceil(limit.resetAt / 1000)),
  };
}

function changedSince(url: URL): (issue: StoredIssue) => boolean {
  const since = url.searchParams.get('since');
  return (issue) => since === null || Date.parse(issue.updated_at) >= Date.parse(since);
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
