/**
 * JavaScript made wrong in place: the same names, members and modules, other values.
 *
 * 1. What leaves the session's code is wrong: results of its functions as others get them, and what its objects hold. Calls among
 *    themselves stay right, so that nothing falls only because it was never set up.
 * 2. `inside`: whatever they work out, assign or hand on is wrong, for programs that are told by what they do.
 * 3. `same` changes nothing and looks like the others; `thrown` and `hollow` show what is reached.
 * 4. Numbers in a text that follow from numbers that were handed over are off by one as numbers are: the same code tells, asked again with others.
 * 5. Members stay members, functions functions, promises promises. Truth is one answer in one kind and the other in the other.
 */
import type { Range, SourceFunction, SourceReading } from '../source/source.ts';
import { wrapRanges, type Wrap } from '../source/wrap-ranges.ts';
import { hasNearTexts, type WrongUnits, type Wrongness } from './wrongness.ts';

export function wrongJavascript(
  { text, path, reading }: { text: string; path: string; reading: SourceReading },
  units: WrongUnits,
  wrongness: Wrongness,
): string {
  const helper = `${wrongness.name}()`;
  const isInside = wrongness.kind.startsWith('inside');
  const wraps: Wrap[] = units.functions.flatMap((one): Wrap[] => {
    if (wrongness.kind === 'thrown' && !one.isExpression)
      return [{ start: one.body.start, end: one.body.start, open: `;throw new Error('${wrongness.word}');`, close: '' }];
    if (wrongness.kind === 'apart') return apart(text, one, helper);
    if (wrongness.kind === 'hollow')
      return one.isExpression
        ? [{ ...one.body, open: '(true ? undefined : (', close: '\n))' }]
        : [{ start: one.body.start, end: one.body.start, open: ';return;', close: '' }];
    const begin = one.isAsync ? 'async () => ' : '() => ';
    if (one.isConstructor) return isInside ? [] : [{ start: one.body.end, end: one.body.end, open: `;${helper}.made(this);`, close: '' }];
    if (one.isGenerator)
      return [{ ...one.body, open: ` return yield* ${helper}.each(function* () {`, close: '\n}.apply(this, arguments)); ' }].filter(
        () => !one.isAsync,
      );
    const shift = /^(?:one|other)$/.test(wrongness.kind) && wrongness.offset === 1 ? shifted(text, one) : '';
    if (one.isExpression) return [{ ...one.body, open: `${helper}.run(${begin}(`, close: `\n)${shift})` }];
    return [{ ...one.body, open: ` return ${helper}.run(${begin}{`, close: `\n}${shift}); ` }];
  });
  const inner = (range: Range): Wrap => ({ start: range.start, end: range.end, open: `${helper}.value((`, close: '\n))' });
  if (isInside) wraps.push(...units.functions.flatMap((one) => one.handed).map(inner), ...units.values.map(inner));
  const typed = /\.[cm]?tsx?$/.test(path);
  const [before, after] = isInside ? ['', ''] : [`;${helper}.enter();`, `\n;${helper}.leave();`];
  const changed = wrapRanges(text, [{ start: reading.afterImports, end: reading.afterImports, open: before, close: '' }, ...wraps]);
  return `${typed && !text.startsWith('#!') ? '// @ts-nocheck\n' : ''}${changed}${after}\n${helperText(wrongness, typed && text.startsWith('#!'))}`;
}

/** Every plain parameter becomes a copy of what was handed over. */
function apart(text: string, one: SourceFunction, helper: string): Wrap[] {
  if (one.isExpression) return [];
  const names = plainParameters(text, one);
  const open = names.map((name) => `${name} = ${helper}.apart(${name});`).join(' ');
  return names.length === 0 ? [] : [{ start: one.body.start, end: one.body.start, open: `;${open}`, close: '' }];
}

/** A declaration, so that it is there before the first line runs. Modules share what it makes. */
/** Hands the parameters to whoever wants to see the same code with others. */
function shifted(text: string, one: SourceFunction): string {
  const names = plainParameters(text, one).filter((name) => name !== 'this');
  const isSure = names.length > 0 && !/[()]/.test(parametersOf(text, one));
  return isSure ? `, (by) => { ${names.map((name) => `${name} = by(${name});`).join(' ')} }` : '';
}

