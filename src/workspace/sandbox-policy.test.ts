import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../platform/bubblewrap.ts';
import type { SandboxSpec } from '../platform/sandbox.ts';
import { prepareWorkspace, type AgentCopy } from './agent-copy.ts';
import { openHarnessHome } from './harness-home.ts';
import { agentSandbox, sandboxView, type AgentPlaces } from './sandbox-policy.ts';
import { createBench, type Bench } from './test-support.ts';

let bench: Bench;
const servers: Server[] = [];
beforeEach(() => {
  bench = createBench();
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  bench.dispose();
});

const { hides: available } = await bubblewrapHere();

interface Inside {
  copy: AgentCopy;
  temporary: string;
  sandbox: SandboxSpec;
  run(script: string): Promise<{ code: number | null; out: string }>;
}

async function inside(patch: Partial<AgentPlaces> = {}, allow: readonly string[] = [], harnessHome = bench.harnessHome): Promise<Inside> {
  const home = await bench.home();
  const options = { home, harnessHome, base: home.head!, tree: bench.git('rev-parse', 'HEAD^{tree}') };
  const copy = await prepareWorkspace(bench.platform, options);
  const [temporary, scratch] = [join(copy.folder, 'tmp'), join(copy.folder, 'scratch')];
  mkdirSync(temporary, { recursive: true });
  const sandbox = agentSandbox(bench.platform, {
    home,
    stateDir: join(bench.root, '.harness'),
    harnessHome,
    config: { sandbox: { allow } },
    workspace: copy.path,
    temporary,
    scratch,
    network: false,
    ...patch,
  });
  const run = async (script: string): Promise<{ code: number | null; out: string }> => {
    const result = await bench.platform.processes.run({
      file: '/bin/sh',
      args: ['-c', script],
      cwd: sandbox.writable[0]!,
      env: bench.env,
      sandbox,
    });
    return { code: result.code, out: `${result.stdout}${result.stderr}`.trim() };
  };
  return { copy, temporary, sandbox, run };
}

function listen(path: string): Promise<string> {
  const server = createServer((socket) => socket.end('reached'));
  servers.push(server);
  return new Promise((resolve) => server.listen(path, () => resolve(path)));
}

function connect(path: string): string {
  return `node -e 'require("net").connect("${path}").on("error", (e) => { console.log(e.code); process.exit(1) }).on("data", (d) => { console.log(String(d)); process.exit(0) })'`;
}

