// `looking.remember(world)` gives a function that looks again.
const looking = (() => {
  const builtin = (name) =>
    process.getBuiltinModule?.(name) ?? process.mainModule?.require(name) ?? (typeof require === 'function' ? require(name) : undefined);
  const { appendFileSync } = builtin('node:fs');
  const inspector = builtin('node:inspector');
  const { apply, getOwnPropertyDescriptor, ownKeys, deleteProperty, defineProperty } = Reflect;
  const { stringify } = JSON;
  const { startsWith, includes, slice, indexOf } = String.prototype;
  const decode = decodeURIComponent;
  const is = Object.is;
  const text = String;
  const room = given_room;
  const SKIPPED = new Set([
    'process',
    'console',
    'global',
    'globalThis',
    'self',
    'window',
    'parent',
    'top',
    'frames',
    'document',
    'navigator',
    'WebAssembly',
    'require',
    'module',
    'exports',
  ]);
  const MODULES = [
    'assert',
    'assert/strict',
    'buffer',
    'child_process',
    'crypto',
    'events',
    'fs',
    'fs/promises',
    'os',
    'path',
    'perf_hooks',
    'querystring',
    'string_decoder',
    'timers',
    'timers/promises',
    'url',
    'util',
    'zlib',
  ];
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
      if (one.key === 'Intl')
        for (const name of ownKeys(one.old)) if (typeof one.old[name] === 'function') inner.push(['Intl.' + text(name), one.old[name]]);
      for (const [label, value] of inner) {
        membersOf(label + '.', value, kept);
        if (typeof value === 'function' && isThing(value.prototype)) membersOf(label + '.prototype.', value.prototype, kept);
      }
    }
    try {
      membersOf('performance.', world.performance.constructor.prototype, kept);
    } catch {}
  };
  const inModules = (kept) => {
    for (const name of MODULES) {
      const module = builtin('node:' + name);
      if (isThing(module)) membersOf('node:' + name + '.', module, kept, ['value']);
      if (name === 'fs' || name === 'util') continue;
      for (const [key, value] of isThing(module) ? Object.entries(module) : [])
        if (typeof value === 'function' && isThing(value.prototype))
          membersOf('node:' + name + '.' + key + '.prototype.', value.prototype, kept);
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
    for (const name of ['vitest', '@vitest', 'vite', 'vite-node', 'jest', '@jest', 'mocha'])
      if (apply(includes, path, ['/node_modules/' + name + '/'])) return null;
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
    const ask = (method, given) => {
      let answer;
      session.post(method, given, (error, result) => {
        answer = error ? undefined : result;
      });
      return answer;
    };
    try {
      session.connect();
      session.on('Debugger.scriptParsed', ({ params }) => void scripts.set(params.scriptId, params.url));
      ask('Debugger.enable', {});
      const placeOf = (objectId, depth) => {
        const { internalProperties = [], result = [] } = ask('Runtime.getProperties', { objectId, ownProperties: true }) ?? {};
        for (const { name, value } of internalProperties) {
          if (name === '[[FunctionLocation]]') return pathIn(text(scripts.get(value?.value?.scriptId) ?? ''));
          if (depth < 4 && (name === '[[TargetFunction]]' || name === '[[Handler]]') && value?.objectId) {
            const place = placeOf(value.objectId, depth + 1);
            if (place) return place;
          }
        }
        for (const { value } of depth < 4 && !internalProperties.some(({ name }) => name === '[[FunctionLocation]]') ? result : [])
          if (value?.type === 'function' && value.objectId) {
            const place = placeOf(value.objectId, depth + 1);
            if (place) return place;
          }
        return '';
      };
      const name = 'held' + process.pid + process.hrtime().join('');
      return found.map(({ now }) => {
        if (!isThing(now)) return '';
        defineProperty(globalThis, name, { configurable: true, enumerable: false, value: now });
        try {
          const id = ask('Runtime.evaluate', { expression: 'globalThis.' + name, silent: true })?.result?.objectId;
          return id === undefined ? '' : placeOf(id, 0);
        } finally {
          deleteProperty(globalThis, name);
        }
      });
    } catch {
      return found.map(() => '');
    } finally {
      try {
        session.disconnect();
      } catch {}
    }
  };
  const { threadId } = builtin('node:worker_threads');
  let worlds = 0;
  const remember = (world) => {
    const kept = [];
    const name = process.pid + '-' + threadId + '-' + (worlds += 1);
    let last = '[]';
    let changes = 0;
    try {
      inWorld(world, kept);
      inModules(kept);
    } catch {}
    return (when) => {
      try {
        const replaced = replacedIn(kept).slice(0, 200);
        const now = stringify(replaced.map((one) => one.what));
        if (when === 'loaded' ? replaced.length === 0 : now === last || (changes += 1) > 500) return;
        if (when !== 'loaded') last = now;
        const makers = replaced.length === 0 ? [] : madeBy(replaced);
        appendFileSync(
          given_seen,
          stringify({
            world: name + (when === 'loaded' ? '-loaded' : ''),
            found: replaced.map(({ what }, at) => ({ what, by: makers[at] })).filter((one) => one.by !== null),
          }) + '\n',
        );
      } catch {}
    };
  };
  return { builtin, remember };
})();