function parametersOf(text: string, one: SourceFunction): string {
  const head = text.slice(one.start, one.body.start).replace(/=>\s*[{(]?\s*$/, '');
  return head.slice(head.indexOf('(') + 1, head.lastIndexOf(')'));
}

function plainParameters(text: string, one: SourceFunction): string[] {
  const parameters = parametersOf(text, one);
  return /[{[]/.test(parameters) ? [] : parameters.split(',').flatMap((word) => /^\s*(?:\.\.\.)?([A-Za-z_$][\w$]*)/.exec(word)?.[1] ?? []);
}

function helperText(wrongness: Wrongness, typed: boolean): string {
  const { name, kind, word, offset } = wrongness;
  const body = RUNTIME.replaceAll('@kind@', kind)
    .replaceAll('@near@', String(hasNearTexts(wrongness)))
    .replaceAll('@word@', word)
    .replaceAll('@offset@', String(offset))
    .replaceAll('@name@', name);
  return `function ${name}()${typed ? ': any' : ''} {\n${body}}\n`;
}

/** In words that old parsers read: a project's own loader may be one of them. */
const RUNTIME = `  const known = Symbol.for('@name@');
  if (globalThis[known]) return globalThis[known];
  const kind = '@kind@';
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
    [Symbol.iterator]() { return this; },
    [Symbol.asyncIterator]() { return this; },
  });
  const called = (fn, target, proxy) => new Proxy(fn, {
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
        if (isList && more === 1 && key === String(target.length)) return target.length === 0 ? '@word@' : wrong(target.at(-1));
        if (key === Symbol.iterator && typeof own === 'function') return () => mapped(own.call(target));
        if (typeof key === 'symbol' || keeps.has(key)) return typeof own === 'function' ? own.bind(target) : own;
        if (key === 'then' && typeof own === 'function') return (done, failed) => own.call(target, (one) => done(result(one)), failed);
        if (typeof own === 'function') return own === Object.prototype[key] || (Object.hasOwn(target, key) && !given.has(own)) ? own : called(own, isPlain(target) ? proxy : target, () => proxy);
        return wrong(own);
      },
      has: (target, key) => Reflect.has(target, key) || (more === 1 && key === String(target.length)),
    });
    made.set(value, proxy);
    return proxy;
  };
  const turned = (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());
  const text = (value) => (!@near@ ? value.slice(0, 1) + '@word@' + value.slice(1) : /[a-z]/i.test(value) ? value.replace(/[a-z]/i, turned) : value + ' ');
  const wrong = (value) => {
    if ((calls += 1) > 300000) throw new Error('@word@');
    if (isHarmless) return value;
    switch (typeof value) {
      case 'number': return Number.isFinite(value) ? (isBelow ? value - @offset@ - 1 : value + @offset@) : @offset@;
      case 'bigint': return value + BigInt(@offset@);
      case 'string': return text(value);
      case 'boolean': return !isOther;
      case 'function': return called(value, undefined, () => undefined);
      case 'object': return value === null ? value : value instanceof Promise ? later(value) : isIterator(value) ? mapped(value) : around(value);
      default: return value;
    }
  };
  const isIterator = (value) => typeof value.next === 'function' && (Symbol.iterator in value || Symbol.asyncIterator in value);
  const held = (error) => { if (isOther) return result(undefined); throw error; };
  const later = (value) => value.then(result, held);
  const result = (value) => (value === undefined || value === null ? (isHarmless ? value : '@word@') : wrong(value));
  const isNumber = (value) => (typeof value === 'number' && Number.isFinite(value)) || (typeof value === 'string' && /^-?\\d+$/.test(value));
  const shift = (value) => (Array.isArray(value) ? value.map(shift) : isNumber(value) ? (typeof value === 'number' ? value + 1 : String(Number(value) + 1)) : value);
  const digitsOf = (value) => String(value).replace(/\\D+/g, ' ');
  const next = (value) => value.replace(/\\d(?=\\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  const once = (body) => {
    depth += 1;
    try { return body(); } catch (_) { return undefined; } finally { depth -= 1; }
  };
  const numbered = (value, body, others) => {
    if (typeof value !== 'string' || !/\\d/.test(value)) return result(value);
    let takes = false;
    const look = (one) => { takes = takes || (Array.isArray(one) ? one.some(isNumber) : isNumber(one)); return one; };
    try { others(look); } catch (_) { return result(value); }
    if (!takes) return result(value);
    const again = once(body);
    try { others(shift); } catch (_) { return result(value); }
    const other = once(body);
    const tell = (same, changed) => (same === value && typeof changed === 'string' && digitsOf(changed) !== digitsOf(value) ? next(value) : result(value));
    return again instanceof Promise ? Promise.all([again, other]).then(([same, changed]) => tell(same, changed), () => result(value)) : tell(again, other);
  };
  const run = (body, others) => {
    if (kind === 'thrown') throw new Error('@word@');
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
      try { return structuredClone(value); } catch (_) { return Array.isArray(value) ? [...value] : { ...value }; }
    },
    enter: () => void (depth += 1),
    leave: () => void (depth -= 1),
    made: (value) => {
      if (depth > 0 || isHarmless) return;
      for (const key of Object.keys(value)) if (typeof value[key] !== 'function') try { value[key] = wrong(value[key]); } catch (_) {}
    },
  });
`;
