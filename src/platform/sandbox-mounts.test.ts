import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodePlatform } from './node-platform.ts';
import { topFolders } from './sandbox-mounts.ts';
import { bubblewrapHere } from './bubblewrap.ts';
import type { SandboxSpec } from './sandbox.ts';

let folder: string;
const servers: Server[] = [];
const made: string[] = [];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-mounts-')));
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const path of [folder, ...made.splice(0)]) rmSync(path, { recursive: true, force: true });
});

const { hides: available } = await bubblewrapHere();
const platform = nodePlatform({});

async function run(script: string, patch: Partial<SandboxSpec> = {}): Promise<{ code: number | null; out: string }> {
  const sandbox: SandboxSpec = { writable: [folder], hidden: [], network: 'none', ...patch };
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
  const result = await platform.processes.run({ file: '/bin/sh', args: ['-c', script], cwd: sandbox.writable[0]!, env, sandbox });
  return { code: result.code, out: `${result.stdout}${result.stderr}`.trim() };
}

async function listen(path: string): Promise<string> {
  const server = createServer((socket) => socket.end('reached'));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return `node -e 'require("net").connect("${path}").on("error", () => process.exit(1)).on("data", () => process.exit(0))'`;
}

test('what is bound in below a place on the disk hangs on a mount of its own', () => {
  const places = [
    { path: '/tmp', scratch: '/s/tmp' },
    { path: '/run', scratch: null },
  ];
  expect(topFolders(places, ['/tmp/a/b', '/tmp/a/c', '/tmp/d', '/tmp/d/e', '/run/x/y', '/home/u'])).toEqual(['/tmp/a']);
});

describe.runIf(available)('a sandbox', () => {
  test.runIf(canWrite('/var/lib'))('reaches no daemon below /var, neither one with a folder of its own nor one without', async () => {
    const own = `/var/lib/harness-test-${String(process.pid)}`;
    made.push(own, `${own}.sock`);
    mkdirSync(own);
    writeFileSync(join(own, 'data'), 'of the daemon');
    const connections = [await listen(join(own, 'socket')), await listen(`${own}.sock`)];
    for (const connect of connections) expect((await run(connect)).code).toBe(1);
    expect((await run(connections[0]!, { allowed: [own] })).code).toBe(0);
    expect((await run(connections[1]!, { allowed: [`${own}.sock`] })).code).toBe(0);
    expect((await run('test -r /var/lib/dpkg || ls /var/lib')).code).toBe(0);
  });

  test('names are resolved with the network, and without it nothing of /run is there', async () => {
    expect((await run('cat /etc/resolv.conf', { network: 'host' })).code).toBe(0);
    expect(await run('ls /run | wc -l')).toEqual({ code: 0, out: '0' });
  });

  test('shows a program that lies in /tmp with its folder, a file directly in /tmp alone, and covers sockets beside them', async () => {
    const agents = join(folder, 'agents');
    const single = `/tmp/harness-single-${String(process.pid)}.sh`;
    made.push(single);
    mkdirSync(agents);
    writeFileSync(join(agents, 'a.sh'), 'echo a');
    writeFileSync(single, 'echo single');
    const connect = await listen(join(agents, 'control.sock'));
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    const patch = { writable: [workspace], shown: [agents, single], scratch: join(folder, 'scratch') };
    const inside = (script: string): ReturnType<typeof run> => run(script, patch);
    expect(await inside(`sh ${agents}/a.sh && sh ${single}`)).toEqual({ code: 0, out: 'a\nsingle' });
    expect((await inside(connect)).code).toBe(1);
    expect((await inside(`touch ${agents}/b`)).code).not.toBe(0);
  });
});

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
