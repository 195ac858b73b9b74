/**
 * Another date and other random numbers, for every process of a run.
 *
 * 1. A process that has them hands them to node and Python programs it starts, whatever environment they get, and so on below those.
 * 2. What cannot have them (git, a binary, a shell's own commands) is noted by name beside the report: a failure in such a run proves nothing.
 * 3. Programs that a test runner starts for itself are not noted, and no process shows a variable of this.
 */
import exitFailsTest from '../../../assets/exit-fails-test.cjs';
import { join } from 'node:path';
import { chancePreload, chosenNumbers, clockPreload, pythonChance, pythonClock, shiftedDates } from './neutral.ts';
import type { PlanRequest, RunPlan } from './runner.ts';

type Support = RunPlan['support'];

/** One name a line. */
export function startedPath(reportPath: string): string {
  return `${reportPath}.started`;
}

export function readStarted(content: string): string[] {
  const names = content.split('\n').filter((name) => /^[\w.+@-]{1,60}$/.test(name));
  return [...new Set(names)].slice(0, MOST_NAMES);
}

const MOST_NAMES = 20;

/** Modules for node, none where the run has the date and chance of the machine; `preload` is the one to load first. */
export function elsewhereForNode(request: PlanRequest): { preload: string[]; support: Support } {
  const path = join(request.supportDirectory, 'stays.cjs');
  const stays =
    request.variant.exitFails === true ? [{ path, content: `const room = ${JSON.stringify(`${request.room}/`)};\n${exitFailsTest}` }] : [];
  const own = isElsewhere(request) ? { preload: [nodePath(request)], support: supportOf(request) } : { preload: [], support: [] };
  return { preload: [...stays.map((one) => one.path), ...own.preload], support: [...stays, ...own.support] };
}

/** Statements for a Python that runs tests, with what the programs below it load. */
export function elsewhereForPython(request: PlanRequest): { before: string[]; support: Support } {
  if (!isElsewhere(request)) return { before: [], support: [] };
  return { before: [pythonSource(request)], support: supportOf(request) };
}

function isElsewhere({ variant }: PlanRequest): boolean {
  return variant.clockShiftMs !== undefined || variant.chance !== undefined;
}

function nodePath({ supportDirectory }: PlanRequest): string {
  return join(supportDirectory, 'elsewhere.cjs');
}

function pythonFolder({ supportDirectory }: PlanRequest): string {
  return join(supportDirectory, 'elsewhere');
}

function supportOf(request: PlanRequest): Support {
  return [
    { path: nodePath(request), content: nodeSource(request) },
    { path: join(pythonFolder(request), 'sitecustomize.py'), content: `${pythonSource(request)}\n${NEXT_SITE}` },
  ];
}

function nodeSource(request: PlanRequest): string {
  const { variant, room } = request;
  const { clockShiftMs, chance } = variant;
  return [
    clockShiftMs === undefined ? '' : `${clockPreload(clockShiftMs)}${inOtherWorlds(shiftedDates(clockShiftMs))}`,
    chance === undefined ? '' : `${chancePreload(chance, room)}${inOtherWorlds(`{${chosenNumbers(chance, room)}}`)}`,
    `try {\nconst settings = ${settingsOf(request)};\n${NODE_CHILDREN}} catch {}\n`,
  ].join('');
}

function pythonSource(request: PlanRequest): string {
  const { clockShiftMs, chance } = request.variant;
  return [
    ...(clockShiftMs === undefined ? [] : [pythonClock(Math.round(clockShiftMs / 1_000))]),
    ...(chance === undefined ? [] : [pythonChance(chance)]),
    `_elsewhere = ${settingsOf(request)}`,
    PYTHON_CHILDREN,
  ].join('\n');
}

/** The same text in both languages. */
function settingsOf(request: PlanRequest): string {
  return JSON.stringify({ node: nodePath(request), python: pythonFolder(request), started: startedPath(request.reportPath) });
}

/** Jest, and vitest where its settings ask for it, run each test file in a world with dates and random numbers of its own: they are changed as it is made. */
function inOtherWorlds(source: string): string {
  return `{
  const vm = require('node:vm');
  const { createContext } = vm;
  const change = new vm.Script(${JSON.stringify(source)});
  vm.createContext = (...given) => {
    const world = createContext(...given);
    change.runInContext(world);
    return world;
  };
}
`;
}

/** Programs and words of a shell that neither tell the time, nor choose by chance, nor start anything. */
const TIMELESS =
  'cd|echo|printf|exit|true|false|test|\\[|export|set|unset|umask|ulimit|read|shift|wait|:|cat|grep|head|tail|wc|sort|tr|cut|sed|diff|rm|mkdir|chmod|kill|sleep|pwd|basename|dirname|which';

