import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../platform/bubblewrap.ts';
import type { SandboxSpec } from '../platform/sandbox.ts';
import { prepareWorkspace, type AgentCopy } from './agent-copy.ts';
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

async function inside(patch: Partial<AgentPlaces> = {}, allow: readonly string[] = []): Promise<Inside> {
  const home = await bench.home();
  const options = { home, harnessHome: bench.harnessHome, base: home.head!, tree: bench.git('rev-parse', 'HEAD^{tree}') };
  const copy = await prepareWorkspace(bench.platform, options);
  const [temporary, scratch] = [join(copy.folder, 'tmp'), join(copy.folder, 'scratch')];
  mkdirSync(temporary, { recursive: true });
  const sandbox = await agentSandbox(bench.platform, {
    home,
    stateDir: join(bench.root, '.harness'),
    harnessHome: bench.harnessHome,
    config: { sandbox: { allow } },
    workspace: copy.path,
    temporary,
    scratch,
    stateDirs: [join(bench.folder, 'missing')],
    network: false,
    ...patch,
  });
  const run = async (script: string): Promise<{ code: number | null; out: string }> => {
    const result = await bench.platform.processes.run({ file: '/bin/sh', args: ['-c', script], cwd: copy.path, env: bench.env, sandbox });
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

test('tests do not see the copies of agents, nor logins, wherever the environment says they are', async () => {
  bench.commit();
  const home = await bench.home();
  const platform = { ...bench.platform, env: { ...bench.env, NPM_CONFIG_USERCONFIG: '/etc/my-npmrc', XDG_CONFIG_HOME: '/config' } };
  expect(sandboxView(platform, { home, stateDir: '/s', harnessHome: '/h', config: { sandbox: { allow: [] } } }).hidden).toEqual(
    expect.arrayContaining(['/h/work', '/s', home.gitDir, join(bench.folder, 'user/.ssh'), '/etc/my-npmrc', '/config/gh', '/config/pip']),
  );
});
