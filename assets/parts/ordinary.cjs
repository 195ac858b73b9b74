// Behind `machine.cjs`. `asked()` says whether the code of the project asks, and `isProgram` whether a test started it as a program.
const told = (object, name, other) => {
  let value = object[name];
  Object.defineProperty(object, name, {
    configurable: true,
    enumerable: true,
    get: () => (asked() ? other(value) : value),
    set(now) {
      if (this !== object || asked())
        Object.defineProperty(this, name, { configurable: true, enumerable: true, writable: true, value: now });
      else value = now;
    },
  });
};
if (!isProgram) told(process, 'execArgv', () => []);
for (const name of ['connected', 'send', 'channel', 'disconnect']) if (name in process && !isProgram) told(process, name, () => undefined);
if (Array.isArray(process.moduleLoadList))
  told(process, 'moduleLoadList', (list) => list.filter((name) => !/test_runner|NativeModule test|internal\/test/.test(name)));
const own = new WeakSet();
for (const name of ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener']) {
  const real = process[name];
  process[name] = function (event, listener) {
    if (typeof listener === 'function' && asked()) own.add(listener);
    return real.call(this, event, listener);
  };
}
for (const name of ['listeners', 'rawListeners']) {
  const real = process[name];
  process[name] = function (event) {
    const all = real.call(this, event);
    return asked() ? all.filter((one) => own.has(one) || own.has(one.listener)) : all;
  };
}
const { eventNames, listenerCount } = process;
process.listenerCount = function (event, ...more) {
  return asked()
    ? process.rawListeners(event).filter((one) => own.has(one) || own.has(one.listener)).length
    : listenerCount.call(this, event, ...more);
};
process.eventNames = function () {
  const isTold = asked();
  return eventNames
    .call(this)
    .filter((event) => !isTold || process.rawListeners(event).some((one) => own.has(one) || own.has(one.listener)));
};
const { Module } = builtin('node:module');
const isRunner = (path) =>
  typeof path === 'string' &&
  /[/\\]node_modules[/\\](?:mocha|jest[\w-]*|@jest|vitest|@vitest|tape|tap|libtap|@tapjs|c8|nyc)[/\\]/.test(path);
Module._cache = new Proxy(Module._cache, {
  has: (target, path) => Reflect.has(target, path) && !(isRunner(path) && asked()),
  ownKeys: (target) => (asked() ? Reflect.ownKeys(target).filter((path) => !isRunner(path)) : Reflect.ownKeys(target)),
});
