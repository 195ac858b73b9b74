/**
 * What code under test puts in the place of the language's own: members of built-in objects, timers, node's modules. They are remembered before any
 * code of the project is loaded, and looked at again when the test files are loaded and when the tests are done.
 *
 * 1. Only what was there counts: whoever adds a member replaces none. Plain values do not count, and neither do `process` and `console`, which
 *    runners replace.
 * 2. Who made the new member is told by where its code stands. A file of the project is named; '' is anybody else: a package, node itself, nobody.
 *    What a runner itself puts in place, for itself or because it was told to, is left out: code that asks it to is noticed by that.
 * 3. What is found is added to a file beside the report, line by line: runners have worlds, threads and processes of their own. Of each, the last line
 *    counts, and the one from when its files were loaded: what is put back between the two is the tests' own business.
 */
import type { Replaced } from '../../domain/verdict.ts';
import { isRecord, readLines, text } from './results.ts';
import type { PlanRequest } from './runner.ts';

/** The file beside the report. */
export function seenPath(reportPath: string): string {
  return `${reportPath}.seen`;
}

/** Statements of JavaScript: `looking.remember(world)` gives a function that looks again. */
export function lookingSource({ room, reportPath }: Pick<PlanRequest, 'room' | 'reportPath'>): string {
  return `const looking = (() => {
const builtin = (name) => process.getBuiltinModule?.(name) ?? process.mainModule?.require(name) ?? (typeof require === 'function' ? require(name) : undefined);
const { appendFileSync } = builtin('node:fs');
const inspector = builtin('node:inspector');
const { apply, getOwnPropertyDescriptor, ownKeys, deleteProperty, defineProperty } = Reflect;
const { stringify } = JSON;
const { startsWith, includes, slice, indexOf } = String.prototype;
const decode = decodeURIComponent;
const is = Object.is;
const text = String;
const room = ${JSON.stringify(`${room}/`)};
const SKIPPED = new Set(['process', 'console', 'global', 'globalThis', 'self', 'window', 'parent', 'top', 'frames', 'document', 'navigator', 'WebAssembly', 'require', 'module', 'exports']);
const MODULES = ['assert', 'assert/strict', 'buffer', 'child_process', 'crypto', 'events', 'fs', 'fs/promises', 'os', 'path', 'perf_hooks', 'querystring', 'string_decoder', 'timers', 'timers/promises', 'url', 'util', 'zlib'];
const isThing = (value) => typeof value === 'function' || (typeof value === 'object' && value !== null);
// Accessors of node's modules make a value of themselves as they are first read.
const membersOf = (label, holder, kept, parts = ['value', 'get', 'set']) => {
  for (const key of ownKeys(holder)) {
    const found = getOwnPropertyDescriptor(holder, key);
    for (const part of parts) if (isThing(found?.[part])) kept.push({ what: label + text(key), holder, key, part, old: found[part] });
  }
};
const inWorld = (world, kept) => {
  const all = [];
  membersOf('', world, all);
  for (const one of all) {
    if (typeof one.key !== 'string' || one.part !== 'value' || SKIPPED.has(one.key)) continue;
    kept.push(one);
    const inner = [[one.what, one.old]];
    if (one.key === 'Intl') for (const name of ownKeys(one.old)) if (typeof one.old[name] === 'function') inner.push(['Intl.' + text(name), one.old[name]]);
    for (const [label, value] of inner) {
      membersOf(label + '.', value, kept);
      if (typeof value === 'function' && isThing(value.prototype)) membersOf(label + '.prototype.', value.prototype, kept);
    }
  }
  try { membersOf('performance.', world.performance.constructor.prototype, kept); } catch {}
};
const inModules = (kept) => {
  for (const name of MODULES) {
    const module = builtin('node:' + name);
    if (isThing(module)) membersOf('node:' + name + '.', module, kept, ['value']);
    if (name === 'fs' || name === 'util') continue;
    for (const [key, value] of isThing(module) ? Object.entries(module) : []) if (typeof value === 'function' && isThing(value.prototype)) membersOf('node:' + name + '.' + key + '.prototype.', value.prototype, kept);
  }
};
const replacedIn = (kept) => {
  const found = [];
  for (const one of kept) {
    const now = getOwnPropertyDescriptor(one.holder, one.key);
    if (!is(now?.[one.part], one.old)) found.push({ what: one.what, now: now?.value ?? now?.get ?? now?.set });
  }
  return found;
};
const pathIn = (url) => {
  let path = url;
  if (apply(startsWith, path, ['file://'])) path = decode(apply(slice, path, [7]));
  for (const name of ['vitest', '@vitest', 'vite', 'vite-node', 'jest', '@jest', 'mocha']) if (apply(includes, path, ['/node_modules/' + name + '/'])) return null;
  if (apply(includes, path, ['/node_modules/jest-'])) return null;
  const end = apply(indexOf, path, ['?']);
  if (end > 0) path = apply(slice, path, [0, end]);
  return apply(startsWith, path, [room]) && !apply(includes, path, ['/node_modules/']) ? apply(slice, path, [room.length]) : '';
};
// Whose code stands behind a function: that of the text itself, of what it is bound to, or of a proxy's handler.
const madeBy = (found) => {
  const Session = inspector?.Session;
  if (Session === undefined) return found.map(() => '');
  const session = new Session();
  const scripts = new Map();
  const ask = (method, given) => { let answer; session.post(method, given, (error, result) => { answer = error ? undefined : result; }); return answer; };
  try {
    session.connect();
    session.on('Debugger.scriptParsed', ({ params }) => void scripts.set(params.scriptId, params.url));
    ask('Debugger.enable', {});
    const placeOf = (objectId, depth) => {
      const { internalProperties = [], result = [] } = ask('Runtime.getProperties', { objectId, ownProperties: true }) ?? {};
      for (const { name, value } of internalProperties) {
        if (name === '[[FunctionLocation]]') return pathIn(text(scripts.get(value?.value?.scriptId) ?? ''));
        if (depth < 4 && (name === '[[TargetFunction]]' || name === '[[Handler]]') && value?.objectId) { const place = placeOf(value.objectId, depth + 1); if (place) return place; }
      }
      for (const { value } of depth < 4 && !internalProperties.some(({ name }) => name === '[[FunctionLocation]]') ? result : []) if (value?.type === 'function' && value.objectId) { const place = placeOf(value.objectId, depth + 1); if (place) return place; }
      return '';
    };
    const name = 'held' + process.pid + process.hrtime().join('');
    return found.map(({ now }) => {
      if (!isThing(now)) return '';
      defineProperty(globalThis, name, { configurable: true, enumerable: false, value: now });
      try { const id = ask('Runtime.evaluate', { expression: 'globalThis.' + name, silent: true })?.result?.objectId; return id === undefined ? '' : placeOf(id, 0); }
      finally { deleteProperty(globalThis, name); }
    });
  } catch { return found.map(() => ''); }
  finally { try { session.disconnect(); } catch {} }
};
const { threadId } = builtin('node:worker_threads');
let worlds = 0;
const remember = (world) => {
  const kept = [];
  const name = process.pid + '-' + threadId + '-' + (worlds += 1);
  let last = '[]';
  let changes = 0;
  try { inWorld(world, kept); inModules(kept); } catch {}
  return (when) => {
    try {
      const replaced = replacedIn(kept).slice(0, 200);
      const now = stringify(replaced.map((one) => one.what));
      if (when === 'loaded' ? replaced.length === 0 : now === last || (changes += 1) > 500) return;
      if (when !== 'loaded') last = now;
      const makers = replaced.length === 0 ? [] : madeBy(replaced);
      appendFileSync(${JSON.stringify(seenPath(reportPath))}, stringify({ world: name + (when === 'loaded' ? '-loaded' : ''), found: replaced.map(({ what }, at) => ({ what, by: makers[at] })).filter((one) => one.by !== null) }) + '\\n');
    } catch {}
  };
};
return { builtin, remember };
})();
`;
}