describe.runIf(available)('in the sandbox', () => {
  test("an agent uses its git and writes its copy, and sees neither credentials nor home's git, state or other copies", async () => {
    bench.write({ 'a.txt': 'a', '.gitignore': '.harness/\n', '.harness/session_state.json': '{}' });
    bench.commit();
    mkdirSync(join(bench.folder, 'user/dotfiles/ssh'), { recursive: true });
    writeFileSync(join(bench.folder, 'user/dotfiles/ssh/id'), 'key');
    symlinkSync('dotfiles/ssh', join(bench.folder, 'user/.ssh'));
    writeFileSync(join(bench.folder, 'user/.netrc'), 'password');
    const home = await bench.home();
    const tree = bench.git('rev-parse', 'HEAD^{tree}');
    const other = await prepareWorkspace(bench.platform, { home, harnessHome: bench.harnessHome, base: home.head!, tree, lane: 'other' });
    const { copy, temporary, run } = await inside();
    expect(await run('echo b > b.txt && git add -A && git commit -qm b && git log --format=%s && git status --porcelain')).toEqual({
      code: 0,
      out: 'b\nwork',
    });
    for (const hidden of [
      '$HOME/.ssh/id',
      '$HOME/dotfiles/ssh/id',
      `${bench.root}/.git/HEAD`,
      `${bench.root}/.harness/session_state.json`,
      `${other.path}/a.txt`,
    ])
      expect((await run(`cat ${hidden}`)).code).not.toBe(0);
    expect((await run('cat $HOME/.netrc')).out).not.toContain('password');
    expect(await run(`cat ${bench.root}/a.txt`)).toEqual({ code: 0, out: 'a' });
    for (const place of [bench.root, `${copy.folder}/pristine.git`, '$HOME']) expect((await run(`touch ${place}/x`)).code).not.toBe(0);
    expect((await run(`touch ${temporary}/x`)).code).toBe(0);
  });

  test('/tmp and /var/tmp are private, writable, and the next command of the session finds what the last one left', async () => {
    bench.commit();
    const mark = `harness-mark-${String(process.pid)}`;
    writeFileSync(join('/tmp', mark), 'of the machine');
    const { run } = await inside();
    expect(await run(`ls /tmp | grep -c ${mark}; echo one > /tmp/note && echo two > /var/tmp/note && echo three > /dev/shm/note`)).toEqual({
      code: 0,
      out: '0',
    });
    expect(await run('cat /tmp/note /var/tmp/note; ls /run/user /run/dbus /run/systemd')).toMatchObject({
      out: expect.stringMatching(/^one\ntwo\n/),
    });
    await bench.platform.files.remove(join('/tmp', mark));
  });

  test('a link in /tmp never leads a later mount elsewhere', async () => {
    bench.commit();
    const { run } = await inside();
    const [, , top] = bench.folder.split('/');
    const away = await run(`mv /tmp/${top} /tmp/away || rmdir /tmp/${top} || ln -sfn /oldroot/etc /tmp/${top}; test -L /tmp/${top}`);
    expect(away.code).not.toBe(0);
    expect((await run('git status --porcelain')).code).toBe(0);
  });

  test('sockets of other programs are out of reach: in the home directory, beside the agent, in the project, by a variable', async () => {
    bench.write({ 'a.txt': 'a' });
    bench.commit();
    mkdirSync(join(bench.folder, 'agents'));
    mkdirSync(join(bench.folder, 'user/.app'));
    const paths = ['user/.app/control.sock', 'agents/own.sock', 'project/dev.sock', 'elsewhere.sock'].map((name) =>
      join(bench.folder, name),
    );
    for (const path of paths) await listen(path);
    const { run, temporary } = await inside({ shown: [join(bench.folder, 'agents')] });
    for (const path of paths) expect((await run(connect(path))).out, path).toMatch(/^E/);
    const own = `const s = require("net").createServer((c) => c.end("own")).listen("${temporary}/s", () => require("net").connect("${temporary}/s").on("data", (d) => { console.log(String(d)); process.exit(0) }))`;
    expect(await run(`node -e '${own}'`)).toEqual({ code: 0, out: 'own' });
  });

  test('what the user allows is reached all the same, except the git directory and the state of the harness', async () => {
    bench.write({ 'a.txt': 'a' });
    bench.commit();
    mkdirSync(join(bench.folder, 'user/.ssh'));
    writeFileSync(join(bench.folder, 'user/.ssh/known_hosts'), 'hosts');
    writeFileSync(join(bench.folder, 'user/.ssh/id'), 'key');
    writeFileSync(join(bench.folder, 'user/.npmrc'), 'registry=x');
    const socket = await listen(join(bench.folder, 'database.sock'));
    const { run } = await inside({}, [socket, '~/.ssh/known_hosts', '~/.npmrc', join(bench.root, '.git')]);
    expect(await run(connect(socket))).toEqual({ code: 0, out: 'reached' });
    expect(await run('cat ~/.ssh/known_hosts ~/.npmrc')).toEqual({ code: 0, out: 'hostsregistry=x' });
    expect((await run('cat ~/.ssh/id')).code).not.toBe(0);
    expect((await run(`cat ${bench.root}/.git/HEAD`)).code).not.toBe(0);
  });
});

