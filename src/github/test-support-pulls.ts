/** For tests only: the pull requests of the server in `test-support.ts`, with checks, comments and who may write. */
import { page, type Reply } from './test-support-reply.ts';

export interface StoredPull {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  merged_at: string | null;
  head: string;
  base: string;
}

export interface StoredRun {
  id: number;
  name: string;
  status: string;
  conclusion: string | null;
  output: { title: string; summary: string };
}

export interface StoredRemark {
  id: number;
  user: { login: string };
  body: string;
  path?: string;
  line?: number;
}

export interface PullStore {
  pulls: StoredPull[];
  /** Of a branch over there. */
  commitOf: (branch: string) => Promise<string>;
  checksOf: (commit: string) => Promise<StoredRun[]>;
  /** By pull request; the harness's replies are among the talk. */
  talk: Map<number, StoredRemark[]>;
  lines: Map<number, StoredRemark[]>;
  reviews: Map<number, StoredRemark[]>;
  permissions: Map<string, string>;
  /** Lists come back to front, and each row twice. */
  shuffles: boolean;
  /** The repository that a branch belongs to; another one is a fork. */
  repositoryOf: (branch: string) => string;
}

export function createPullStore(): PullStore {
  return {
    pulls: [],
    commitOf: async () => '0'.repeat(40),
    checksOf: async () => [],
    talk: new Map(),
    lines: new Map(),
    reviews: new Map(),
    permissions: new Map(),
    shuffles: false,
    repositoryOf: () => 'user/calc',
  };
}

interface Asked {
  method: string;
  url: URL;
  body: Record<string, string>;
  nextNumber: () => number;
}

/** Null: nothing of pull requests was asked. */
export async function answerAboutPulls(store: PullStore, asked: Asked): Promise<Reply | null> {
  const { method, url, body, nextNumber } = asked;
  const [, rest = ''] = /^\/repos\/[^/]+\/[^/]+(\/.*)$/.exec(url.pathname) ?? [];
  const told = <Row>(rows: readonly Row[]): Row[] => (store.shuffles ? [...rows, ...rows].toReversed() : [...rows]);
  const rows = <Row>(all: readonly Row[]): Reply => ({ status: 200, data: page(told(all), url) });
  const [, sha = '', what] = /^\/commits\/([^/]+)\/(check-runs|status)$/.exec(rest) ?? [];
  if (what === 'status') return { status: 200, data: { state: 'success', statuses: [] } };
  if (what === 'check-runs') return { status: 200, data: { check_runs: page(told(await store.checksOf(sha)), url) } };
  const login = /^\/collaborators\/([^/]+)\/permission$/.exec(rest)?.[1];
  if (login !== undefined) return { status: 200, data: { permission: store.permissions.get(login) ?? 'read' } };
  const [, number, kind] = /^\/(?:pulls|issues)\/(\d+)\/(comments|reviews)$/.exec(rest) ?? [];
  if (kind !== undefined && (rest.startsWith('/pulls') || store.pulls.some((pull) => pull.number === Number(number)))) {
    const remarks = kind === 'reviews' ? store.reviews : rest.startsWith('/pulls') ? store.lines : store.talk;
    const known = remarks.get(Number(number)) ?? [];
    if (method === 'GET') return rows(known);
    remarks.set(Number(number), [...known, { id: nextNumber() + 10_000, user: { login: 'harness-bot' }, body: body['body'] ?? '' }]);
    return { status: 201, data: remarks.get(Number(number))!.at(-1) };
  }
  const [, ofPulls] = /^\/pulls(.*)$/.exec(rest) ?? [];
  return ofPulls === undefined ? null : await answerPulls(store, asked, ofPulls, rows);
}

async function answerPulls(
  store: PullStore,
  { method, url, body, nextNumber }: Asked,
  rest: string,
  rows: (all: readonly unknown[]) => Reply,
): Promise<Reply> {
  if (method === 'GET') {
    const wanted = url.searchParams.get('head')?.split(':')[1];
    const isWanted = ({ head, state }: StoredPull): boolean =>
      wanted === undefined ? url.searchParams.get('state') !== 'open' || state === 'open' : head === wanted;
    const found = store.pulls
      .filter(isWanted)
      .toReversed()
      .map((pull) => toWire(store, pull));
    return rows(await Promise.all(found));
  }
  if (method === 'POST') {
    if (store.pulls.some(({ head, state }) => head === body['head'] && state === 'open'))
      return { status: 422, data: { message: 'A pull request already exists' } };
    const { title = '', body: text = '', head = '', base = '' } = body;
    store.pulls.push({ number: nextNumber(), title, body: text, state: 'open', merged_at: null, head, base });
    return { status: 201, data: await toWire(store, store.pulls.at(-1)!) };
  }
  const found = store.pulls.find(({ number }) => number === Number(rest.slice(1)));
  if (found === undefined) return { status: 404, data: { message: 'Not Found' } };
  Object.assign(found, body);
  return { status: 200, data: await toWire(store, found) };
}

async function toWire(store: PullStore, pull: StoredPull): Promise<object> {
  const head = { ref: pull.head, sha: await store.commitOf(pull.head), repo: { full_name: store.repositoryOf(pull.head) } };
  return { ...pull, head, base: { ref: pull.base } };
}