/**
 * In every process and thread of a runner: at its messages where it sends any, around each world that jest makes, and as the process ends. A program
 * that a test starts has nobody's assertions in it.
 */
export const LOOK_IN_RUNNERS = `if (typeof isProgram === 'undefined' || !isProgram) {
const { builtin, remember } = looking;
const look = remember(globalThis);
let isWorld = false;
const isLoaded = (message) => {
  try {
    if (message === null || message === undefined) return false;
    if (message instanceof Uint8Array) return Buffer.from(message.buffer, message.byteOffset, message.byteLength).includes('onCollected');
    return message?.m === 'onCollected' || message?.message?.m === 'onCollected' || isLoaded(message?.message ?? message?.data ?? message?.r ?? null) === true;
  } catch { return false; }
};
const sent = (message) => void (isWorld || look(isLoaded(message) ? 'loaded' : 'sent'));
const { MessagePort, isMainThread } = builtin('node:worker_threads');
if (typeof process.send === 'function') {
  const send = process.send;
  process.send = function (message, ...more) { sent(message); return send.call(this, message, ...more); };
}
if (!isMainThread) {
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (message, ...more) { sent(message); return postMessage.call(this, message, ...more); };
}
process.on('exit', () => void (isWorld || look('end')));
const { Module } = builtin('node:module');
const load = Module._load;
const known = new WeakSet();
Module._load = function (...given) {
  const found = load.apply(this, given);
  try {
    const Made = found?.TestEnvironment ?? found?.default;
    if (typeof Made === 'function' && typeof Made.prototype?.getVmContext === 'function' && !known.has(Made.prototype)) {
      known.add(Made.prototype);
      const { setup, teardown } = Made.prototype;
      const looks = new WeakMap();
      Made.prototype.setup = async function (...all) {
        isWorld = true;
        const answer = await setup?.apply(this, all);
        const lookAgain = remember(this.global);
        looks.set(this, lookAgain);
        const heard = this.handleTestEvent;
        this.handleTestEvent = async function (event, ...rest) {
          if (event?.name === 'run_start') lookAgain('loaded');
          return heard?.call(this, event, ...rest);
        };
        return answer;
      };
      Made.prototype.teardown = async function (...all) {
        looks.get(this)?.('end');
        return teardown?.apply(this, all);
      };
    }
  } catch {}
  return found;
};
}
`;

/** Of each world what was last said; hostile input. */
export function readSeen(content: string): Replaced[] {
  const last = new Map<string, Record<string, unknown>>();
  for (const value of readLines(content).values) last.set(text(value['world']), value);
  const found = [...last.values()].flatMap((value) => (Array.isArray(value['found']) ? value['found'].filter(isRecord) : []));
  const each = new Map(found.map((one) => [`${text(one['what'])} ${text(one['by'])}`, { what: text(one['what']), by: text(one['by']) }]));
  return [...each.values()].filter((one) => one.what !== '').slice(0, MOST_SEEN);
}

const MOST_SEEN = 400;
