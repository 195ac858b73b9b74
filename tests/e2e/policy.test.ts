/** What an agent may not do, tried in every way it has: the kernel refuses where the sandbox runs, the tools refuse everywhere. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { claim, projectWithAgent, setAgent } from './calculator.ts';
import { eventsOf, git, harness, snapshot, type Scene } from './support.ts';
import { HONEST_STEPS, KEY, projectOnWire, shell } from './wire.ts';

const sandboxed = (await bubblewrapHere()).hides;

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** One line for each attempt: its name, and whether it came through. */
function attempts(list: Readonly<Record<string, string>>): string {
  const tries = Object.entries(list).map(
    ([name, command]) => `if ( ${command} ) >/dev/null 2>&1; then echo '${name}: done'; else echo '${name}: refused'; fi >> attempts.txt`,
  );
  return [...tries, 'exit 0'].join('\n');
}

async function outcomes(scene: Scene, list: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  await setAgent(scene, attempts(list));
  const run = await harness(scene, 'run', '--json');
  expect(run.code, run.stdout + run.stderr).toBe(10);
  const lines = (await git(scene, 'show', 'refs/harness/wip/2:attempts.txt')).split('\n');
  expect(lines).toHaveLength(Object.keys(list).length);
  return Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
}

function allRefused(list: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(list).map((name) => [name, 'refused']));
}

/** Some agents put their commands into a sandbox of their own, below the harness's. */
const OWN_SANDBOX = 'bwrap --unshare-user --ro-bind / / --dev /dev --proc /proc true';

