/** Sockets outside, however they were bound: found by their inodes, and out of reach in a real sandbox. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundSockets } from './bound-sockets.ts';
import { bubblewrapHere } from './bubblewrap.ts';
import { nodePlatform } from './node-platform.ts';
import type { SandboxSpec } from './sandbox.ts';

const LISTENER = `import os, socket, sys, time
os.chdir(sys.argv[1])
made = []
def bind(name, kind=socket.SOCK_STREAM):
    one = socket.socket(socket.AF_UNIX, kind)
    one.bind(name)
    if kind != socket.SOCK_DGRAM: one.listen(5)
    made.append(one)
here = lambda name: os.path.join(os.getcwd(), name)
bind(here('absolute'))
bind('relative')
bind(here('before')); os.rename('before', 'renamed')
bind(here('twice')); os.rename('twice', 'moved'); bind(here('twice'))
bind(here('first')); os.makedirs('deep/er'); os.link('first', 'deep/er/second')
bind(here('a\\nline')); bind(here('a blank')); bind('@at'); bind('./up/./dots')
bind(here('datagram'), socket.SOCK_DGRAM); os.rename('datagram', 'deep/datagram')
bind('removed'); os.unlink('removed')
bind(b'odd/\\xff\\xfe')
bind('\\0abstract' + str(os.getpid()))
print('ready', flush=True)
time.sleep(600)
`;
const NAMES = ['absolute', 'relative', 'renamed', 'moved', 'twice', 'first', 'deep/er/second', 'a\nline', 'a blank', '@at', 'up/dots'];
const CONNECT = `import os, socket, sys
for name in sys.argv[1].split('|'):
    kind = socket.SOCK_DGRAM if 'datagram' in name else socket.SOCK_STREAM
    try:
        socket.socket(socket.AF_UNIX, kind).connect(name)
        print('reached', repr(name))
    except OSError: pass
for folder in sys.argv[2:]:
    try: names = os.listdir(os.fsencode(folder))
    except OSError: continue
    for name in names:
        try:
            socket.socket(socket.AF_UNIX).connect(os.path.join(os.fsencode(folder), name))
            print('reached', repr(name))
        except OSError: pass
print('done')
`;

const { hides } = await bubblewrapHere();
const platform = nodePlatform({});
let folder: string;
let listener: ChildProcess | undefined;

describe.runIf(hides)('sockets of other programs', () => {
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-sockets-')));
    for (const name of ['place/odd', 'place/up', 'workspace']) mkdirSync(join(folder, name), { recursive: true });
    listener = spawn('python3', ['-c', LISTENER, join(folder, 'place')], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => listener!.stdout!.once('data', resolve));
  });
  afterAll(() => {
    listener?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (name: string): string => join(folder, 'place', name);

  async function reached(): Promise<string> {
    const workspace = join(folder, 'workspace');
    writeFileSync(join(workspace, 'connect.py'), CONNECT);
    const sandbox: SandboxSpec = { writable: [workspace], hidden: [], shown: [join(folder, 'place')], network: 'none' };
    const args = [join(workspace, 'connect.py'), [...NAMES, 'deep/datagram'].map(at).join('|'), at('odd'), at('.')];
    const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/root' };
    const result = await platform.processes.run({ file: 'python3', args, cwd: workspace, env, sandbox });
    return `${result.stdout}${result.stderr}`.trim();
  }

  test('are found by every name that leads to them, and none is missed', async () => {
    const { paths, folders, missed } = await boundSockets();
    for (const name of [...NAMES, 'deep/datagram']) expect(paths).toContain(at(name));
    expect(folders).toEqual([at('odd')]);
    expect(missed.filter((name) => name.includes(folder))).toEqual([]);
  });

  test('are out of reach by all of them, also those that were moved since', async () => {
    expect(await reached()).toBe('done');
    renameSync(at('absolute'), at('deep/absolute'));
    renameSync(at('renamed'), at('renamed again'));
    expect((await boundSockets()).paths).toEqual(expect.arrayContaining([at('deep/absolute'), at('renamed again')]));
    expect(await reached()).toBe('done');
  });

  test('are asked of the kernel once: a second look costs no more than reading its list', async () => {
    await boundSockets();
    const begin = performance.now();
    for (let times = 0; times < 10; times += 1) await boundSockets();
    expect((performance.now() - begin) / 10).toBeLessThan(20);
  });
});
