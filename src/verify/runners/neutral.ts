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

/** For `--import` in front of a test file that node runs directly. */
export function directPreload(marks: string): string {
  return `const marks = ${markedNames(marks)};
for (const name of Object.keys(process.env)) if (marks.test(name)) delete process.env[name];
process.execArgv = [];
`;
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

/** For pytest, before the first test file is imported. */
export function pythonClock(shiftSeconds: number): string {
  return `import time, datetime
_shift = ${shiftSeconds}
_time, _time_ns, _localtime, _gmtime = time.time, time.time_ns, time.localtime, time.gmtime
time.time = lambda: _time() + _shift
time.time_ns = lambda: _time_ns() + _shift * 1000000000
time.localtime = lambda at=None: _localtime(time.time() if at is None else at)
time.gmtime = lambda at=None: _gmtime(time.time() if at is None else at)
_date, _datetime = datetime.date, datetime.datetime
class _OfDate(type):
    def __instancecheck__(cls, value): return isinstance(value, _date)
class _OfDatetime(type):
    def __instancecheck__(cls, value): return isinstance(value, _datetime)
class date(_date, metaclass=_OfDate):
    @classmethod
    def today(cls): return cls.fromtimestamp(time.time())
class datetime_(_datetime, metaclass=_OfDatetime):
    @classmethod
    def now(cls, tz=None): return cls.fromtimestamp(time.time(), tz)
    @classmethod
    def utcnow(cls): return cls.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)
    @classmethod
    def today(cls): return cls.fromtimestamp(time.time())
datetime_.__name__ = datetime_.__qualname__ = 'datetime'
datetime.date, datetime.datetime = date, datetime_
`;
}
