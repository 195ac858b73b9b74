/**
 * Modules that are loaded before any code of the project, to take away what code could tell a test run by.
 *
 * 1. In a process of its own (node:test's files): the marks are gone for everyone.
 * 2. In a runner's process: the marks are hidden from the project's code alone, because the runner needs them.
 * 3. Another clock is the same for everyone.
 */

import { ORDINARY_MACHINE, ordinaryProcess } from './ordinary.ts';
import type { PlanRequest } from './runner.ts';

/** Variables that say how the process was started, whichever runner did. */
function markedNames(marks: string): string {
  return String.raw`/^(?:${marks}|NODE_OPTIONS|npm_.*|CI)$/`;
}

/** For `--import` or `--require` in front of a test file that node runs directly. Packages see the file's name: some store results by it. */
export function directPreload({ marks, room, supportDirectory, variant }: PlanRequest): string {
  return `{
const marks = ${markedNames(marks)};
for (const name of Object.keys(process.env)) if (marks.test(name)) delete process.env[name];
Object.assign(process.env, ${JSON.stringify(variant.neutral?.guise?.env ?? {})});
process.execArgv = [];
const argv = process.argv;
const shown = [...argv.map((word, at) => (at === 1 ? '/srv/main.js' : word)), ...${JSON.stringify(variant.neutral?.guise?.words ?? [])}];
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
  set(value) { Object.defineProperty(this, 'argv', { configurable: true, enumerable: true, writable: true, value }); },
});
const room = ${JSON.stringify(`${room}/`)};
const isProgram = false;
const asked = () => {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 12;
  Error.prepareStackTrace = undefined;
  const [caller = ''] = String(new Error().stack).split('\\n').slice(1).filter((line) => !line.includes(${JSON.stringify(`${supportDirectory}/`)}) && !line.endsWith('(<anonymous>)'));
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  return caller.includes(room) && !caller.includes('/node_modules/');
};
${ordinaryProcess(variant.neutral?.keepTerminal === true)}}`;
}

/** For bun, whose test files have a process of their own: what it cannot change stays as it is. */
export function bunPreload(marks: string, keepNodeEnv: boolean): string {
  return `{
const marks = ${markedNames(marks)};
for (const name of Object.keys(process.env)) if (marks.test(name)${keepNodeEnv ? '' : " || name === 'NODE_ENV'"}) delete process.env[name];
try { process.argv = [process.argv[0], '/srv/main.js']; } catch {}
try {${ORDINARY_MACHINE}} catch {}
}`;
}