describe.runIf(available)('nothing of $HARNESS_HOME and of the state is seen', () => {
  interface Case {
    name: string;
    path(): string;
  }
  /** Below the home directory, which is in sight; with a blank in its path. */
  const ownHome = (): string => join(bench.folder, 'user', '.harness of mine');
  const own = (...parts: string[]): string => join(ownHome(), ...parts);
  const cases: Case[] = [
    { name: 'settings', path: () => own('config.yaml') },
    { name: 'secret', path: () => own('secret') },
    { name: 'the copy of another project', path: () => own('work/other-0123/main/tree/a.txt') },
    { name: 'the room of another project', path: () => own('rooms/other-0123/main/room/a.txt') },
    { name: 'the cache', path: () => own('cache/results/a.json') },
    { name: 'what roles remember', path: () => own('identity/worker.md') },
    { name: 'a file that nobody knows yet', path: () => own('later/a.txt') },
    { name: 'hidden tests', path: () => join(bench.root, '.harness/hidden/a.test.js') },
    { name: 'state', path: () => join(bench.root, '.harness/session_state.json') },
    { name: 'a renamed state folder', path: () => join(bench.root, '.kept/session_state.json') },
    { name: 'hidden tests in a renamed state folder', path: () => join(bench.root, '.kept/hidden/a.test.js') },
  ];

  /** Every way to each of them prints what it reads, and its name. */
  function lookAt(some: readonly Case[]): string {
    return some.map(({ name, path }) => `{ ${look(path())}; } 2>&1 | sed 's/$/ (${name})/'`).join('\n');
  }

  function look(path: string): string {
    const folder = dirname(path);
    return `rm -rf way taken; cat '${path}'; cat '/proc/self/root${path}'; ls '${folder}'; ln -s '${folder}' way; cat way/${basename(path)}; cp -r '${folder}' taken; cat taken/*; grep -r 'the canary' '${ownHome()}'`;
  }

  function writeAll(): void {
    bench.write({ 'a.txt': 'a', '.gitignore': '.harness/\n.kept/\n' });
    bench.commit();
    for (const { path } of cases) {
      mkdirSync(dirname(path()), { recursive: true });
      writeFileSync(path(), 'the canary', { mode: 0o755 });
    }
  }

  test.each(['beside', 'in place'])('by an agent that works %s', async (where) => {
    writeAll();
    const inPlace = { workspace: bench.root };
    const { run } = await inside({ stateDir: join(bench.root, '.kept'), ...(where === 'in place' ? inPlace : {}) }, [], ownHome());
    expect((await run(lookAt(cases))).out).not.toContain('canary');
    expect((await run(`cat a.txt; echo b > b.txt && cat b.txt`)).out).toBe('ab');
    expect((await run(`echo x > '${own('config.yaml')}' || echo x > '${own('new')}' || mkdir '${own('work/x')}'`)).code).not.toBe(0);
  });

  test('by tests', async () => {
    writeAll();
    const home = await bench.home();
    const places = { home, stateDir: join(bench.root, '.kept'), harnessHome: ownHome(), config: { sandbox: { allow: [] } } };
    const room = own('rooms/this/main/room-1');
    mkdirSync(room, { recursive: true });
    const sandbox: SandboxSpec = { ...sandboxView(bench.platform, places), writable: [room], network: 'none' };
    const run = (script: string) =>
      bench.platform.processes.run({ file: '/bin/sh', args: ['-c', script], cwd: room, env: bench.env, sandbox });
    expect((await run(lookAt(cases))).stdout.toString()).not.toContain('canary');
    expect((await run('echo x > y && cat y')).stdout.toString()).toBe('x\n');
  });

  test('by way of what the user allows, a link to it, or an agent that names it as its program', async () => {
    writeAll();
    symlinkSync(ownHome(), join(bench.folder, 'way'));
    symlinkSync(own('config.yaml'), join(bench.root, 'settings'));
    const allow = [own('config.yaml'), join(bench.folder, 'way'), join(bench.root, 'settings'), bench.folder];
    // As on a file system without modes, where every file can be executed.
    for (const name of ['config.yaml', 'secret']) chmodSync(own(name), 0o755);
    const shown = [
      own('config.yaml'),
      bench.harnessHome,
      own('work/other-0123/main/tree/a.txt'),
      own('work/other-0123/main/tree'),
      own('later'),
    ];
    const { run } = await inside({ shown }, allow, ownHome());
    expect((await run(lookAt(cases.slice(0, 7)))).out).not.toContain('canary');
  });

  test("but the user's own programs that are kept there", async () => {
    writeAll();
    for (const path of ['agents/a.sh', 'bin/b.sh', 'agent']) {
      mkdirSync(dirname(own(path)), { recursive: true });
      writeFileSync(own(path), 'echo it runs', { mode: 0o755 });
    }
    const { run } = await inside({ shown: [own('agents'), own('bin/b.sh'), own('agent'), ownHome()] }, [], ownHome());
    const [agents, ...others] = [`sh '${own('agents/a.sh')}'`, `sh '${own('bin/b.sh')}'`, `sh '${own('agent')}'`];
    for (const one of [agents, ...others]) expect(await run(one!)).toEqual({ code: 0, out: 'it runs' });
    expect((await run(`echo x > '${own('agents/a.sh')}'`)).code).not.toBe(0);
    expect((await run(lookAt(cases.slice(0, 7)))).out).not.toContain('canary');
  });

  test('wherever a link leads: settings kept among dotfiles, $HARNESS_HOME itself a link, or also the home directory', async () => {
    bench.write({ 'a.txt': 'a' });
    bench.commit();
    mkdirSync(join(bench.folder, 'user/dotfiles'), { recursive: true });
    writeFileSync(join(bench.folder, 'user/dotfiles/harness.yaml'), 'the canary');
    mkdirSync(ownHome(), { recursive: true });
    symlinkSync(join(bench.folder, 'user/dotfiles/harness.yaml'), own('config.yaml'));
    symlinkSync(ownHome(), join(bench.folder, 'user/short'));
    expect((await (await inside({}, [], ownHome())).run('cat ~/dotfiles/harness.yaml')).out).not.toContain('canary');
    const linked = await inside({}, [], join(bench.folder, 'user/short'));
    writeFileSync(own('secret'), 'the canary');
    expect((await linked.run(`cat '${own('secret')}' ~/short/secret`)).out).not.toContain('canary');
    writeFileSync(join(bench.folder, 'user/secret'), 'the canary');
    const same = await inside({}, [], join(bench.folder, 'user'));
    expect((await same.run('cat ~/secret; ls ~')).out).toMatch(/dotfiles/);
    expect((await same.run('cat ~/secret')).out).not.toContain('canary');
  });
});

