import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { HubFailure, type Action, type MirroredFeature, type MirrorSettings } from './contract.ts';
import { readIssueMark } from './mark.ts';
import type { MirrorMemory } from './memory.ts';
import { createHub } from './octokit-hub.ts';
import { previewSync, syncMirror } from './sync.ts';
import { startGithub, type FakeGithub, type Fault } from './test-support.ts';

const TOKEN = 'ghp_secret-token-of-nobody';
const SETTINGS: MirrorSettings = { project: 'calc', createMissing: true, closeOnVerify: true };

let github: FakeGithub;
let memory: MirrorMemory;
let waited: number[];

beforeEach(async () => {
  github = await startGithub();
  memory = { seenUntil: null, issues: new Map() };
  waited = [];
});
afterEach(() => github.close());

function feature(id: number, passes = false): MirroredFeature {
  const proof = passes ? { commit: `c0ffee${id}`, verdict: `v-${id}`, tests: [`tests/${id}.test.js > works`] } : null;
  return {
    id,
    description: `Feature number ${id}`,
    category: null,
    steps: [],
    dependsOn: [],
    testFiles: [`tests/${id}.test.js`],
    passes,
    proof,
  };
}

function hub(signal: AbortSignal = new AbortController().signal): ReturnType<typeof createHub> {
  return createHub({
    repository: 'user/calc',
    token: TOKEN,
    baseUrl: github.url,
    version: '0.0.0',
    clock: { ...nodePlatform().clock, sleep: async () => undefined },
    signal,
    waits: (seconds) => waited.push(seconds),
  });
}

async function sync(features: readonly MirroredFeature[], settings: Partial<MirrorSettings> = {}): Promise<Action[]> {
  return await syncMirror({
    hub: hub(),
    features,
    settings: { ...SETTINGS, ...settings },
    memory,
    remember: async (next) => {
      memory = { seenUntil: next.seenUntil, issues: new Map(next.issues) };
    },
    told: () => undefined,
    now: () => '2026-01-01T00:00:00Z',
    signal: new AbortController().signal,
  });
}

function states(): Record<number, string> {
  return Object.fromEntries([...github.issues.values()].map(({ body, state }) => [readIssueMark(body)?.feature ?? 0, state]));
}

function faultAt(at: number, fault: Fault): void {
  github.fault = (request) => (request === at ? fault : null);
}

describe('the mirror', () => {
  it('creates an issue for each feature and closes those that pass, with commit, verdict and tests in a comment', async () => {
    await sync([feature(1, true), feature(2)]);
    expect(states()).toEqual({ 1: 'closed', 2: 'open' });
    const comment = github.issues.get(1)?.comments[0] ?? '';
    for (const part of ['c0ffee1', 'v-1', 'tests/1.test.js > works']) expect(comment).toContain(part);
  });

  it('has nothing to do when nothing changed', async () => {
    await sync([feature(1, true), feature(2)]);
    const before = github.requests.length;
    expect(await sync([feature(1, true), feature(2)])).toEqual([]);
    expect(github.requests.slice(before).every(({ line }) => line.startsWith('GET'))).toBe(true);
  });

  it('closes an issue when its feature comes to pass, and reopens it when it passes no more', async () => {
    await sync([feature(1)]);
    await sync([feature(1, true)]);
    expect(states()).toEqual({ 1: 'closed' });
    await sync([feature(1)]);
    expect(states()).toEqual({ 1: 'open' });
    expect(github.issues.get(1)?.comments.at(-1)).toContain('no longer passes');
  });

  it('never reopens what a person closed', async () => {
    await sync([feature(1)]);
    github.byHand(1, { state: 'closed' });
    expect(await sync([feature(1)])).toEqual([]);
    expect(states()).toEqual({ 1: 'closed' });
  });

  it('knows a closing of its own from a later one by a person', async () => {
    await sync([feature(1, true)]);
    github.byHand(1, { state: 'open' });
    github.byHand(1, { state: 'closed' });
    expect(await sync([feature(1)])).toEqual([]);
    expect(states()).toEqual({ 1: 'closed' });
  });

  it('knows its own closing by the mark when its memory is lost', async () => {
    await sync([feature(1, true)]);
    memory = { seenUntil: null, issues: new Map() };
    await sync([feature(1)]);
    expect(states()).toEqual({ 1: 'open' });
  });

  it('closes what a person opened although the feature passes', async () => {
    await sync([feature(1, true)]);
    github.byHand(1, { state: 'open' });
    await sync([feature(1, true)]);
    expect(states()).toEqual({ 1: 'closed' });
  });

  it('explains once, instead of closing, where closing is switched off', async () => {
    await sync([feature(1, true)]);
    github.byHand(1, { state: 'open' });
    await sync([feature(1, true)], { closeOnVerify: false });
    await sync([feature(1, true)], { closeOnVerify: false });
    expect(states()).toEqual({ 1: 'open' });
    expect(github.issues.get(1)?.comments.filter((text) => text.includes('nothing left to do'))).toHaveLength(1);
  });

  it('leaves what a person wrote into the body alone', async () => {
    await sync([feature(1)]);
    github.byHand(1, { body: `${github.issues.get(1)?.body}\nA note of mine.` });
    await sync([feature(1, true)]);
    expect(github.issues.get(1)?.body).toContain('A note of mine.');
    expect(readIssueMark(github.issues.get(1)?.body ?? '')).toEqual({ project: 'calc', feature: 1, state: 'closed' });
  });

  it('makes a deleted issue anew, or leaves it out where missing ones are not created', async () => {
    await sync([feature(1), feature(2)]);
    github.remove(1);
    github.remove(2);
    await sync([feature(1, true), feature(2)], { createMissing: false });
    expect(github.issues.size).toBe(0);
    memory = { seenUntil: null, issues: new Map([[1, { number: 1, state: 'open', closedAt: null, ownClosing: null }]]) };
    await sync([feature(1, true)]);
    expect(states()).toEqual({ 1: 'closed' });
  });

  it('takes no issue of another project or without a mark for its own', async () => {
    await sync([feature(1)], { project: 'other' });
    memory = { seenUntil: null, issues: new Map() };
    await sync([feature(1)]);
    expect(github.issues.size).toBe(2);
  });

  it('shows a plan without writing anything', async () => {
    const plan = await previewSync({ hub: hub(), features: [feature(1), feature(2, true)], settings: SETTINGS, memory });
    expect(plan.map(({ kind }) => kind)).toEqual(['create', 'create']);
    expect(github.issues.size).toBe(0);
  });

  it('cannot be made to mention people or to end its mark by the words of a feature', async () => {
    const hostile = {
      ...feature(1),
      description: '@everyone --> <!-- harness: project=calc feature=2 state=closed -->',
      category: '<script>',
    };
    await sync([hostile]);
    const body = github.issues.get(1)?.body ?? '';
    expect(readIssueMark(body)).toEqual({ project: 'calc', feature: 1, state: 'open' });
    expect(body).not.toMatch(/@everyone|<script>/);
  });
});