describe.runIf(sandboxed)('in the sandbox the kernel refuses', () => {
  test('writes outside the workspace, by shell, redirect, interpreter, link and move; inside they work', async () => {
    const scene = await projectWithAgent('true');
    const outside = join(scene.folder, 'outside');
    await mkdir(outside, { mode: 0o777 });
    const list = {
      redirect: `echo x > "${outside}/a"`,
      append: `echo x >> "${scene.project}/src/add.js"`,
      copy: `cp package.json "${outside}/b"`,
      move: `touch m && mv m "${outside}/c"`,
      interpreter: `node -e 'require("fs").writeFileSync("${outside}/d", "x")'`,
      link: `ln -sfn "${outside}" way && echo x > way/e; r=$?; rm -f way; exit $r`,
      hardlink: `ln "${scene.project}/package.json" hard && echo x >> hard`,
      temporary: 'echo x > /usr/local/harness-test',
      home: 'echo x > "$HOME/f"',
      remount: `mount -o remount,rw / && echo x > "${outside}/g"`,
      rebind: `mount -o remount,rw,bind / && echo x > "${outside}/h"`,
      nested: `unshare --user --map-root-user --mount sh -c 'mount -o remount,rw,bind / && echo x > "${outside}/i"'`,
      overlay: 'mount -t tmpfs none /mnt',
      kernel: 'cat /proc/sys/vm/swappiness > "$TMPDIR/now" && cat "$TMPDIR/now" > /proc/sys/vm/swappiness',
    };
    const before = await snapshot(scene);
    expect(
      await outcomes(scene, { ...list, inside: 'echo x > src/in.txt', scratch: 'echo x > "$TMPDIR/in.txt"', own: OWN_SANDBOX }),
    ).toEqual({
      ...allRefused(list),
      inside: 'done',
      scratch: 'done',
      own: 'done',
    });
    expect(await readdir(outside)).toEqual([]);
    expect(await snapshot(scene)).toEqual(before);
  });

  test('reads of private keys, of the state and the git directory of home, and of the harness itself', async () => {
    const scene = await projectWithAgent('true');
    const keys = join(scene.env['HOME']!, '.ssh');
    await mkdir(keys);
    await writeFile(join(keys, 'id'), 'private key');
    const { project } = scene;
    const list = {
      shell: `cat "${keys}/id"`,
      redirect: `read -r line < "${keys}/id"`,
      interpreter: `node -e 'require("fs").readFileSync("${keys}/id")'`,
      link: `ln -sfn "${keys}" way && cat way/id; r=$?; rm -f way; exit $r`,
      process: `cat "/proc/self/root${keys}/id"`,
      copy: `cp -r "${keys}/id" taken`,
      uncovered: `umount "${keys}" && cat "${keys}/id"`,
      below: `unshare --user --map-root-user --mount sh -c 'umount "${keys}" && cat "${keys}/id"'`,
      elsewhere: `unshare --user --map-root-user --mount sh -c 'mount --bind / /mnt && cat "/mnt${keys}/id"'`,
      git: `cat "${project}/.git/HEAD"`,
      history: `git -C "${project}" log`,
      hook: `mkdir -p "${project}/.git/hooks" && echo x > "${project}/.git/hooks/pre-commit"`,
      state: `cat "${project}/.harness/session_state.json"`,
      lock: `ls "${project}/.harness" | grep .`,
      tamper: `echo '{}' > "${project}/.harness/session_state.json"`,
      environment: 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep CANARY_SECRET',
      parent: 'kill -0 $PPID && ps -e -o args | grep -v grep | grep -q "harness.js run"',
    };
    const watched = { ...scene, env: { ...scene.env, CANARY_SECRET: 'tweet' } };
    expect(await outcomes(watched, { ...list, sources: `cat "${project}/package.json"` })).toEqual({
      ...allRefused(list),
      sources: 'done',
    });
  });

  test('the network where it is switched off, and a path of the workspace that is denied', async () => {
    let reached = 0;
    const server = createServer((socket) => {
      reached += 1;
      socket.end('hello');
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const connect = `node -e 'require("net").connect(${port}, "127.0.0.1").on("error", () => process.exit(1)).on("data", () => process.exit(0))'`;
    const files = { 'vault/key.txt': 'for people only\n' };
    const on = await projectWithAgent('true', { files });
    expect(await outcomes(on, { connect, vault: 'grep people vault/key.txt' })).toEqual({ connect: 'done', vault: 'done' });
    expect(reached).toBe(1);
    const off = await projectWithAgent('true', {
      files,
      settings: 'sandbox:\n  network: false\ntools:\n  filesystem:\n    denied_paths: [".harness/", ".git/", "../", "vault/"]\n',
    });
    const list = {
      connect,
      shell: `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'`,
      vault: 'grep people vault/key.txt',
      write: 'echo x > vault/key.txt; grep x vault/key.txt && test -s "$HARNESS_PROJECT_DIR/vault/other"',
    };
    expect(await outcomes(off, list)).toEqual(allRefused(list));
    expect(reached).toBe(1);
  });

  test('ways out by sockets, terminals, processes and open files; /tmp and the package manager work', async () => {
    const scene = await projectWithAgent('true');
    const reached: string[] = [];
    const listen = async (path: string): Promise<string> => {
      const server = createServer((socket) => {
        reached.push(path);
        socket.end('hello');
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(path, resolve));
      return path;
    };
    const connect = (path: string): string =>
      `node -e 'require("net").connect("${path}").on("error", () => process.exit(1)).on("data", () => process.exit(0))'`;
    const mark = String(process.pid);
    const temporary = await listen(`/tmp/harness-policy-${mark}.sock`);
    const list = {
      temporary: connect(temporary),
      home: connect(await listen(join(scene.env['HOME']!, 'agent.sock'))),
      project: connect(await listen(join(scene.project, 'server.sock'))),
      root: connect(`/proc/self/root${temporary}`),
      init: connect(`/proc/1/root${temporary}`),
      runtime: 'ls /run/user /run/dbus /run/docker.sock',
      terminal: 'exec 3<>/dev/tty && echo x >&3',
      console: 'test -c /dev/console && echo x > /dev/console',
      disks: 'ls /dev/sd* /dev/vd* /dev/nvme* /dev/mem 2>/dev/null | grep .',
      files:
        'for fd in $(ls /proc/$PPID/fd); do [ "$fd" -gt 2 ] && readlink /proc/$PPID/fd/$fd | grep -vE "agent\\.sh|pipe:" | grep "^/" && exit 0; done; exit 1',
      trace: 'test "$(ls -d /proc/[0-9]* | wc -l)" -gt 40',
    };
    const fine = {
      scratch: 'echo x > /tmp/x && mkdir -p /var/tmp/y && test "$(cat /tmp/x)" = x',
      install: 'npm install --offline --no-audit --no-fund --ignore-scripts ./local',
    };
    const local = 'mkdir -p local && echo \'{ "name": "local", "version": "1.0.0" }\' > local/package.json';
    const result = await outcomes(scene, { prepare: local, ...list, ...fine });
    expect(result).toEqual({ ...allRefused(list), prepare: 'done', scratch: 'done', install: 'done' });
    expect(reached).toEqual([]);
  });
});

test('the tools of the built-in loop hold allowed and denied paths, denied commands and the time limit', async () => {
  const file = (name: string, input: Record<string, unknown>) => ({ tools: [{ name, input }] });
  const { scene, server } = await projectOnWire(
    [
      file('read_file', { path: '../../../../../../etc/passwd' }),
      file('write_file', { path: '.git/config', content: 'x' }),
      file('write_file', { path: 'elsewhere.txt', content: 'x' }),
      file('write_file', { path: 'src/fine.txt', content: 'x' }),
      shell('sudo true'),
      shell('sleep 20'),
      { text: 'Enough.' },
    ],
    'tools:\n  filesystem:\n    allowed_paths: [src]\n  shell:\n    timeout_seconds: 1\n',
  );
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 10, last: { reasons: ['claim.none'] } });
  const results = eventsOf(run, 'agent.result').map((event) => [event['ok'], String(event['output'])]);
  expect(results).toEqual([
    [false, expect.stringContaining('outside the workspace')],
    [false, expect.stringContaining('denied_paths')],
    [false, expect.stringContaining('allowed_paths')],
    [true, expect.any(String)],
    [false, expect.stringContaining('denied_commands: sudo')],
    [false, expect.stringContaining('after 1 seconds, the time limit')],
  ]);
  expect(server.requests.at(-1)?.raw).toContain('denied_commands: sudo');
  expect(await git(scene, 'ls-tree', '-r', '--name-only', 'refs/harness/wip/2', 'src', 'elsewhere.txt')).toBe('src/add.js\nsrc/fine.txt');
});

describe('a secret in the environment of the harness', () => {
  const canary = 'canary-4f1d77aa90';

  test('reaches no prompt, no log, no report and no child of the built-in loop; neither does the key of the API', async () => {
    const { scene, server } = await projectOnWire([shell('env; cat /proc/self/environ; set'), ...HONEST_STEPS]);
    const run = await harness({ ...scene, env: { ...scene.env, DEPLOY_TOKEN: canary } }, 'run', '--json');
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
    expect(server.requests.length).toBeGreaterThan(4);
    for (const secret of [canary, KEY]) {
      expect(run.stdout + run.stderr).not.toContain(secret);
      for (const request of server.requests) expect(request.raw).not.toContain(secret);
      expect(await filesWith(scene.folder, secret)).toEqual([]);
    }
  });

  test('reaches no command agent, unless it is named for it', async () => {
    const scene = await projectWithAgent(`env > seen.txt; ${claim(2)}`);
    const run = await harness({ ...scene, env: { ...scene.env, DEPLOY_TOKEN: canary } }, 'run', '--json');
    expect(run.code).toBe(4);
    expect(await filesWith(scene.folder, canary)).toEqual([]);
  });
});

async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await filesWith(path, text)));
    else if (entry.isFile() && (await readFile(path, 'latin1')).includes(text)) found.push(path);
  }
  return found;
}
