/**
 * GitHub through Octokit, with its throttling and its retries.
 *
 * 1. A rate limit is waited out and can be interrupted; a lost connection and a failing server are tried three times.
 * 2. What creates an issue or a comment is never repeated here: whether it took place is for the caller to find out.
 * 3. Failures carry no token and no header.
 */
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling, type ThrottlingOptions } from '@octokit/plugin-throttling';
import { z } from '../domain/zod.ts';
import type { Clock } from '../platform/platform.ts';
import { HubFailure, type Hub, type Issue, type Listing, type PullHub } from './contract.ts';

export interface HubOptions {
  /** `owner/name` */
  repository: string;
  token: string;
  /** For GitHub Enterprise, and for a server on this machine. */
  baseUrl: string;
  version: string;
  clock: Clock;
  signal: AbortSignal;
  /** Told before a rate limit is waited out. */
  waits(seconds: number): void;
}

export const PAGE = 100;
/** After the first try. */
const RETRIES = 2;
const GONE = new Set([404, 410]);

const IssueSchema = z
  .object({
    number: z.number().int(),
    state: z.enum(['open', 'closed']),
    closed_at: z.string().nullable().optional(),
    body: z.string().nullable().optional(),
    pull_request: z.unknown().optional(),
  })
  .transform(({ number, state, closed_at, body, pull_request }) => ({
    number,
    state,
    closedAt: closed_at ?? null,
    body: body ?? '',
    isPull: pull_request !== undefined && pull_request !== null,
  }));

export const PullSchema = z
  .object({
    number: z.number().int(),
    state: z.enum(['open', 'closed']),
    merged_at: z.string().nullable().optional(),
    title: z.string().nullable().optional(),
    body: z.string().nullable().optional(),
  })
  .transform(({ number, state, merged_at, title, body }) => ({
    number,
    state,
    merged: (merged_at ?? null) !== null,
    title: title ?? '',
    body: body ?? '',
  }));

/** Asks for what is below a repository. */
export type Ask = (route: string, parameters: Record<string, unknown>) => Promise<unknown>;

export function createAsk(options: HubOptions): Ask {
  const [owner = '', repo = ''] = options.repository.split('/');
  const octokit = connect(options);
  return (route, parameters) => asked(options, async () => (await octokit.request(route, { owner, repo, ...parameters })).data);
}

export function createPullHub(options: HubOptions, ask: Ask = createAsk(options)): PullHub {
  const [owner = ''] = options.repository.split('/');
  return {
    pullFrom: async (branch) => {
      const query = { head: `${owner}:${branch}`, state: 'all', sort: 'created', direction: 'desc', per_page: 1 };
      const [newest] = z.array(PullSchema).parse(await ask('GET /repos/{owner}/{repo}/pulls', query));
      return newest ?? null;
    },
    createPull: async (head, base, { title, body }) =>
      PullSchema.parse(await ask('POST /repos/{owner}/{repo}/pulls', { head, base, title, body, request: { retries: 0 } })),
    updatePull: async (number, text) => void (await ask('PATCH /repos/{owner}/{repo}/pulls/{number}', { number, ...text })),
  };
}

export function createHub(options: HubOptions): Hub {
  const [owner = '', repo = ''] = options.repository.split('/');
  const octokit = connect(options);
  const full = (route: string, parameters: Record<string, unknown>): Promise<Answer> =>
    asked(options, () => octokit.request(route, { owner, repo, ...parameters }));
  const ask = async (route: string, parameters: Record<string, unknown>): Promise<unknown> => (await full(route, parameters)).data;
  const askOrNull = async (route: string, parameters: Record<string, unknown>): Promise<unknown> => {
    try {
      return await ask(route, parameters);
    } catch (error) {
      if (error instanceof Missing) return null;
      throw error;
    }
  };
  const issueOrNull = (data: unknown): Issue | null => (data === null ? null : IssueSchema.parse(data));
  return {
    issues: ({ since, etag }) => {
      const parameters = { state: 'all', sort: 'created', direction: 'asc', ...(since === null ? {} : { since }) };
      return listIssues(etag, (page, headers) =>
        full('GET /repos/{owner}/{repo}/issues', { ...parameters, per_page: PAGE, page, headers }),
      );
    },
    issue: async (number) => issueOrNull(await askOrNull('GET /repos/{owner}/{repo}/issues/{number}', { number })),
    create: async (title, body) =>
      IssueSchema.parse(await ask('POST /repos/{owner}/{repo}/issues', { title, body, request: { retries: 0 } })),
    change: async (number, change) => issueOrNull(await askOrNull('PATCH /repos/{owner}/{repo}/issues/{number}', { number, ...change })),
    comments: async (number) => {
      try {
        const rows = await pages((page) => ask('GET /repos/{owner}/{repo}/issues/{number}/comments', { number, per_page: PAGE, page }));
        return rows.map((row) => z.object({ body: z.string().nullable().optional() }).parse(row).body ?? '');
      } catch (error) {
        if (error instanceof Missing) return null;
        throw error;
      }
    },
    comment: async (number, body) => {
      await ask('POST /repos/{owner}/{repo}/issues/{number}/comments', { number, body, request: { retries: 0 } });
    },
  };
}

