const marks = given_marks;
for (const name of Object.keys(process.env)) if (marks.test(name)) delete process.env[name];
Object.assign(process.env, given_env);
process.execArgv = [];
const argv = process.argv;
const shown = [...argv.map((word, at) => (at === 1 ? '/srv/main.js' : word)), ...given_words];
const isPackage = () => {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 4;
  Error.prepareStackTrace = undefined;
  const [, , , caller = ''] = String(new Error().stack).split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  return caller.includes('/node_modules/');
};
Object.defineProperty(process, 'argv', {
  configurable: true,
  enumerable: true,
  get: () => (isPackage() ? argv : shown),
  set(value) {
    Object.defineProperty(this, 'argv', { configurable: true, enumerable: true, writable: true, value });
  },
});
const room = given_room;
const isProgram = false;
const asked = () => {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 12;
  Error.prepareStackTrace = undefined;
  const [caller = ''] = String(new Error().stack)
    .split('\n')
    .slice(1)
    .filter((line) => !line.includes(given_support) && !line.endsWith('(<anonymous>)'));
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  return caller.includes(room) && !caller.includes('/node_modules/');
};
