/**
 * Modules that are loaded before any code of the project, to take away what code could tell a test run by.
 *
 * 1. In a process of its own (node:test's files): the marks are gone for everyone.
 * 2. In a runner's process: the marks are hidden from the project's code alone, because the runner needs them.
 * 3. Another clock is the same for everyone.
 */

/** Variables that say how the process was started, whichever runner did. */
function markedNames(marks: string): string {
  return String.raw`/^(?:${marks}|NODE_OPTIONS|npm_.*|CI)$/`;
}

/** What a namespace of its own shows: low numbers of processes and no network device. */
const ORDINARY = `
const os = process.getBuiltinModule?.('node:os') ?? process.mainModule?.require('node:os');
const interfaces = os.networkInterfaces.bind(os);
os.networkInterfaces = () => ({
  ...interfaces(),
  eth0: [{ address: '192.168.1.23', netmask: '255.255.255.0', family: 'IPv4', mac: '52:54:00:12:34:56', internal: false, cidr: '192.168.1.23/24' }],
});
process.getBuiltinModule?.('node:module').syncBuiltinESMExports();
for (const [name, value] of [['pid', 20000 + process.pid], ['ppid', 20000 + process.ppid]]) {
  // A value alone does not take the place of what the interpreter itself gives.
  delete process[name];
  Object.defineProperty(process, name, { configurable: true, enumerable: true, value });
}
`;

/** For `--import` or `--require` in front of a test file that node runs directly. Packages see the file's name: some store results by it. */
export function directPreload(marks: string): string {
  return `{
const marks = ${markedNames(marks)};
for (const name of Object.keys(process.env)) if (marks.test(name)) delete process.env[name];
process.execArgv = [];
const argv = process.argv;
const shown = argv.map((word, at) => (at === 1 ? '/srv/main.js' : word));
const isPackage = () => {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 4;
  Error.prepareStackTrace = undefined;
  const [, , , caller = ''] = String(new Error().stack).split('\\n');
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  return caller.includes('/node_modules/');
};
Object.defineProperty(process, 'argv', {
  configurable: true,
  enumerable: true,
  get: () => (isPackage() ? argv : shown),
  set: (value) => void Object.defineProperty(process, 'argv', { configurable: true, enumerable: true, writable: true, value }),
});
${ORDINARY}}`;
}

/** For bun, whose test files have a process of their own: what it cannot change stays as it is. */
export function bunPreload(marks: string, keepNodeEnv: boolean): string {
  return `{
const marks = ${markedNames(marks)};
for (const name of Object.keys(process.env)) if (marks.test(name)${keepNodeEnv ? '' : " || name === 'NODE_ENV'"}) delete process.env[name];
try { process.argv = [process.argv[0], '/srv/main.js']; } catch {}
try {${ORDINARY}} catch {}
}`;
}

/** For `NODE_OPTIONS=--require` of a runner; the code of the project is told by the caller's path. */
export function hidingPreload(room: string, keepNodeEnv: boolean, marks: string): string {
  return `'use strict';
const marks = ${markedNames(marks)};
const room = ${JSON.stringify(`${room}/`)};
const real = process.env;
const argv = process.argv;
const hidden = (name) => typeof name === 'string' && (marks.test(name)${keepNodeEnv ? '' : " || name === 'NODE_ENV'"});
const frames = () => {
  const limit = Error.stackTraceLimit;
  const prepare = Error.prepareStackTrace;
  Error.stackTraceLimit = 9;
  Error.prepareStackTrace = undefined;
  const lines = String(new Error().stack).split('\\n').slice(3);
  Error.stackTraceLimit = limit;
  Error.prepareStackTrace = prepare;
  return lines;
};
const asked = () => {
  const [caller = ''] = frames().filter((line) => !line.includes(__filename) && !line.endsWith('(<anonymous>)'));
  return (caller.includes(room) && !caller.includes('/node_modules/')) || caller.includes('createProcessObject') || caller.includes('createProcessEnv') || caller.includes('deepCyclicCopy');
};
const plain = () => Object.fromEntries(Object.entries(real).filter(([name]) => !hidden(name)));
process.env = new Proxy(real, {
  get: (target, name) => (hidden(name) && asked() ? undefined : Reflect.get(target, name)),
  set: (target, name, value) => Reflect.set(target, name, value),
  defineProperty: (target, name, descriptor) => Reflect.defineProperty(target, name, { configurable: true, enumerable: true, writable: true, value: descriptor.value }),
  has: (target, name) => !(hidden(name) && asked()) && Reflect.has(target, name),
  ownKeys: (target) => (asked() ? Reflect.ownKeys(plain()) : Reflect.ownKeys(target)),
  getOwnPropertyDescriptor: (target, name) => (hidden(name) && asked() ? undefined : Reflect.getOwnPropertyDescriptor(target, name)),
});
// A program of the project that a test started has arguments of its own, and none of a runner's.
const program = String(argv[1] ?? '');
if (!program.startsWith(room) || program.includes('/node_modules/')) Object.defineProperty(process, 'argv', { configurable: true, enumerable: true, get: () => (asked() ? [argv[0], '/srv/main.js'] : argv), set: (value) => void Object.defineProperty(process, 'argv', { configurable: true, enumerable: true, writable: true, value }) });
{${ORDINARY}}
`;
}