/** Every way to start a process leads through these two, each with the whole environment as a list. */
const NODE_CHILDREN = `const { appendFileSync, closeSync, openSync, readSync, statSync } = require('node:fs');
const { basename, join, resolve } = require('node:path');
const { ChildProcess } = require('node:child_process');
const threads = require('node:worker_threads');
const option = '--require=' + JSON.stringify(settings.node);
const without = (text, part, mark) => (mark + (text ?? '') + mark).replace(mark + part + mark, mark).slice(1, -1);
for (const [name, part, mark] of [['NODE_OPTIONS', option, ' '], ['PYTHONPATH', settings.python, ':']]) {
  const left = without(process.env[name], part, mark);
  if (process.env[name]?.includes(part)) left === '' ? delete process.env[name] : (process.env[name] = left);
}
const nodeOptions = (now) => [without(now, option, ' '), option].filter(Boolean).join(' ');
const handed = (pairs, args) => {
  const env = new Map((pairs ?? []).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  if (!args.some((word) => String(word).includes(settings.node))) env.set('NODE_OPTIONS', nodeOptions(env.get('NODE_OPTIONS')));
  env.set('PYTHONPATH', [settings.python, without(env.get('PYTHONPATH'), settings.python, ':')].filter(Boolean).join(':'));
  return [...env].map(([name, value]) => name + '=' + value);
};
const TIMELESS = /^(?:${TIMELESS})$/;
const NODE_OR_PYTHON = /^(?:node|nodejs|python[\\d.]*|pypy[\\d.]*)$/;
const firstLine = (path) => {
  let file;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.alloc(200);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, 200, 0)).split('\\n')[0];
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
};
const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
const placeOf = (file, { cwd, path }) =>
  file.includes('/') ? resolve(cwd, file) : path.split(':').map((folder) => join(folder, file)).find(isFile);
const outside = (file, args, at) => {
  const name = basename(file);
  if (file === process.execPath || NODE_OR_PYTHON.test(name) || TIMELESS.test(name)) return [];
  if (/^(?:ba|da|z|k)?sh$/.test(name) && /^-\\w*c$/.test(args[1] ?? '')) return inShell(String(args[2] ?? ''), at);
  const place = placeOf(file, at);
  if (place === undefined || /\\/node_modules\\/(?:.*\\/)?\\.bin\\//.test(place)) return [];
  return /^#!.*\\b(?:node|python)/.test(firstLine(place)) ? [] : [name];
};
const inShell = (command, at) => {
  if (/[\`]|\\$\\(/.test(command)) return ['sh'];
  const parts = command.replace(/"[^"]*"|'[^']*'/g, (one) => one.replace(/[;&|\\n]/g, '_')).split(/[;&|\\n]+/);
  return parts.flatMap((part) => {
    const words = /^[\\s({]*(?:(?:exec|env|time)\\s+)*(?:\\w+=(?:"[^"]*"|'[^']*'|\\S*)\\s+)*(?:"([^"]*)"|'([^']*)'|([^\\s)}]+))?/.exec(part) ?? [];
    const word = words[1] ?? words[2] ?? words[3] ?? ':';
    return word.includes('$') ? ['sh'] : outside(word, [], at);
  });
};
const OF_RUNNER = /\\/node_modules\\/(?:mocha|jest[\\w-]*|@jest|vitest|@vitest|vite|vite-node|esbuild|tinypool|ava|jasmine[\\w-]*|fb-watchman)\\//;
const isOfRunner = () => {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = undefined;
  const lines = String(new Error().stack).split('\\n').slice(1).filter((line) => !line.includes(settings.node) && !line.includes('node:') && !line.endsWith('(<anonymous>)'));
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  return OF_RUNNER.test(lines[0] ?? '');
};
const hand = (options) => {
  try {
    const { file, args = [], cwd, envPairs } = options;
    const path = (envPairs ?? []).find((pair) => pair.startsWith('PATH='))?.slice(5) ?? process.env.PATH ?? '';
    const names = outside(String(file), args, { cwd: String(cwd ?? process.cwd()), path });
    if (names.length > 0 && !isOfRunner()) appendFileSync(settings.started, names.join('\\n') + '\\n');
    options.envPairs = handed(envPairs, args);
  } catch {}
  return options;
};
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) { return spawn.call(this, hand(options)); };
const { Worker } = threads;
const isOwn = (given) => (given.execArgv ?? []).some((word) => String(word).includes(settings.node));
const forThread = (given) =>
  given === undefined || (given.env === undefined && given.execArgv === undefined) || given.env === threads.SHARE_ENV || isOwn(given)
    ? given
    : { ...given, env: { ...(given.env ?? process.env), NODE_OPTIONS: nodeOptions((given.env ?? process.env).NODE_OPTIONS) } };
threads.Worker = new Proxy(Worker, { construct: (target, [file, given, ...more], made) => Reflect.construct(target, [file, forThread(given), ...more], made === threads.Worker ? target : made) });
const { emitWarning } = process;
process.emitWarning = () => {};
try {
  const sync = process.binding('spawn_sync');
  const start = sync.spawn;
  sync.spawn = (options) => start.call(sync, hand(options));
} finally {
  process.emitWarning = emitWarning;
}
require('node:module').syncBuiltinESMExports();
`;

