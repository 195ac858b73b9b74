// In words that old parsers read: a project's own loader may be one of them.
function given_name() {
  const known = Symbol.for('given_name');
  if (globalThis[known]) return globalThis[known];
  const kind = 'given_kind';
  const isInside = kind.startsWith('inside');
  const isHarmless = kind === 'same' || kind === 'thrown' || kind === 'hollow' || kind === 'apart';
  const isOther = kind === 'other';
  const isBelow = kind.endsWith('other');
  const keeps = new Set(['$$typeof', 'type', 'key', 'ref', '_owner', '_store', 'constructor', 'prototype', 'has', 'stack', '__esModule']);
  const made = new WeakMap();
  let depth = 0;
  let calls = 0;
  const isPlain = (value) => [Object.prototype, null].includes(Object.getPrototypeOf(value)) || Array.isArray(value);
  const mapped = (iterator) => ({
    next: (...args) => {
      const step = iterator.next(...args);
      const turn = (one) => (one.done ? one : { done: false, value: wrong(one.value) });
      return step && typeof step.then === 'function' ? step.then(turn) : turn(step);
    },
    return: (value) => (iterator.return ? iterator.return(value) : undefined) || { done: true, value },
    throw: (error) => iterator.throw(error),
    [Symbol.iterator]() {
      return this;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  });
  const called = (fn, target, proxy) =>
    new Proxy(fn, {
      apply: (own, self, args) => result(Reflect.apply(own, self === proxy() ? target : self, args)),
    });
  const around = (value) => {
    if (made.has(value)) return made.get(value);
    if (Object.isFrozen(value)) {
      if (!isPlain(value)) return value;
      const copy = Array.isArray(value) ? [...value] : { ...value };
      made.set(value, around(copy));
      return made.get(value);
    }
    const isList = Array.isArray(value);
    const more = isList && !isOther ? 1 : 0;
    const given = new Set(Object.values(value).filter((one) => typeof one === 'function'));
    const proxy = new Proxy(value, {
      get: (target, key, receiver) => {
        const own = Reflect.get(target, key, isPlain(target) ? receiver : target);
        if (isList && (typeof key === 'symbol' || typeof own === 'function')) return own;
        if (isList && key === 'length') return own + more;
        if (isList && more === 1 && key === String(target.length)) return target.length === 0 ? 'given_word' : wrong(target.at(-1));
        if (key === Symbol.iterator && typeof own === 'function') return () => mapped(own.call(target));
        if (typeof key === 'symbol' || keeps.has(key)) return typeof own === 'function' ? own.bind(target) : own;
        if (key === 'then' && typeof own === 'function') return (done, failed) => own.call(target, (one) => done(result(one)), failed);
        if (typeof own === 'function')
          return own === Object.prototype[key] || (Object.hasOwn(target, key) && !given.has(own))
            ? own
            : called(own, isPlain(target) ? proxy : target, () => proxy);
        return wrong(own);
      },
      has: (target, key) => Reflect.has(target, key) || (more === 1 && key === String(target.length)),
    });
    made.set(value, proxy);
    return proxy;
  };
  const turned = (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());
  const text = (value) =>
    !given_near ? value.slice(0, 1) + 'given_word' + value.slice(1) : /[a-z]/i.test(value) ? value.replace(/[a-z]/i, turned) : value + ' ';
  const wrong = (value) => {
    if ((calls += 1) > 300000) throw new Error('given_word');
    if (isHarmless) return value;
    switch (typeof value) {
      case 'number':
        return Number.isFinite(value) ? (isBelow ? value - given_offset - 1 : value + given_offset) : given_offset;
      case 'bigint':
        return value + BigInt(given_offset);
      case 'string':
        return text(value);
      case 'boolean':
        return !isOther;
      case 'function':
        return called(value, undefined, () => undefined);
      case 'object':
        return value === null ? value : value instanceof Promise ? later(value) : isIterator(value) ? mapped(value) : around(value);
      default:
        return value;
    }
  };
  const isIterator = (value) => typeof value.next === 'function' && (Symbol.iterator in value || Symbol.asyncIterator in value);
  const held = (error) => {
    if (isOther) return result(undefined);
    throw error;
  };
  const later = (value) => value.then(result, held);
  const result = (value) => (value === undefined || value === null ? (isHarmless ? value : 'given_word') : wrong(value));
  const isNumber = (value) => (typeof value === 'number' && Number.isFinite(value)) || (typeof value === 'string' && /^-?\d+$/.test(value));
  const shift = (value) =>
    Array.isArray(value) ? value.map(shift) : isNumber(value) ? (typeof value === 'number' ? value + 1 : String(Number(value) + 1)) : value;
  const digitsOf = (value) => String(value).replace(/\D+/g, ' ');
  const next = (value) => value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  const once = (body) => {
    depth += 1;
    try {
      return body();
    } catch (_) {
      return undefined;
    } finally {
      depth -= 1;
    }
  };
  const numbered = (value, body, others) => {
    if (typeof value !== 'string' || !/\d/.test(value)) return result(value);
    let takes = false;
    const look = (one) => {
      takes = takes || (Array.isArray(one) ? one.some(isNumber) : isNumber(one));
      return one;
    };
    try {
      others(look);
    } catch (_) {
      return result(value);
    }
    if (!takes) return result(value);
    const again = once(body);
    try {
      others(shift);
    } catch (_) {
      return result(value);
    }
    const other = once(body);
    const tell = (same, changed) =>
      same === value && typeof changed === 'string' && digitsOf(changed) !== digitsOf(value) ? next(value) : result(value);
    return again instanceof Promise
      ? Promise.all([again, other]).then(
          ([same, changed]) => tell(same, changed),
          () => result(value),
        )
      : tell(again, other);
  };
  const run = (body, others) => {
    if (kind === 'thrown') throw new Error('given_word');
    const isOutside = depth === 0 || isInside;
    depth += 1;
    let value;
    try {
      value = body();
    } catch (error) {
      if (!isOutside || !isOther) throw error;
    } finally {
      depth -= 1;
    }
    if (!isOutside) return value;
    if (others === undefined) return result(value);
    return value instanceof Promise ? value.then((one) => numbered(one, body, others), held) : numbered(value, body, others);
  };
  return (globalThis[known] = {
    run,
    each: (iterator) => (depth === 0 || isInside ? mapped(iterator) : iterator),
    value: (value) => wrong(value),
    apart: (value) => {
      if (typeof value === 'function') return () => undefined;
      if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
      try {
        return structuredClone(value);
      } catch (_) {
        return Array.isArray(value) ? [...value] : { ...value };
      }
    },
    enter: () => void (depth += 1),
    leave: () => void (depth -= 1),
    made: (value) => {
      if (depth > 0 || isHarmless) return;
      for (const key of Object.keys(value))
        if (typeof value[key] !== 'function')
          try {
            value[key] = wrong(value[key]);
          } catch (_) {}
    },
  });
}