function connect(options: HubOptions): Octokit {
  const { clock, signal } = options;
  const waitOut = async (seconds: number): Promise<boolean> => {
    if (signal.aborted) return false;
    options.waits(seconds);
    await clock.sleep(seconds * 1_000, signal).catch(() => undefined);
    return !signal.aborted;
  };
  return new (Octokit.plugin(throttling, retry))({
    auth: options.token,
    baseUrl: options.baseUrl,
    userAgent: `universal-agent-harness/${options.version}`,
    log: SILENT,
    retry: { retries: RETRIES, retryAfterBaseValue: isLoopback(options.baseUrl) ? 2 : 1_000 },
    // The waiting itself is done here, where it can be interrupted.
    throttle: {
      retryAfterBaseValue: 0,
      onRateLimit: waitOut,
      onSecondaryRateLimit: waitOut,
      ...(isLoopback(options.baseUrl) ? { write: UNPACED, notifications: UNPACED } : {}),
    },
  });
}

const nothing = (): void => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A server on this machine asks nobody to go slowly: GitHub's pace for writers does not apply. The plugin asks a group for nothing else. */
const UNPACED = {
  key: () => ({ schedule: async (_options: unknown, work: () => Promise<unknown>) => work() }),
} as unknown as NonNullable<ThrottlingOptions['write']>;

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

interface Answer {
  data: unknown;
  headers: { date?: string | undefined; etag?: string | undefined };
}

async function listIssues(
  etag: string | null,
  ask: (page: number, headers: Record<string, string>) => Promise<Answer>,
): Promise<Listing | null> {
  let first: Answer | null = null;
  try {
    const rows = await pages(async (page) => {
      const answer = await ask(page, page === 1 && etag !== null ? { 'if-none-match': etag } : {});
      first ??= answer;
      return answer.data;
    });
    const issues = rows.map((row) => IssueSchema.parse(row)).filter((issue) => !issue.isPull);
    const { date, etag: given } = (first as Answer | null)?.headers ?? {};
    return { issues, at: date === undefined ? null : isoTime(date), etag: rows.length < PAGE ? (given ?? null) : null };
  } catch (error) {
    if (error instanceof Unchanged) return null;
    throw error;
  }
}

function isoTime(date: string): string | null {
  const time = Date.parse(date);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export async function pages(page: (number: number) => Promise<unknown>): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let number = 1; ; number++) {
    const got = z.array(z.unknown()).parse(await page(number));
    rows.push(...got);
    if (got.length < PAGE) return rows;
  }
}

export class Missing extends HubFailure {
  constructor(message: string) {
    super('refused', message);
  }
}

class Unchanged extends HubFailure {
  constructor() {
    super('refused', 'nothing changed');
  }
}

async function asked<Result>(options: HubOptions, request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (options.signal.aborted) throw new HubFailure('interrupted', 'the sync was interrupted');
    throw classify(options, error);
  }
}

function classify({ repository, token }: HubOptions, error: unknown): HubFailure {
  const { status, message } = z.object({ status: z.number().optional(), message: z.string().default('') }).parse(toFields(error));
  const plain = (message.split('\n')[0] ?? '').replaceAll(token, '[token]').slice(0, 300);
  if (status === 304) return new Unchanged();
  if (status === 401) return new HubFailure('auth', 'GitHub does not accept the token');
  if (status !== undefined && GONE.has(status)) return new Missing(`GitHub finds no ${repository}, or the token may not see it`);
  if (status === 403 || status === 429) return new HubFailure('refused', `GitHub refused: ${plain}`);
  if (status === undefined || status >= 500) return new HubFailure('network', `GitHub could not be reached: ${plain}`);
  return new HubFailure('refused', `GitHub refused (${status}): ${plain}`);
}

function toFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, ...('status' in error && typeof error.status === 'number' ? { status: error.status } : {}) };
}