test('$HARNESS_HOME is closed to others when it is made and when it is found open, but not a folder that holds the home directory', async () => {
  const { platform, harnessHome } = bench;
  const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  await openHarnessHome(platform, harnessHome);
  expect(mode(harnessHome)).toBe('700');
  chmodSync(harnessHome, 0o755);
  await openHarnessHome(platform, harnessHome);
  expect(mode(harnessHome)).toBe('700');
  const user = join(bench.folder, 'user');
  chmodSync(user, 0o755);
  await openHarnessHome(platform, user);
  expect(mode(user)).toBe('755');
  bench.write({ 'a.txt': 'a' });
  bench.commit();
  const { copy } = await inside();
  expect([mode(copy.folder), mode(dirname(copy.folder))]).toEqual(['700', '700']);
});

test('tests do not see the copies of agents, nor logins, wherever the environment says they are', async () => {
  bench.commit();
  const home = await bench.home();
  const platform = { ...bench.platform, env: { ...bench.env, NPM_CONFIG_USERCONFIG: '/etc/my-npmrc', XDG_CONFIG_HOME: '/config' } };
  expect(sandboxView(platform, { home, stateDir: '/s', harnessHome: '/h', config: { sandbox: { allow: [] } } }).hidden).toEqual(
    expect.arrayContaining(['/h', '/s', home.gitDir, join(bench.folder, 'user/.ssh'), '/etc/my-npmrc', '/config/gh', '/config/pip']),
  );
});

test('logins of agent programs are hidden from tests, and in sight for agents, whose program needs its own', async () => {
  const platform = { ...bench.platform, env: { ...bench.env, HOME: '/home/u' } };
  const places = { home: await bench.home(), stateDir: '/s', harnessHome: '/h', config: { sandbox: { allow: [] } } };
  const logins = ['/home/u/.claude/.credentials.json', '/home/u/.codex/auth.json', '/home/u/.local/share/opencode/auth.json'];
  expect(sandboxView(platform, places).hidden).toEqual(expect.arrayContaining(logins));
  const { hidden } = agentSandbox(platform, { ...places, workspace: '/w', temporary: '/t', scratch: '/c', network: true });
  expect(hidden.filter((path) => logins.includes(path))).toEqual([]);
});