const PYTHON_CHILDREN = `import os, re, shlex, subprocess, sys
def _without(text, part, mark): return (mark + (text or '') + mark).replace(mark + part + mark, mark, 1)[1:-1]
_node_option = '--require="' + _elsewhere['node'] + '"'
for _name, _part, _mark in (('NODE_OPTIONS', _node_option, ' '), ('PYTHONPATH', _elsewhere['python'], ':')):
    if _part in os.environ.get(_name, ''):
        _left = _without(os.environ[_name], _part, _mark)
        if _left: os.environ[_name] = _left
        else: del os.environ[_name]
def _note(names):
    try:
        if names:
            with open(_elsewhere['started'], 'a', encoding='utf-8') as stream: stream.write('\\n'.join(names) + '\\n')
    except OSError: pass
def _place(name, env, cwd):
    if '/' in name: return os.path.join(cwd, name)
    found = [os.path.join(folder, name) for folder in env.get('PATH', os.defpath).split(':')]
    return next((one for one in found if os.path.isfile(one)), None)
def _outside(words, env, cwd):
    file = os.fspath(words[0]) if words else ''
    if isinstance(file, bytes): file = os.fsdecode(file)
    name = os.path.basename(file)
    if file == sys.executable or re.match(r'(?:node|nodejs|python[\\d.]*|pypy[\\d.]*|${TIMELESS})$', name): return []
    if re.match(r'(?:ba|da|z|k)?sh$', name) and len(words) > 2 and re.match(r'-\\w*c$', str(words[1])): return _in_shell(str(words[2]), env, cwd)
    place = _place(file, env, cwd)
    if place is None: return []
    try:
        with open(place, 'rb') as stream: first = stream.readline(200)
    except OSError: first = b''
    return [] if re.match(rb'#!.*\\b(?:node|python)', first) else [name]
def _in_shell(command, env, cwd):
    if re.search(r'\`|\\$\\(', command): return ['sh']
    names = []
    plain = re.sub(r'"[^"]*"|\\'[^\\']*\\'', lambda one: re.sub(r'[;&|\\n]', '_', one.group()), command)
    for part in re.split(r'[;&|\\n]+', plain):
        try: words = shlex.split(part.strip().lstrip('({ '))
        except ValueError: words = ['sh']
        while words and (words[0] in ('exec', 'env', 'time') or re.match(r'\\w+=', words[0])): words = words[1:]
        if not words: continue
        names += ['sh'] if '$' in words[0] else _outside(words[:1], env, cwd)
    return names
_ARGUMENTS = ('bufsize', 'executable', 'stdin', 'stdout', 'stderr', 'preexec_fn', 'close_fds', 'shell', 'cwd', 'env')
_popen = subprocess.Popen.__init__
def _start(self, args, *more, **named):
    try:
        given = dict(zip(_ARGUMENTS, more), **named)
        env = {os.fsdecode(name): os.fsdecode(value) for name, value in dict(os.environ if given.get('env') is None else given['env']).items()}
        words = [args] if isinstance(args, (str, bytes, os.PathLike)) else list(args)
        if given.get('shell'): words = ['sh', '-c', os.fsdecode(words[0])]
        if given.get('executable'): words[0] = given['executable']
        _note(_outside(words, env, os.fspath(given.get('cwd') or os.getcwd())))
        if not any(_elsewhere['node'] in str(word) for word in words):
            env['NODE_OPTIONS'] = ' '.join(one for one in (_without(env.get('NODE_OPTIONS'), _node_option, ' '), _node_option) if one)
        env['PYTHONPATH'] = ':'.join(one for one in (_elsewhere['python'], _without(env.get('PYTHONPATH'), _elsewhere['python'], ':')) if one)
        more, named = more[:9], dict(zip(_ARGUMENTS[9:], more[9:10]), **named)
        named['env'] = env
    except Exception: pass
    return _popen(self, args, *more, **named)
subprocess.Popen.__init__ = _start
def _noted(real, name):
    def start(*given, **named):
        _note([name])
        return real(*given, **named)
    return start
for _name in ('system', 'posix_spawn', 'posix_spawnp'):
    if hasattr(os, _name): setattr(os, _name, _noted(getattr(os, _name), 'sh' if _name == 'system' else _name))`;

/** What this file stands in front of is loaded after it. */
const NEXT_SITE = `sys.path[:] = [one for one in sys.path if one != _elsewhere['python']]
_own = sys.modules.pop('sitecustomize', None)
try: import sitecustomize
except ImportError: pass
sys.modules.setdefault('sitecustomize', _own)
`;