describe('faults', () => {
  it.each([
    [
      'the primary limit',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 30) },
      403,
      'API rate limit exceeded',
    ],
    [
      'a status 429',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 30) },
      429,
      'Too many requests',
    ],
    ['the secondary limit', { 'retry-after': '7' }, 403, 'You have exceeded a secondary rate limit'],
  ])('waits %s out and goes on', async (_name, headers, status, message) => {
    faultAt(2, { status, headers, message });
    await sync([feature(1)]);
    expect(github.issues.size).toBe(1);
    expect(waited).toHaveLength(1);
    expect(waited[0]).toBeGreaterThan(0);
  });

  it('tells a token that is not accepted apart from everything else', async () => {
    faultAt(1, { status: 401, message: 'Bad credentials' });
    await expect(sync([feature(1)])).rejects.toMatchObject({ kind: 'auth' });
  });

  it('gives up after three tries without a connection, and makes it up the next time', async () => {
    github.fault = () => 'before';
    await expect(sync([feature(1)])).rejects.toMatchObject({ kind: 'network' });
    github.fault = () => null;
    await sync([feature(1)]);
    expect(states()).toEqual({ 1: 'open' });
  });

  it('stops waiting for a limit when it is interrupted', async () => {
    const stop = new AbortController();
    github.fault = () => ({ status: 403, headers: { 'retry-after': '3600' }, message: 'secondary rate limit' });
    const waits = { ...nodePlatform().clock };
    const waiting = createHub({
      repository: 'user/calc',
      token: TOKEN,
      baseUrl: github.url,
      version: '0.0.0',
      clock: waits,
      signal: stop.signal,
      waits: () => stop.abort(),
    });
    await expect(waiting.issues(null)).rejects.toMatchObject({ kind: 'interrupted' });
  });

  it('has its token in the header alone, and in no failure', async () => {
    github.fault = () => ({ status: 422, message: `Validation failed for ${TOKEN}` });
    const failure: unknown = await sync([feature(1)]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HubFailure);
    expect(String(failure)).not.toContain(TOKEN);
    expect(github.requests[0]?.authorization).toContain(TOKEN);
    expect(JSON.stringify([...github.issues.values()])).not.toContain(TOKEN);
  });

  it.each(['before', 'after'] as const)('ends the same when it dies at any request, %s it was heard', async (when) => {
    const features = [feature(1, true), feature(2), feature(3, true)];
    for (let at = 1; ; at++) {
      await github.close();
      github = await startGithub();
      memory = { seenUntil: null, issues: new Map() };
      github.fault = (request) => (request === at ? when : request > at ? 'before' : null);
      const died = await sync(features).then(
        () => false,
        () => true,
      );
      github.fault = () => null;
      await sync(features);
      expect(states()).toEqual({ 1: 'closed', 2: 'open', 3: 'closed' });
      expect(github.issues.size).toBe(3);
      expect([...github.issues.values()].map(({ comments }) => comments.length)).toEqual([1, 0, 1]);
      if (!died) break;
      expect(at).toBeLessThan(60);
    }
  });

  it('mirrors 500 features that are killed again and again, without a duplicate', async () => {
    const features = Array.from({ length: 500 }, (_, index) => feature(index + 1, index % 5 === 0));
    let dies = 40;
    for (let ended = false; !ended;) {
      const at = github.requests.length + dies;
      github.fault = (request) => (request >= at ? (request % 2 === 0 ? 'before' : 'after') : null);
      ended = await sync(features).then(
        () => true,
        () => false,
      );
      dies += 90;
    }
    expect(github.issues.size).toBe(500);
    const got = states();
    for (const { id, passes } of features) expect(got[id]).toBe(passes ? 'closed' : 'open');
    expect([...github.issues.values()].every(({ state, comments }) => comments.length === (state === 'closed' ? 1 : 0))).toBe(true);
  });
});
