// Behind `settings`. Every way to start a process leads through these two, each with the whole environment as a list.
const { appendFileSync, closeSync, openSync, readSync, statSync } = require('node:fs');
const { basename, join, resolve } = require('node:path');
const { ChildProcess } = require('node:child_process');
const threads = require('node:worker_threads');
const option = '--require=' + JSON.stringify(settings.node);
const without = (text, part, mark) => (mark + (text ?? '') + mark).replace(mark + part + mark, mark).slice(1, -1);
for (const [name, part, mark] of [
  ['NODE_OPTIONS', option, ' '],
  ['PYTHONPATH', settings.python, ':'],
]) {
  const left = without(process.env[name], part, mark);
  if (process.env[name]?.includes(part)) {
    if (left === '') delete process.env[name];
    else process.env[name] = left;
  }
}
const nodeOptions = (now) => [without(now, option, ' '), option].filter(Boolean).join(' ');
const handed = (pairs, args) => {
  const env = new Map((pairs ?? []).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  if (!args.some((word) => String(word).includes(settings.node))) env.set('NODE_OPTIONS', nodeOptions(env.get('NODE_OPTIONS')));
  env.set('PYTHONPATH', [settings.python, without(env.get('PYTHONPATH'), settings.python, ':')].filter(Boolean).join(':'));
  return [...env].map(([name, value]) => name + '=' + value);
};
const TIMELESS = /^(?:given_timeless)$/;
const NODE_OR_PYTHON = /^(?:node|nodejs|python[\d.]*|pypy[\d.]*)$/;
const firstLine = (path) => {
  let file;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.alloc(200);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, 200, 0)).split('\n')[0];
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
};
const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
const placeOf = (file, { cwd, path }) =>
  file.includes('/')
    ? resolve(cwd, file)
    : path
        .split(':')
        .map((folder) => join(folder, file))
        .find(isFile);
const outside = (file, args, at) => {
  const name = basename(file);
  if (file === process.execPath || NODE_OR_PYTHON.test(name) || TIMELESS.test(name)) return [];
  if (/^(?:ba|da|z|k)?sh$/.test(name) && /^-\w*c$/.test(args[1] ?? '')) return inShell(String(args[2] ?? ''), at);
  const place = placeOf(file, at);
  if (place === undefined || /\/node_modules\/(?:.*\/)?\.bin\//.test(place)) return [];
  return /^#!.*\b(?:node|python)/.test(firstLine(place)) ? [] : [name];
};
const inShell = (command, at) => {
  if (/[`]|\$\(/.test(command)) return ['sh'];
  const parts = command.replace(/"[^"]*"|'[^']*'/g, (one) => one.replace(/[;&|\n]/g, '_')).split(/[;&|\n]+/);
  return parts.flatMap((part) => {
    const words =
      /^[\s({]*(?:(?:exec|env|time)\s+)*(?:\w+=(?:"[^"]*"|'[^']*'|\S*)\s+)*(?:"([^"]*)"|'([^']*)'|([^\s)}]+))?/.exec(part) ?? [];
    const word = words[1] ?? words[2] ?? words[3] ?? ':';
    return word.includes('$') ? ['sh'] : outside(word, [], at);
  });
};
const OF_RUNNER =
  /\/node_modules\/(?:mocha|jest[\w-]*|@jest|vitest|@vitest|vite|vite-node|esbuild|tinypool|ava|jasmine[\w-]*|fb-watchman)\//;
const isOfRunner = () => {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = undefined;
  const lines = String(new Error().stack)
    .split('\n')
    .slice(1)
    .filter((line) => !line.includes(settings.node) && !line.includes('node:') && !line.endsWith('(<anonymous>)'));
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  return OF_RUNNER.test(lines[0] ?? '');
};
const hand = (options) => {
  try {
    const { file, args = [], cwd, envPairs } = options;
    const path = (envPairs ?? []).find((pair) => pair.startsWith('PATH='))?.slice(5) ?? process.env.PATH ?? '';
    const names = outside(String(file), args, { cwd: String(cwd ?? process.cwd()), path });
    if (names.length > 0 && !isOfRunner()) appendFileSync(settings.started, names.join('\n') + '\n');
    options.envPairs = handed(envPairs, args);
  } catch {}
  return options;
};
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  return spawn.call(this, hand(options));
};
const { Worker } = threads;
const isOwn = (given) => (given.execArgv ?? []).some((word) => String(word).includes(settings.node));
const forThread = (given) =>
  given === undefined || (given.env === undefined && given.execArgv === undefined) || given.env === threads.SHARE_ENV || isOwn(given)
    ? given
    : { ...given, env: { ...(given.env ?? process.env), NODE_OPTIONS: nodeOptions((given.env ?? process.env).NODE_OPTIONS) } };
threads.Worker = new Proxy(Worker, {
  construct: (target, [file, given, ...more], made) =>
    Reflect.construct(target, [file, forThread(given), ...more], made === threads.Worker ? target : made),
});
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