/** For `--import` or `--require`: works as both. */
export function clockPreload(shiftMs: number): string {
  return `{
  const Real = Date;
  const now = () => Real.now() + ${shiftMs};
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
    apply: (target) => new target(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
`;
}

/**
 * For `--import` or `--require`: numbers that differ from each other and lie at one end of their range; of bytes the first does. Only for the
 * code of the project: runners name their messages by chance.
 */
export function chancePreload(chance: 'low' | 'high', room: string): string {
  return `{
  const room = ${JSON.stringify(`${room}/`)};
  const real = Math.random;
  const isAsked = () => {
    const limit = Error.stackTraceLimit;
    const prepare = Error.prepareStackTrace;
    Error.stackTraceLimit = 8;
    Error.prepareStackTrace = undefined;
    const lines = String(new Error().stack).split('\\n').slice(3);
    Error.stackTraceLimit = limit;
    Error.prepareStackTrace = prepare;
    const caller = lines.find((line) => !line.endsWith('(<anonymous>)')) ?? '';
    return caller.includes(room) && !caller.includes('/node_modules/');
  };
  const share = () => ${chance === 'low' ? 'real() / 1024' : '1 - (real() + 2 ** -40) / 1024'};
  Math.random = () => (isAsked() ? share() : real());
  const crypto = process.getBuiltinModule?.('node:crypto') ?? process.mainModule?.require('node:crypto');
  const { randomBytes, randomInt, randomUUID } = crypto;
  crypto.randomInt = (...given) => {
    if (!isAsked()) return randomInt(...given);
    const [first, second, done] = given;
    const [least, most] = typeof second === 'number' ? [first, second] : [0, first];
    const value = least + Math.floor(share() * (most - least));
    const told = typeof second === 'function' ? second : done;
    return told ? void process.nextTick(told, null, value) : value;
  };
  const turned = (bytes) => {
    if (bytes?.length > 0) bytes[0] = ${chance === 'low' ? '0' : '255'};
    return bytes;
  };
  crypto.randomBytes = (size, done) => {
    if (!isAsked()) return randomBytes(size, done);
    return done ? randomBytes(size, (error, bytes) => done(error, turned(bytes))) : turned(randomBytes(size));
  };
  crypto.randomUUID = (options) => (isAsked() ? '${chance === 'low' ? '00' : 'ff'}' + randomUUID(options).slice(2) : randomUUID(options));
  process.getBuiltinModule?.('node:module').syncBuiltinESMExports();
}
`;
}

/** The same for pytest. Names of temporary files stay what they are: they have to differ. */
export function pythonChance(chance: 'low' | 'high'): string {
  return `import os, random, secrets, tempfile
_share = random.Random().random
class _Names(random.Random):
    def random(self): return _share()
tempfile._RandomNameSequence.rng = property(lambda self, names=_Names(): names)
def _random(*_given): return ${chance === 'low' ? '_share() / 1024' : '1 - (_share() + 2 ** -40) / 1024'}
random.Random.random = _random
random.Random._randbelow = lambda self, n: min(int(_random() * n), n - 1)
random.random, random.randint, random.randrange, random.choice, random.uniform = _random, lambda a, b: a + min(int(_random() * (b - a + 1)), b - a), random.Random().randrange, lambda some: some[min(int(_random() * len(some)), len(some) - 1)], lambda a, b: a + (b - a) * _random()
secrets.randbelow = lambda n: min(int(_random() * n), n - 1)
_urandom = os.urandom
os.urandom = lambda size: bytes([${chance === 'low' ? '0' : '255'}]) + _urandom(size - 1) if size > 0 else b''
secrets.token_bytes = lambda size=None: os.urandom(32 if size is None else size)
secrets.token_hex = lambda size=None: secrets.token_bytes(size).hex()`;
}

/** Numbers of processes as on any machine, for the code of the project: packages ask the system about them, and a fork has another one. */
export const PYTHON_ORDINARY = `import os, sys
_getpid, _getppid = os.getpid, os.getppid
def _more():
    name = sys._getframe(2).f_code.co_filename
    return 0 if name.startswith('<') or '/lib/python' in name or '-packages/' in name else 20000
def _told_pid(): return _getpid() + _more()
def _told_ppid(): return _getppid() + _more()
os.getpid, os.getppid = _told_pid, _told_ppid`;

/**
 * For Python, before the first test file is imported. The class of dates stays the one it is, so that packages can replace it: its
 * `today` asks `time.time` by itself, and what asks the system is changed in the class. Where an interpreter does not let that happen, the rest has to do.
 */
export function pythonClock(shiftSeconds: number): string {
  return `import time, datetime
_shift = ${shiftSeconds}
_time, _time_ns, _localtime, _gmtime = time.time, time.time_ns, time.localtime, time.gmtime
time.time = lambda: _time() + _shift
time.time_ns = lambda: _time_ns() + _shift * 1000000000
time.localtime = lambda at=None: _localtime(time.time() if at is None else at)
time.gmtime = lambda at=None: _gmtime(time.time() if at is None else at)
def _now(cls, tz=None): return cls.fromtimestamp(time.time(), tz)
def _utcnow(cls): return cls.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)
try:
    import ctypes, gc
    _members = gc.get_referents(datetime.datetime.__dict__)[0]
    _members.update(now=classmethod(_now), utcnow=classmethod(_utcnow))
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime.datetime))
except Exception: pass
`;
}
