/**
 * Published attacks on the sandbox, as an agent and as a test: files that the caller has open, kernel keys, sockets outside, and what the harness
 * keeps for itself. `docs/policy.md` lists them.
 *
 * The attacker is one program that tries everything and names what it reached. It runs twice in one session: by the agent, and by the
 * test that the agent writes.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { claim, projectWithAgent, WRITE_SUBTRACT } from './calculator.ts';
import type { Scene } from './support.ts';

const { hides, refusesCalls } = await bubblewrapHere();
const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));

const started: ChildProcess[] = [];
afterAll(() => started.forEach((child) => child.kill('SIGKILL')));

/** Holds sockets of every kind in a folder, and a key in the keyring of its session; then it becomes the harness, with files left open. */
const CALLER = `import ctypes, json, os, socket, sys
folder, command = sys.argv[1], sys.argv[2:]
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
KEYCTL, ADD = {'x86_64': (250, 248), 'aarch64': (219, 217)}[os.uname().machine]
libc.syscall(KEYCTL, 1, b'harness-test-login')
libc.syscall(ADD, b'user', b'user-secret', b'the canary', 10, -3)
outside = os.open(folder + '/outside', os.O_WRONLY | os.O_APPEND | os.O_CREAT)
home = os.open(folder, os.O_RDONLY)
pair = socket.socketpair()
for source, number in ((outside, 9), (outside, 17), (outside, 200), (home, 201), (pair[0].fileno(), 300), (outside, 1000)):
    os.dup2(source, number, inheritable=True)
os.execvp(command[0], command)
`;

const LISTENER = `import os, socket, sys, time
os.chdir(sys.argv[1])
made = []
def bind(name, kind=socket.SOCK_STREAM):
    one = socket.socket(socket.AF_UNIX, kind)
    one.bind(name)
    if kind != socket.SOCK_DGRAM: one.listen(5)
    made.append(one)
here = lambda name: os.path.join(os.getcwd(), name)
bind(here('absolute')); bind('relative'); bind('@at')
bind(here('before')); os.rename('before', 'renamed')
bind(here('first')); os.makedirs('deep'); os.link('first', 'deep/second')
bind(here('a\\nline'))
bind(here('other')); os.rename('other', 'deep/datagram')
print('ready', flush=True)
time.sleep(600)
`;

const PROBE = `import ctypes, errno, json, os, socket, sys
who, given = sys.argv[1], json.loads(open(os.path.dirname(os.path.abspath(__file__)) + '/given.json').read())
leaks = []
def attempt(name, work):
    try:
        if work(): leaks.append(name)
    except OSError: pass
for name in os.listdir('/proc/self/fd'):
    def inherited(number=int(name)):
        where = os.readlink('/proc/self/fd/%d' % number)
        return number > 2 and not where.startswith('/proc/')
    attempt('descriptor ' + name, inherited)
attempt('write', lambda: os.write(200, b'written'))
attempt('open below', lambda: os.open('given.json', os.O_RDONLY, dir_fd=201))
attempt('make below', lambda: os.open('made', os.O_CREAT | os.O_WRONLY, dir_fd=201))
attempt('send', lambda: socket.socket(fileno=300).send(b'x'))
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
KEYCTL, ADD, REQUEST = {'x86_64': (250, 248, 249), 'aarch64': (219, 217, 218)}[os.uname().machine]
def call(*values): return libc.syscall(*[ctypes.c_long(one) if isinstance(one, int) else one for one in values])
def read(key):
    held = ctypes.create_string_buffer(64)
    return call(KEYCTL, 11, key, held, 64, 0) > 0 and b'canary' in held.raw
if given['keys']:
    for ring in (-3, -4, -5):
        for name in (b'user-secret', b'uid-secret'): attempt('key %d %s' % (ring, name), lambda: call(KEYCTL, 10, ring, b'user', name, 0) > 0)
        attempt('ring %d' % ring, lambda: call(KEYCTL, 11, ring, ctypes.create_string_buffer(64), 64, 0) >= 0)
        attempt('left %d' % ring, lambda: call(ADD, b'user', b'left', b'x', 1, ring) > 0)
    attempt('request', lambda: call(REQUEST, b'user', b'user-secret', None, 0) > 0)
    attempt('joined', lambda: call(KEYCTL, 1, b'harness-test-login') > 0)
    attempt('by x32', lambda: call(0x40000000 + KEYCTL, 0, -3, 0) > 0)
    attempt('listed', lambda: b'secret' in open('/proc/keys', 'rb').read())
    for name, number in (('bpf', 321), ('userfaultfd', 323), ('io_uring', 425)):
        if os.uname().machine == 'x86_64': attempt(name, lambda: call(number, 0, 0, 0) >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS))
for name in given['sockets']:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        attempt('socket ' + name, lambda: socket.socket(socket.AF_UNIX, kind).connect(os.path.join(given['folder'], name)) is None)
for name in given['files']:
    attempt('file ' + name, lambda: 'canary' in open(name).read())
    attempt('below root ' + name, lambda: 'canary' in open('/proc/self/root' + name).read())
attempt('listing', lambda: [one for one in os.listdir(given['own']) if one not in ('work', 'rooms', 'scratch', 'cache')])
print('PROBE-%s %s' % (who, json.dumps(leaks)))
`;

