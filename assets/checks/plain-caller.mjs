// Behind `askBehind`: which assertions do not hold, by their numbers; see `plain-caller.ts`.
import { deepEqual } from 'node:assert';
import { writeSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
const looseEqual = deepEqual;
const { is } = Object;
const { stringify } = JSON;
const { abs } = Math;
const leave = process.reallyExit.bind(process);
const isLike = (left, right) => {
  if (isDeepStrictEqual(left, right) || stringify(left) === stringify(right)) return true;
  try {
    looseEqual(left, right);
    return true;
  } catch {
    return false;
  }
};
const WAYS = {
  is,
  loose: (left, right) => left == right,
  deep: isDeepStrictEqual,
  like: isLike,
  near: (left, [right, digits = 2]) => left === right || abs(left - right) < 10 ** -digits / 2,
  truth: (left) => !!left,
  yes: (left) => !!left && typeof left !== 'function',
};
const isForeign = (error) =>
  error instanceof ReferenceError || error instanceof SyntaxError || /^(?:ERR_|MODULE_NOT_FOUND)/.test(String(error?.code));
const { getPrototypeOf, getOwnPropertyDescriptors, entries } = Object;
const now = performance.now.bind(performance);
const isObject = (value) => value !== null && typeof value === 'object';
const shown = (value) =>
  entries(getOwnPropertyDescriptors(getPrototypeOf(value) ?? {}))
    .filter(([name, { get }]) => get !== undefined && name !== '__proto__')
    .map(([name]) => name);
const showsTheSame = (left, right) =>
  !isObject(left) ||
  !isObject(right) ||
  getPrototypeOf(left) !== getPrototypeOf(right) ||
  shown(left).every((name) => {
    try {
      return isLike(left[name], right[name]);
    } catch {
      return true;
    }
  });
const agree = (way, one, other, isAccepted) => WAYS[way](one, other) && (!isAccepted || !/deep|like/.test(way) || showsTheSame(one, other));
const off = [];
const accepted = [];
const all = [];
const asks = (number) => writeSync(3, 'given_word@' + number + '\n');
let at = 0;
for (const [file, count] of given_files) {
  let calls = [];
  asks(at);
  try {
    calls = (await import(file)).default;
  } catch (error) {
    if (!isForeign(error)) for (let one = 0; one < count; one += 1) off.push(at + one);
  }
  // Called from here and not by a separate function: how many callers there are is a mark too.
  for (const [one, call] of calls.entries()) {
    const [way, left, right, isAccepted] = call;
    all.push([at + one, call]);
    if (one > 0) asks(at + one);
    try {
      if (!agree(way, await left(), await right(), isAccepted)) off.push(at + one);
      else if (isAccepted) accepted.push([at + one, call]);
    } catch (error) {
      if (!isForeign(error)) off.push(at + one);
    }
  }
  at += count;
}
const begin = now();
for (let round = 0; accepted.length > 0 && round < given_rounds && now() < begin + given_longest_ms; round += 1) {
  while (now() < begin + (round * given_again_ms) / given_rounds);
  for (const [number, [way, left, right]] of accepted) {
    if (now() >= begin + given_longest_ms || off.includes(number)) continue;
    try {
      if (!agree(way, await left(), await right(), true)) off.push(number);
    } catch (error) {
      if (!isForeign(error)) off.push(number);
    }
  }
}
writeSync(3, 'given_word' + stringify(off) + '\n');
await askBehind(given_numbers);
// In the same process: what code keeps from when it was loaded stays.
const elsewhere = given_elsewhere;
if (elsewhere !== null) {
  Object.assign(process.env, { TZ: elsewhere.zone, LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' });
  process.chdir(process.env.TMPDIR ?? '/');
  const there = [];
  for (const [number, [way, left, right, isAccepted]] of all) {
    try {
      if (!agree(way, await left(), await right(), isAccepted)) there.push(number);
    } catch (error) {
      if (!isForeign(error)) there.push(number);
    }
  }
  writeSync(3, elsewhere.word + stringify(there) + '\n');
}
leave(0);
