'use strict';
const marks = given_marks;
const room = given_room;
const real = process.env;
const argv = process.argv;
const hidden = (name) => typeof name === 'string' && marks.test(name);
const frames = () => {
  const limit = Error.stackTraceLimit;
  const prepare = Error.prepareStackTrace;
  Error.stackTraceLimit = 9;
  Error.prepareStackTrace = undefined;
  const lines = String(new Error().stack).split('\n').slice(3);
  Error.stackTraceLimit = limit;
  Error.prepareStackTrace = prepare;
  return lines;
};
const asked = () => {
  const [caller = ''] = frames().filter((line) => !line.includes(__filename) && !line.endsWith('(<anonymous>)'));
  return (
    (caller.includes(room) && !caller.includes('/node_modules/')) ||
    caller.includes('createProcessObject') ||
    caller.includes('createProcessEnv') ||
    caller.includes('deepCyclicCopy')
  );
};
const dressed = new Map(Object.entries(given_env));
const plain = () => Object.fromEntries([...Object.entries(real).filter(([name]) => !hidden(name)), ...dressed]);
process.env = new Proxy(real, {
  get: (target, name) => (hidden(name) && asked() ? dressed.get(name) : Reflect.get(target, name)),
  set: (target, name, value) => Reflect.set(target, name, value),
  defineProperty: (target, name, descriptor) =>
    Reflect.defineProperty(target, name, { configurable: true, enumerable: true, writable: true, value: descriptor.value }),
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
if (!isProgram)
  Object.defineProperty(process, 'argv', {
    configurable: true,
    enumerable: true,
    get: () => (asked() ? [argv[0], '/srv/main.js', ...given_words] : argv),
    set(value) {
      Object.defineProperty(this, 'argv', { configurable: true, enumerable: true, writable: true, value });
    },
  });