async function attackedScene(): Promise<Scene> {
  const plain = await projectWithAgent('true', { settings: 'paths:\n  state_dir: .harness\n' });
  const user = plain.env['HOME']!;
  const own = join(user, '.harness of mine');
  const scene = { ...plain, env: { ...plain.env, HARNESS_HOME: own } };
  const files: Record<string, string> = {
    [join(own, 'config.yaml')]: '# the canary\nsandbox:\n  mode: "on"\n',
    [join(own, 'secret')]: 'the canary, which is 32 bytes long'.slice(0, 32),
    [join(own, 'work/other-012345678901/main/tree/a.txt')]: 'the canary',
    [join(own, 'rooms/other-012345678901/main/room-1/a.txt')]: 'the canary',
    [join(own, 'cache/results/a.txt')]: 'the canary',
    [join(scene.project, '.harness/hidden/a.test.js')]: '// the canary',
    [join(scene.project, '.harness/note.txt')]: 'the canary',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  }
  await chmod(own, 0o755);
  const folder = join(user, 'sockets');
  await mkdir(folder);
  await writeFile(join(scene.folder, 'caller.py'), CALLER);
  await writeFile(join(user, 'probe.py'), PROBE);
  const sockets = ['absolute', 'relative', '@at', 'renamed', 'first', 'deep/second', 'a\nline', 'deep/datagram'];
  await writeFile(join(user, 'given.json'), JSON.stringify({ folder, own, sockets, files: Object.keys(files), keys: refusesCalls }));
  const listener = spawn('python3', ['-c', LISTENER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(listener);
  await new Promise((resolve) => listener.stdout.once('data', resolve));
  return scene;
}

/** What the harness prints when it is started by such a caller. */
function runBy(scene: Scene, ...args: string[]): string {
  const command = [process.execPath, program, ...args, '--cwd', scene.project];
  try {
    const options = { cwd: scene.folder, env: scene.env, maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' as const };
    return execFileSync('python3', [join(scene.folder, 'caller.py'), scene.env['HOME']!, ...command], options).toString();
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout);
  }
}

function probes(text: string, who: string): string[] {
  return [...text.matchAll(new RegExp(`PROBE-${who} (\\[.*?\\])`, 'g'))].map(([, list]) => list!.replaceAll('\\"', '"'));
}

describe.runIf(hides)('an agent and the tests that it writes', () => {
  test('reach no open file of the caller, no kernel key, no socket outside, and nothing that the harness keeps', async () => {
    const scene = await attackedScene();
    const probe = join(scene.env['HOME']!, 'probe.py');
    const outside = execFileSync('python3', [join(scene.folder, 'caller.py'), scene.env['HOME']!, 'python3', probe, 'outside']).toString();
    for (const reached of [
      'descriptor 9',
      'descriptor 1000',
      'write',
      'open below',
      'socket renamed',
      'socket deep/second',
      'file ',
      'listing',
    ])
      expect(probes(outside, 'outside')[0]).toContain(reached);
    await writeFile(
      join(scene.env['HOME']!, 'agent.sh'),
      `cat > "$TMPDIR/prompt.txt"
python3 '${probe}' agent
${WRITE_SUBTRACT}
cat >> test/subtract.test.js <<'END'
import { execFileSync } from 'node:child_process';
if (process.env.HARNESS_SESSION === undefined) test('probe', () => { throw new Error(execFileSync('python3', ['${probe}', 'test']).toString()); });
END
node --test test/subtract.test.js
${claim(2)}`,
    );
    const printed = runBy(scene, 'run', '--json');
    const written = await stat(join(scene.env['HOME']!, 'outside'));
    expect(probes(printed, 'agent'), printed.slice(-4_000)).toEqual(['[]']);
    const judged = printed.slice(printed.indexOf('"verify.start"'));
    expect([...new Set(probes(judged, 'test'))], printed.slice(-4_000)).toEqual(['[]']);
    expect(written.size).toBe('written'.length);
    const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
    const own = scene.env['HARNESS_HOME']!;
    const key = (await readdir(join(own, 'work'))).find((name) => !name.startsWith('other-'))!;
    expect(
      await Promise.all([own, join(own, 'work', key), join(own, 'work', key, 'main'), join(own, 'rooms', key, 'main')].map(mode)),
    ).toEqual(Array<string>(4).fill('700'));
  });
});
