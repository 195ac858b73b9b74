/**
 * A process as a person's own, for the code of the project alone: what runners and rooms leave in it is out of sight.
 *
 * 1. Numbers of processes and network devices are those of any machine; nobody but the project listens, no parent has a channel, and no
 *    module of a runner is in memory.
 * 2. There is a terminal: that is the one thing that honest code looks at, so it can be left out.
 */

/** Packages of runners, as they stand in a path. */
const RUNNERS = String.raw`(?:mocha|jest[\w-]*|@jest|vitest|@vitest|tape|tap|libtap|@tapjs|c8|nyc)`;

/** Numbers of processes and processors, memory and network devices, for everybody. */
export const ORDINARY_MACHINE = `
const builtin = (name) => process.getBuiltinModule?.(name) ?? process.mainModule?.require(name);
const os = builtin('node:os');
const interfaces = os.networkInterfaces.bind(os);
os.networkInterfaces = () => ({
  ...interfaces(),
  eth0: [{ address: '192.168.1.23', netmask: '255.255.255.0', family: 'IPv4', mac: '52:54:00:12:34:56', internal: false, cidr: '192.168.1.23/24' }],
});
const { cpus, totalmem, freemem, availableParallelism } = os;
os.cpus = () => { const all = cpus(); return [...all, ...all.slice(0, 1)].map((one) => ({ ...one, model: 'CPU' })); };
if (availableParallelism) os.availableParallelism = () => availableParallelism() + 1;
os.totalmem = () => totalmem() + 2 ** 30;
os.freemem = () => freemem() + 2 ** 20;
for (const [name, value] of [['pid', 20000 + process.pid], ['ppid', 20000 + process.ppid]]) {
  // A value alone does not take the place of what the interpreter itself gives.
  delete process[name];
  Object.defineProperty(process, name, { configurable: true, enumerable: true, value });
}
builtin('node:module')?.syncBuiltinESMExports?.();
`;

/** Statements of JavaScript; `asked()` there says whether the code of the project asks, and `isProgram` whether a test started it as a program. */
export function ordinaryProcess(keepTerminal: boolean): string {
  return `
${ORDINARY_MACHINE}const told = (object, name, other) => {
  let value = object[name];
  Object.defineProperty(object, name, { configurable: true, enumerable: true, get: () => (asked() ? other(value) : value), set(now) { if (this !== object || asked()) Object.defineProperty(this, name, { configurable: true, enumerable: true, writable: true, value: now }); else value = now; } });
};
if (!isProgram) told(process, 'execArgv', () => []);
for (const name of ['connected', 'send', 'channel', 'disconnect']) if (name in process && !isProgram) told(process, name, () => undefined);
if (Array.isArray(process.moduleLoadList)) told(process, 'moduleLoadList', (list) => list.filter((name) => !/test_runner|NativeModule test|internal\\/test/.test(name)));
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
  return asked() ? process.rawListeners(event).filter((one) => own.has(one) || own.has(one.listener)).length : listenerCount.call(this, event, ...more);
};
process.eventNames = function () {
  const isTold = asked();
  return eventNames.call(this).filter((event) => !isTold || process.rawListeners(event).some((one) => own.has(one) || own.has(one.listener)));
};
const { Module } = builtin('node:module');
const isRunner = (path) => typeof path === 'string' && /[/\\\\]node_modules[/\\\\]${RUNNERS}[/\\\\]/.test(path);
Module._cache = new Proxy(Module._cache, {
  has: (target, path) => Reflect.has(target, path) && !(isRunner(path) && asked()),
  ownKeys: (target) => (asked() ? Reflect.ownKeys(target).filter((path) => !isRunner(path)) : Reflect.ownKeys(target)),
});
${keepTerminal ? '' : TERMINAL}
builtin('node:module').syncBuiltinESMExports();
`;
}

const TERMINAL = `const done = (...given) => { const last = given.at(-1); if (typeof last === 'function') last(); return true; };
for (const stream of isProgram ? [] : [process.stdout, process.stderr]) {
  if (stream === undefined || stream.isTTY) continue;
  const parts = { columns: 80, rows: 24, getColorDepth: () => 8, hasColors: () => true, getWindowSize: () => [80, 24], clearLine: done, cursorTo: done, moveCursor: done, clearScreenDown: done };
  stream.isTTY = undefined;
  told(stream, 'isTTY', () => true);
  for (const [name, part] of Object.entries(parts)) if (!(name in stream)) { stream[name] = undefined; told(stream, name, () => part); }
}
const tty = builtin('node:tty');
const { isatty } = tty;
tty.isatty = (descriptor) => (!isProgram && descriptor >= 0 && descriptor < 3 && asked()) || isatty(descriptor);
`;

/**
 * The same for Python. Packages ask the system about processes, and a fork has another number. The interpreter's own list of modules stays
 * what it is: the project's code has a view of it, through which it can change everything but what it does not see.
 */
export function ordinaryPython(room: string, keepTerminal: boolean): string {
  return `import os, sys, types
_room = ${JSON.stringify(`${room}/`)}
def _asked(depth):
    name = sys._getframe(depth + 1).f_code.co_filename
    return name.startswith(_room) and '-packages/' not in name
_getpid, _getppid = os.getpid, os.getppid
def _more():
    name = sys._getframe(2).f_code.co_filename
    return 0 if name.startswith('<') or '/lib/python' in name or '-packages/' in name else 20000
def _told_pid(): return _getpid() + _more()
def _told_ppid(): return _getppid() + _more()
os.getpid, os.getppid = _told_pid, _told_ppid
_cpu_count = os.cpu_count
os.cpu_count = lambda: (_cpu_count() or 1) + 1
_modules = sys.modules
_missing = object()
def _seen(name): return not (isinstance(name, str) and name.split('.')[0] in ('pytest', '_pytest', 'py', 'pluggy', 'iniconfig', 'xdist', 'pytest_cov', 'unittest'))
class _Modules(dict):
    def __getitem__(self, name):
        if not _seen(name): raise KeyError(name)
        return _modules[name]
    def __setitem__(self, name, value): _modules[name] = value
    def __delitem__(self, name): del _modules[name]
    def __contains__(self, name): return _seen(name) and name in _modules
    def __iter__(self): return iter([name for name in list(_modules) if _seen(name)])
    def __len__(self): return len(list(iter(self)))
    def keys(self): return list(iter(self))
    def values(self): return [_modules[name] for name in self]
    def items(self): return [(name, _modules[name]) for name in self]
    def get(self, name, other=None): return _modules.get(name, other) if _seen(name) else other
    def pop(self, name, *other): return _modules.pop(name, *other)
    def setdefault(self, name, value=None): return _modules.setdefault(name, value)
    def update(self, *given, **named): _modules.update(*given, **named)
    def copy(self): return dict(self.items())
    def clear(self):
        for name in list(self): del _modules[name]
    def __eq__(self, other): return self is other
    def __repr__(self): return repr(self.copy())
    __hash__ = None
_view = _Modules()
class _Sys(types.ModuleType):
    @property
    def modules(self): return _view if _asked(1) else _modules
    @modules.setter
    def modules(self, value): sys.__dict__['modules'] = value
sys.__class__ = _Sys
${keepTerminal ? '' : PYTHON_TERMINAL}`;
}

const PYTHON_TERMINAL = `_isatty = os.isatty
os.isatty = lambda descriptor: (descriptor in (0, 1, 2) and _asked(1)) or _isatty(descriptor)
for _stream in (sys.stdin, sys.stdout, sys.stderr):
    try: _stream.isatty = lambda real=_stream.isatty: _asked(1) or real()
    except Exception: pass
`;
