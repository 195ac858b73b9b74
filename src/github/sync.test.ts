import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Clock } from '../platform/platform.ts';
import { isLong } from '../domain/test-support-long.ts';
import { HubFailure, type Action, type Hub, type MirroredFeature, type MirrorSettings } from './contract.ts';
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
  memory = { seenUntil: null, etag: null, issues: new Map() };
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

let answer: 'again' | 'leave' | 'pending' = 'again';
let looksForGone = false;
let askedAbout: [number, number][] = [];
beforeEach(() => {
  [answer, looksForGone, askedAbout] = ['again', false, []];
});

const AT_ONCE: Clock['sleep'] = async () => undefined;

function hub(sleep = AT_ONCE): Hub {
  return createHub({
    repository: 'user/calc',
    token: TOKEN,
    baseUrl: github.url,
    version: '0.0.0',
    clock: { ...nodePlatform().clock, sleep },
    signal: new AbortController().signal,
    waits: (seconds) => waited.push(seconds),
  });
}

async function sync(features: readonly MirroredFeature[], settings: Partial<MirrorSettings> = {}, sleep = AT_ONCE): Promise<Action[]> {
  return await syncWith(hub(sleep), features, settings);
}

async function syncWith(asked: Hub, features: readonly MirroredFeature[], settings: Partial<MirrorSettings> = {}): Promise<Action[]> {
  return await syncMirror({
    hub: asked,
    features,
    settings: { ...SETTINGS, ...settings },
    memory,
    remember: async (next) => {
      memory = { ...next, issues: new Map(next.issues) };
    },
    told: () => undefined,
    ask: async (feature, issue) => {
      askedAbout.push([feature, issue]);
      return answer;
    },
    looksForGone,
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

  it('asks again for what it knows at no cost, and still sees what a person does', async () => {
    await sync([feature(1), feature(2)]);
    for (let time = 0; time < 3; time++) await sync([feature(1), feature(2)]);
    expect(github.requests.at(-1)?.status).toBe(304);
    github.byHand(2, { state: 'closed' });
    await sync([feature(1, true), feature(2)]);
    expect(states()).toEqual({ 1: 'closed', 2: 'closed' });
    expect(memory.issues.get(2)?.state).toBe('closed');
  });

  it("goes by GitHub's clock: what a person changed after the last sync is seen although this machine's clock is a day ahead", async () => {
    expect(github.now()).toBeLessThan(Date.now());
    await sync([feature(1)]);
    github.byHand(1, { state: 'closed' });
    await sync([feature(1)]);
    expect(memory.issues.get(1)).toMatchObject({ state: 'closed', ownClosing: null });
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
    memory = { seenUntil: null, etag: null, issues: new Map() };
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

  it('notices a deleted issue although nothing is to be changed in it, and does what a person says, once', async () => {
    looksForGone = true;
    await sync([feature(1), feature(2)]);
    github.remove(1);
    github.remove(2);
    answer = 'pending';
    expect((await sync([feature(1), feature(2)])).map(({ kind }) => kind)).toEqual(['ask', 'ask']);
    expect(github.issues.size).toBe(0);
    expect((await previewSync({ hub: hub(), features: [feature(1)], settings: SETTINGS, memory })).map(({ kind }) => kind)).toEqual([
      'ask',
    ]);
    answer = 'leave';
    await sync([feature(1)], { createMissing: false });
    answer = 'again';
    expect((await sync([feature(1), feature(2)])).map(({ kind, feature: id }) => [kind, id])).toEqual([['create', 2]]);
    expect(askedAbout).toEqual([
      [1, 1],
      [2, 2],
      [1, 1],
      [2, 2],
    ]);
    expect(await sync([feature(1), feature(2)])).toEqual([]);
    expect(states()).toEqual({ 2: 'open' });
  });

  it('asks about a deleted issue when it is to be changed, and makes it anew where a person wants that', async () => {
    await sync([feature(1), feature(2)]);
    github.remove(1);
    github.remove(2);
    answer = 'leave';
    await sync([feature(1, true), feature(2)]);
    expect(github.issues.size).toBe(0);
    answer = 'again';
    memory = { seenUntil: null, etag: null, issues: new Map([[1, { number: 1, state: 'open', closedAt: null, ownClosing: null }]]) };
    await sync([feature(1, true)]);
    expect(states()).toEqual({ 1: 'closed' });
  });

  it('takes no issue of another project or without a mark for its own', async () => {
    await sync([feature(1)], { project: 'other' });
    memory = { seenUntil: null, etag: null, issues: new Map() };
    await sync([feature(1)]);
    expect(github.issues.size).toBe(2);
  });

  it('shows a plan without writing anything, and does just that', async () => {
    const plan = await previewSync({ hub: hub(), features: [feature(1), feature(2, true)], settings: SETTINGS, memory });
    expect(github.issues.size).toBe(0);
    expect(plan.map(({ kind, feature: id }) => [kind, id])).toEqual([
      ['create', 1],
      ['create', 2],
      ['close', 2],
    ]);
    const done = await sync([feature(1), feature(2, true)]);
    expect(done.map(({ kind, feature: id }) => [kind, id])).toEqual(plan.map(({ kind, feature: id }) => [kind, id]));
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
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3_000) },
      403,
      'API rate limit exceeded',
    ],
    [
      'a status 429',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3_000) },
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

  it('waits until a limit that is used up is renewed', async () => {
    const limit = { size: 5, remaining: 2, resetAt: Date.now() + 3_600_000 };
    github.limit = limit;
    await sync([feature(1), feature(2), feature(3)], {}, async (milliseconds) => {
      expect(milliseconds).toBeGreaterThan(3_500_000);
      limit.resetAt = Date.now();
    });
    expect(github.issues.size).toBe(3);
    expect(github.requests.some(({ status }) => status === 403)).toBe(true);
    expect(waited).toHaveLength(1);
  });

  it('tells a token that is not accepted apart from everything else', async () => {
    faultAt(1, { status: 401, message: 'Bad credentials' });
    await expect(sync([feature(1)])).rejects.toMatchObject({ kind: 'auth' });
  });

  it('gives up after three tries without a connection, and makes it up the next time', async () => {
    github.fault = () => 'before';
    await expect(sync([feature(1)])).rejects.toMatchObject({ kind: 'network' });
    expect(github.requests).toHaveLength(3);
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
    await expect(waiting.issues({ since: null, etag: null })).rejects.toMatchObject({ kind: 'interrupted' });
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
    const features = [feature(1, true), feature(2)];
    for (let at = 1; ; at++) {
      await github.close();
      github = await startGithub();
      memory = { seenUntil: null, etag: null, issues: new Map() };
      github.fault = (request) => (request === at ? when : request > at ? 'before' : null);
      const died = await sync(features).then(
        () => false,
        () => true,
      );
      github.fault = () => null;
      await sync(features);
      expect(states()).toEqual({ 1: 'closed', 2: 'open' });
      expect([...github.issues.values()].map(({ comments }) => comments.length)).toEqual([1, 0]);
      if (!died) break;
      expect(at).toBeLessThan(60);
    }
  });

  it.each(isLong ? [500] : [20])(
    'mirrors %s features that are killed at every request, without a duplicate',
    async (count) => {
      const features = Array.from({ length: count }, (_, index) => feature(index + 1, index % 5 === 0));
      const died = await killedAtEveryRequest(features);
      expect(died).toBeGreaterThan(count);
      expect(github.issues.size).toBe(count);
      const got = states();
      for (const { id, passes } of features) expect(got[id]).toBe(passes ? 'closed' : 'open');
      expect([...github.issues.values()].every(({ state, comments }) => comments.length === (state === 'closed' ? 1 : 0))).toBe(true);
    },
    LONG_ENOUGH,
  );
});

/** Five hundred features die a thousand times. */
const LONG_ENOUGH = isLong ? 1_800_000 : 60_000;

/**
 * A process dies with what it remembered last. Each life asks as much as the one before it could and one thing more: it is lost before it was
 * heard in one life, and its answer in the next.
 */
async function killedAtEveryRequest(features: readonly MirroredFeature[]): Promise<number> {
  for (let lives = 1; ; lives++) {
    let isFirstWrite = true;
    const dying = mortal(hub(), async (writes, ask) => {
      if (!writes) return await ask();
      if (isFirstWrite && lives % 2 === 0) {
        isFirstWrite = false;
        return await ask();
      }
      if (lives % 2 === 1) await ask();
      throw new Death();
    });
    const ended = await syncWith(dying, features).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Death) return false;
        throw error;
      },
    );
    if (ended) return lives;
  }
}

class Death extends Error {}

function mortal(inner: Hub, fate: <Result>(writes: boolean, ask: () => Promise<Result>) => Promise<Result>): Hub {
  return {
    issues: (question) => fate(false, () => inner.issues(question)),
    issue: (number) => fate(false, () => inner.issue(number)),
    comments: (number) => fate(false, () => inner.comments(number)),
    create: (title, body) => fate(true, () => inner.create(title, body)),
    change: (number, change) => fate(true, () => inner.change(number, change)),
    comment: (number, body) => fate(true, () => inner.comment(number, body)),
  };
}
