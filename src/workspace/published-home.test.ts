import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { resolveRevision, treeOf, type Home } from './home.ts';
import { finishLanding, makeCommit } from './land.ts';
import { openPublishedHome, type PublishedHome } from './published-home.ts';
import { harnessRef } from './refs.ts';
import { setRef } from './set-ref.ts';

let folder: string;
let bare: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-published-')));
  bare = join(folder, 'shop.git');
  mkdirSync(join(folder, 'user'));
  env = { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'user'), GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
  writeFileSync(
    join(folder, 'user', '.gitconfig'),
    '[user]\n\tname = Fleet\n\temail = fleet@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  const person = join(folder, 'person');
  gitIn(folder, 'init', '-q', '--bare', bare);
  gitIn(folder, 'init', '-q', person);
  writeFileSync(join(person, 'shop.js'), 'export const price = 1;\n');
  gitIn(person, 'add', '-A');
  gitIn(person, 'commit', '-q', '-m', 'Start');
  gitIn(person, 'push', '-q', bare, 'main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function gitIn(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
}

/** Who owns the work, as the engine would say, and the numbers of the database. */
function engine() {
  let [owner, number] = ['', 0];
  return {
    give: (to: string) => void (owner = to),
    claimOf: (id: string) => ({ owns: async () => owner === id, epoch: async () => (number += 1) }),
  };
}

const platform = () => nodePlatform(env);

async function open(id: string, engines: ReturnType<typeof engine>, remote = `file://${bare}`): Promise<PublishedHome> {
  engines.give(id);
  return await openPublishedHome(platform(), {
    folder: join(folder, 'machines', id),
    remote,
    branch: 'main',
    project: 'shop',
    member: { id, sure: () => true, lost: new AbortController().signal },
    claim: engines.claimOf(id),
  });
}

async function work(home: Home, name: string): Promise<{ base: string; commit: string }> {
  const base = (await resolveRevision(platform(), home, 'refs/heads/main'))!;
  const blob = gitIn(home.root, 'hash-object', '-w', '--', 'shop.js');
  const listing = `${gitIn(home.root, 'ls-tree', base)}\n100644 blob ${blob}\t${name}.js\n`;
  const tree = execFileSync('git', ['mktree'], { cwd: home.root, env, input: listing, encoding: 'utf8' }).trim();
  expect(tree).not.toBe(await treeOf(platform(), home, base));
  return { base, commit: await makeCommit(platform(), { home, base, tree, message: `Add ${name}` }) };
}

const landOf = (home: Home, { base, commit }: { base: string; commit: string }) =>
  finishLanding(platform(), { home, branch: 'main', base, commit });
const there = (ref: string): string | null => {
  try {
    return gitIn(bare, 'rev-parse', '--verify', '-q', ref);
  } catch {
    return null;
  }
};

test('what is landed is at home and in the clone, and the lease has moved on with every push', async () => {
  const home = await open('one', engine());
  const leases = [there('refs/harness/leases/shop')];
  for (const name of ['a', 'b']) {
    const made = await work(home, name);
    await home.publish();
    leases.push(there('refs/harness/leases/shop'));
    expect([there(harnessRef('landing', made.commit)), there('refs/heads/main')]).toEqual([made.commit, made.base]);
    expect(await landOf(home, made)).toEqual({ kind: 'landed', commit: made.commit });
    leases.push(there('refs/harness/leases/shop'));
    expect([there('refs/heads/main'), existsSync(join(home.root, `${name}.js`))]).toEqual([made.commit, true]);
  }
  expect(new Set(leases).size).toBe(5);
  expect(gitIn(home.root, 'status', '--porcelain')).toBe('');
});

test('publishing twice pushes once; a ref that is gone here goes there', async () => {
  const home = await open('one', engine());
  const { commit } = await work(home, 'a');
  await setRef(platform(), home, harnessRef('candidates', 7), commit);
  await setRef(platform(), home, harnessRef('loans', 7), commit);
  await home.publish();
  const lease = there('refs/harness/leases/shop');
  await home.publish();
  expect(there('refs/harness/leases/shop')).toBe(lease);
  expect([there(harnessRef('candidates', 7)), there(harnessRef('loans', 7))]).toEqual([commit, null]);
  gitIn(home.root, 'update-ref', '-d', harnessRef('candidates', 7));
  await home.publish();
  expect(there(harnessRef('candidates', 7))).toBeNull();
});

test('a person who pushed meanwhile: the clone follows, the work is not landed, and the next try on the new commit is', async () => {
  const home = await open('one', engine());
  const made = await work(home, 'a');
  const person = join(folder, 'person');
  gitIn(person, 'commit', '-q', '--allow-empty', '-m', 'By hand');
  gitIn(person, 'push', '-q', bare, 'main');
  expect(await landOf(home, made)).toEqual({ kind: 'moved', head: there('refs/heads/main') });
  const next = await work(home, 'a');
  expect(next.base).toBe(there('refs/heads/main'));
  expect(await landOf(home, next)).toMatchObject({ kind: 'landed' });
  expect(gitIn(bare, 'log', '--format=%s', 'main')).toBe('Add a\nBy hand\nStart');
});

test('another machine finds what was published, and completes a landing whose answer was lost', async () => {
  const engines = engine();
  const first = await open('one', engines);
  const made = await work(first, 'a');
  await first.publish();
  const second = await open('two', engines);
  expect(await landOf(second, made)).toMatchObject({ kind: 'landed' });
  const third = await open('three', engines);
  expect(await landOf(third, made)).toMatchObject({ kind: 'landed' });
  expect(gitIn(bare, 'log', '--format=%s', 'main')).toBe('Add a\nStart');
});

describe('a worker that was stopped with an accepted commit in its hand', () => {
  test('lands nothing and publishes nothing after a takeover in which a person withdrew the feature', async () => {
    const engines = engine();
    const zombie = await open('one', engines);
    const made = await work(zombie, 'withdrawn');
    await zombie.publish();
    await open('two', engines);
    const before = gitIn(bare, 'for-each-ref');
    await expect(landOf(zombie, made)).rejects.toMatchObject({ name: 'Lost' });
    await setRef(platform(), zombie, harnessRef('candidates', 9), made.commit);
    await expect(zombie.publish()).rejects.toMatchObject({ name: 'Lost' });
    expect(gitIn(bare, 'for-each-ref')).toBe(before);
    expect(gitIn(zombie.root, 'rev-parse', 'main')).toBe(made.base);
  });

  test('the control: a push without the lease, and one that names the lease and does not move it, both land', async () => {
    const engines = engine();
    const zombie = await open('one', engines);
    const held = there('refs/harness/leases/shop')!;
    const made = await work(zombie, 'withdrawn');
    await open('two', engines);
    const now = there('refs/harness/leases/shop')!;
    expect(now).not.toBe(held);
    const push = (...args: string[]): string => gitIn(zombie.root, 'push', '-q', '--atomic', ...args);
    const branch = [`--force-with-lease=refs/heads/main:${made.base}`, bare, `${made.commit}:refs/heads/main`];
    push(...branch);
    expect(there('refs/heads/main')).toBe(made.commit);
    gitIn(bare, 'update-ref', 'refs/heads/main', made.base);
    push(`--force-with-lease=refs/harness/leases/shop:${held}`, ...branch);
    expect(there('refs/heads/main')).toBe(made.commit);
  });

  test('does not take the lease back: the engine no longer gives it the work, and its number is too small', async () => {
    const engines = engine();
    await open('one', engines);
    await open('two', engines);
    const lease = there('refs/harness/leases/shop');
    const claim = (owns: boolean, number: number): Promise<PublishedHome> =>
      openPublishedHome(platform(), {
        folder: join(folder, 'machines', 'one'),
        remote: `file://${bare}`,
        branch: 'main',
        project: 'shop',
        member: { id: 'one', sure: () => true, lost: new AbortController().signal },
        claim: { owns: async () => owns, epoch: async () => number },
      });
    await expect(claim(false, 9)).rejects.toMatchObject({ name: 'Lost' });
    await expect(claim(true, 1)).rejects.toMatchObject({ name: 'Lost' });
    expect(there('refs/harness/leases/shop')).toBe(lease);
  });
});

test('two takers at once: the one that owns the work has the lease, and the other lands nothing', async () => {
  for (let round = 0; round < 3; round += 1) {
    const engines = engine();
    const taking = (id: string): Promise<PublishedHome | Error> =>
      openPublishedHome(platform(), {
        folder: join(folder, 'machines', `${id}-${round}`),
        remote: `file://${bare}`,
        branch: 'main',
        project: `shop-${round}`,
        member: { id, sure: () => true, lost: new AbortController().signal },
        // The engine changes its mind while both are claiming.
        claim: { ...engines.claimOf(id), owns: async () => (id === 'other' ? (engines.give('winner'), true) : true) },
      }).catch((error: Error) => error);
    const homes = (await Promise.all([taking('other'), taking('winner')])).filter((home) => !(home instanceof Error)) as PublishedHome[];
    const landings = await Promise.all(
      homes.map(async (home) => {
        const made = await work(home, `round-${round}`);
        return await landOf(home, made).then(
          ({ kind }) => kind,
          (error: Error) => error.name,
        );
      }),
    );
    expect(landings.filter((kind) => kind === 'landed')).toHaveLength(1);
  }
  expect(gitIn(bare, 'log', '--format=%s', 'main').split('\n')).toHaveLength(4);
});

test('over the network protocol of git the same', async () => {
  const port = await freePort();
  const args = [
    'daemon',
    '--reuseaddr',
    '--export-all',
    '--enable=receive-pack',
    `--base-path=${folder}`,
    '--listen=127.0.0.1',
    `--port=${port}`,
  ];
  const daemon = spawn(join(gitIn(folder, '--exec-path'), 'git-daemon'), args.slice(1), { env, stdio: 'ignore' });
  try {
    const remote = `git://127.0.0.1:${port}/shop.git`;
    while (!answers(remote)) await sleep(50);
    const engines = engine();
    const zombie = await open('one', engines, remote);
    const made = await work(zombie, 'withdrawn');
    const next = await open('two', engines, remote);
    await expect(landOf(zombie, made)).rejects.toMatchObject({ name: 'Lost' });
    expect(await landOf(next, await work(next, 'kept'))).toMatchObject({ kind: 'landed' });
  } finally {
    const ended = once(daemon, 'exit');
    daemon.kill('SIGKILL');
    await ended;
  }
  expect(gitIn(bare, 'log', '--format=%s', 'main')).toBe('Add kept\nStart');
});

function answers(remote: string): boolean {
  try {
    gitIn(folder, 'ls-remote', remote);
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

test.each(['--upload-pack=touch x', 'ext::sh -c id', 'git://example.com/shop.git'])('the remote %s is refused', async (remote) => {
  await expect(open('one', engine(), remote)).rejects.toThrow(/not the address|not allowed|ls-remote/);
});