/** For `NODE_OPTIONS=--require` of a runner; the code of the project is told by the caller's path. */
export function hidingPreload({ room, marks, variant }: PlanRequest): string {
  const { keepNodeEnv = false, keepTerminal = false, guise } = variant.neutral ?? {};
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
const dressed = new Map(Object.entries(${JSON.stringify(guise?.env ?? {})}));
const plain = () => Object.fromEntries([...Object.entries(real).filter(([name]) => !hidden(name)), ...dressed]);
process.env = new Proxy(real, {
  get: (target, name) => (hidden(name) && asked() ? dressed.get(name) : Reflect.get(target, name)),
  set: (target, name, value) => Reflect.set(target, name, value),
  defineProperty: (target, name, descriptor) => Reflect.defineProperty(target, name, { configurable: true, enumerable: true, writable: true, value: descriptor.value }),
  has: (target, name) => (hidden(name) && asked() ? dressed.has(name) : Reflect.has(target, name)),
  ownKeys: (target) => (asked() ? Reflect.ownKeys(plain()) : Reflect.ownKeys(target)),
  getOwnPropertyDescriptor: (target, name) => {
    if (!hidden(name) || !asked()) return Reflect.getOwnPropertyDescriptor(target, name);
    return dressed.has(name) ? { value: dressed.get(name), writable: true, enumerable: true, configurable: true } : undefined;
  },
});
// A program of the project that a test started has its own arguments, and none of a runner's.
const program = String(argv[1] ?? '');
const isProgram = program.startsWith(room) && !program.includes('/node_modules/');
if (!isProgram) Object.defineProperty(process, 'argv', { configurable: true, enumerable: true, get: () => (asked() ? [argv[0], '/srv/main.js', ...${JSON.stringify(guise?.words ?? [])}] : argv), set(value) { Object.defineProperty(this, 'argv', { configurable: true, enumerable: true, writable: true, value }); } });
{${ordinaryProcess(keepTerminal)}}
`;
}

/** How long a process with another date has been running. */
const AGE_MS = 3 * 24 * 3_600_000;

/**
 * For `--import` or `--require`: works as both. Every door to the date leads to the same one: that of dates themselves and of their
 * constructor, of formats that are asked without a date, of the time at which the process began. The process is some days old.
 */
export function clockPreload(shiftMs: number): string {
  return `${shiftedDates(shiftMs)}{
  const began = performance.timeOrigin + ${shiftMs - AGE_MS};
  Object.defineProperty(performance, 'timeOrigin', { configurable: true, enumerable: true, get: () => began });
  const { now } = performance;
  Object.defineProperty(performance, 'now', { configurable: true, enumerable: true, writable: true, value: () => now.call(performance) + ${AGE_MS} });
  const uptime = process.uptime.bind(process);
  process.uptime = () => uptime() + ${AGE_MS / 1_000};
  const hrtime = process.hrtime;
  const { bigint } = hrtime;
  process.hrtime = Object.assign(
    (since) => {
      const [seconds, rest] = hrtime.call(process, since);
      return [seconds + ${AGE_MS / 1_000}, rest];
    },
    { bigint: () => bigint.call(hrtime) + ${AGE_MS}_000_000n },
  );
}
`;
}

/** What every world of the language has of its own: its dates and their formats. */
export function shiftedDates(shiftMs: number): string {
  return `{
  const Real = Date;
  const now = () => Real.now() + ${shiftMs};
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
    apply: (target) => new target(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  Real.prototype.constructor = globalThis.Date;
  const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format').get;
  const { formatToParts } = Intl.DateTimeFormat.prototype;
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    configurable: true,
    get() {
      const plain = format.call(this);
      return (at) => plain(at === undefined ? now() : at);
    },
  });
  Intl.DateTimeFormat.prototype.formatToParts = function (at) {
    return formatToParts.call(this, at === undefined ? now() : at);
  };
}
`;
}

/**
 * For `--import` or `--require`: numbers that differ from each other and lie at one end of their range; of bytes the first does. Only for the
 * code of the project: runners name their messages by chance.
 */
export function chancePreload(chance: 'low' | 'high', room: string): string {
  return `{
${chosenNumbers(chance, room)}  const crypto = process.getBuiltinModule?.('node:crypto') ?? process.mainModule?.require('node:crypto');
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

/** What every world of the language has of its own: its random numbers. A part of a block. */
export function chosenNumbers(chance: 'low' | 'high', room: string): string {
  return `  const room = ${JSON.stringify(`${room}/`)};
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
def _aged(name):
    clock, age = getattr(time, name, None), ${AGE_MS / 1_000}
    if clock is not None: setattr(time, name, (lambda: clock() + age * 1000000000) if name.endswith('_ns') else (lambda: clock() + age))
for _name in ('process_time', 'process_time_ns', 'thread_time', 'thread_time_ns'): _aged(_name)
time.localtime = lambda at=None: _localtime(time.time() if at is None else at)
time.gmtime = lambda at=None: _gmtime(time.time() if at is None else at)
_strftime, _asctime, _ctime = time.strftime, time.asctime, time.ctime
time.strftime = lambda form, *at: _strftime(form, *(at or (time.localtime(),)))
time.asctime = lambda *at: _asctime(*(at or (time.localtime(),)))
time.ctime = lambda at=None: _ctime(time.time() if at is None else at)
if hasattr(time, 'clock_gettime'):
    _gettime, _gettime_ns = time.clock_gettime, time.clock_gettime_ns
    time.clock_gettime = lambda clock: _gettime(clock) + (_shift if clock == time.CLOCK_REALTIME else 0)
    time.clock_gettime_ns = lambda clock: _gettime_ns(clock) + (_shift * 1000000000 if clock == time.CLOCK_REALTIME else 0)
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
