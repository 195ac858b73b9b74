/**
 * Programs that ask the code of a project the way its users do: without a runner, its assertions or anything of the harness in the process. They
 * tell which of the assertions do not hold there, by their numbers behind a word that is made for the run, to the third file that they are given.
 *
 * 1. Assertions of one test file are a part of their own, with the names that the file has. What cannot be loaded outside of a runner (another
 *    language, another way to find modules) says nothing.
 * 2. What comparisons need is taken before any code of the project is loaded. In Python, texts, numbers, lists and records that bring an equality of
 *    their own also have to be equal as what they are, and whatever is of the expected value's kind also by the equality of that kind. Lists may be in
 *    another order where a new test itself says so, by more than one.
 * 3. Accepted assertions are asked many times, and two things that a class of the product calls equal have to show the same: the base tells what
 *    was so before.
 * 4. Where a yes is asked for, a function is none, and a promise is what it comes to: both hold whatever they would say.
 * 5. Which one is asked is told before: code that never comes back outside of tests is off there too.
 */
import type { Language } from '../source/source.ts';
import type { PlainAssertion } from '../source/plain-assertions.ts';

/** For so long, and so often, accepted assertions are asked again: what minds the moment, or counts its calls, is off at some time. */
const AGAIN_MS = 20;
const ROUNDS = 100;
/** Slow code, or a busy machine: then less often. */
const LONGEST_MS = 500;

export interface PlainProgram {
  /** The file that is started. */
  path: string;
  files: { path: string; content: string }[];
}

/** A program that is loaded first, so that it takes what it needs in time, and asks in the same process when all is told. */
export interface AskedBehind {
  path: string;
  numbers: readonly string[];
}

interface Called {
  word: string;
  name: string;
  /** Accepted assertions are asked once like all others. */
  isOnce?: boolean;
  behind?: AskedBehind | null;
  /** Where all is told, everything is asked once more in this time zone and another folder, and told behind this word. */
  elsewhere?: { word: string; zone: string } | null;
}

type Parts = readonly (readonly PlainAssertion[])[];

/** `parts`: assertions of one test file each, numbered through all of them. */
export function plainProgram(language: Language, parts: Parts, called: Called): PlainProgram {
  return language === 'python' ? inPython(parts, called) : inScript(parts, called);
}

function inScript(parts: Parts, { word, name, isOnce = false, behind = null, elsewhere = null }: Called): PlainProgram {
  const files = parts.map((calls, index) => {
    const loads = [...new Set(calls.flatMap((call) => call.loads))];
    const isModule = loads.some((one) => one.startsWith('import'));
    const rows = calls.map(
      ({ compares, left, right, isAccepted = false }) =>
        `  ['${compares}', async () => (${left}), async () => (${right || 'true'}), ${isAccepted}],`,
    );
    const given = isModule ? 'export default [' : 'module.exports = [';
    return { path: `${name}-${index + 1}.${isModule ? 'mjs' : 'cjs'}`, content: `${[...loads, given, ...rows, '];'].join('\n')}\n` };
  });
  const main = `${behind === null ? '' : `import { ask as askBehind } from './${behind.path}';\n`}import { deepEqual } from 'node:assert';
import { writeSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
const looseEqual = deepEqual;
const { is } = Object;
const { stringify } = JSON;
const { abs } = Math;
const leave = process.reallyExit.bind(process);
const isLike = (left, right) => {
  if (isDeepStrictEqual(left, right) || stringify(left) === stringify(right)) return true;
  try { looseEqual(left, right); return true; } catch { return false; }
};
const WAYS = { is, loose: (left, right) => left == right, deep: isDeepStrictEqual, like: isLike, near: (left, [right, digits = 2]) => left === right || abs(left - right) < 10 ** -digits / 2, truth: (left) => !!left, yes: (left) => !!left && typeof left !== 'function' };
const isForeign = (error) => error instanceof ReferenceError || error instanceof SyntaxError || /^(?:ERR_|MODULE_NOT_FOUND)/.test(String(error?.code));
const { getPrototypeOf, getOwnPropertyDescriptors, entries } = Object;
const now = performance.now.bind(performance);
const isObject = (value) => value !== null && typeof value === 'object';
const shown = (value) => entries(getOwnPropertyDescriptors(getPrototypeOf(value) ?? {})).filter(([name, { get }]) => get !== undefined && name !== '__proto__').map(([name]) => name);
const showsTheSame = (left, right) =>
  !isObject(left) || !isObject(right) || getPrototypeOf(left) !== getPrototypeOf(right) || shown(left).every((name) => { try { return isLike(left[name], right[name]); } catch { return true; } });
const agree = (way, one, other, isAccepted) => WAYS[way](one, other) && (!isAccepted || !/deep|like/.test(way) || showsTheSame(one, other));
const off = [];
const accepted = [];
const all = [];
const asks = (number) => writeSync(3, '${word}@' + number + '\\n');
let at = 0;
for (const [file, count] of ${JSON.stringify(files.map((file, index) => [`./${file.path}`, parts[index]!.length]))}) {
  let calls = [];
  asks(at);
  try { calls = (await import(file)).default; }
  catch (error) { if (!isForeign(error)) for (let one = 0; one < count; one += 1) off.push(at + one); }
  // Called from here and not by a separate function: how many callers there are is a mark too.
  for (const [one, call] of calls.entries()) {
    const [way, left, right, isAccepted] = call;
    all.push([at + one, call]);
    if (one > 0) asks(at + one);
    try {
      if (!agree(way, await left(), await right(), isAccepted)) off.push(at + one);
      else if (isAccepted) accepted.push([at + one, call]);
    } catch (error) { if (!isForeign(error)) off.push(at + one); }
  }
  at += count;
}
const begin = now();
for (let round = 0; accepted.length > 0 && round < ${isOnce ? 0 : ROUNDS} && now() < begin + ${LONGEST_MS}; round += 1) {
  while (now() < begin + (round * ${AGAIN_MS}) / ${ROUNDS});
  for (const [number, [way, left, right]] of accepted) {
    if (now() >= begin + ${LONGEST_MS} || off.includes(number)) continue;
    try { if (!agree(way, await left(), await right(), true)) off.push(number); }
    catch (error) { if (!isForeign(error)) off.push(number); }
  }
}
writeSync(3, ${JSON.stringify(word)} + stringify(off) + '\\n');
${behind === null ? '' : `await askBehind(${JSON.stringify(behind.numbers)});\n`}${elsewhere === null ? '' : inScriptElsewhere(elsewhere)}leave(0);
`;
  return { path: `${name}.mjs`, files: [...files, { path: `${name}.mjs`, content: main }] };
}

function inPython(parts: Parts, { word, name, isOnce = false, behind = null, elsewhere = null }: Called): PlainProgram {
  const files = parts.map((calls, index) => {
    const loads = [...new Set(calls.flatMap((call) => call.loads))];
    const rows = calls.map(
      ({ compares, left, right, isAccepted = false }) =>
        `    (lambda: (${left}), ${compares === 'yes' ? 'callable' : right === '' ? 'None' : `lambda: (${right})`}, ${isAccepted ? 'True' : 'False'}, ${!isAccepted && saysMore(calls, left, right) ? 'True' : 'False'}),`,
    );
    return { path: `${name}_${index + 1}.py`, content: `${[...loads, `calls_${name} = [`, ...rows, ']'].join('\n')}\n` };
  });
  const main = `${behind === null ? '' : `from ${behind.path.slice(0, -3)} import ask as ask_behind\n`}from importlib import import_module
from os import _exit, write
from time import monotonic, sleep
kinds = (str, bytes, int, float, list, tuple, dict)
def plain(value, depth=0):
    kind = next((one for one in kinds if isinstance(value, one)), None)
    if kind is None or depth > 20: return value
    if kind in (str, bytes): return kind.__getitem__(value, slice(None))
    if kind in (int, float): return kind.__add__(value, kind(0))
    if kind is dict: return {plain(key, depth + 1): plain(item, depth + 1) for key, item in dict.items(value)}
    return kind([plain(item, depth + 1) for item in kind.__iter__(value)])
def expected(one, other):
    kind = type(other)
    said = kind.__eq__(other, one) if type(one) is not kind and isinstance(one, kind) else True
    return said is NotImplemented or bool(said)
def shows_the_same(one, other):
    if type(one) is not type(other) or type(one).__eq__ is object.__eq__ or not hasattr(one, '__dict__'): return True
    return plain(vars(one)) == plain(vars(other))
def in_some_order(one, other):
    kind = next((one_of for one_of in (list, tuple) if isinstance(one, one_of)), None)
    return kind is not None and type(other) is kind and sorted(map(repr, plain(one))) == sorted(map(repr, plain(other)))
def agree(left, right, is_accepted, has_no_order):
    one, other = left(), right()
    is_plain = expected(one, other) and (plain(one) == plain(other) or type(one) is type(other))
    return bool(one == other) and (is_plain or (has_no_order and in_some_order(one, other))) and (not is_accepted or shows_the_same(one, other))
def is_yes(value): return bool(value) and not callable(value) and not hasattr(value, '__await__')
def holds(call):
    left, right, is_accepted, has_no_order = call
    try: return bool(left()) if right is None else is_yes(left()) if right is callable else agree(left, right, is_accepted, has_no_order)
    except (ImportError, NameError): return True
    except BaseException: return False
off, accepted, all_calls = [], [], []
def asks(number): write(3, ('${word}@%d\\n' % number).encode())
at = 0
for name, count in ${JSON.stringify(files.map((file, index) => [file.path.slice(0, -3), parts[index]!.length]))}:
    calls = []
    asks(at)
    try: calls = getattr(import_module(name), 'calls_${name}')
    except (ImportError, SyntaxError, NameError): pass
    except BaseException: off.extend(range(at, at + count))
    for one, call in enumerate(calls):
        all_calls.append((at + one, call))
        if one > 0: asks(at + one)
        if not holds(call): off.append(at + one)
        elif call[2]: accepted.append((at + one, call))
    at += count
begin = monotonic()
for _round in range(${isOnce ? 0 : ROUNDS} if accepted else 0):
    sleep(${AGAIN_MS / 1_000 / ROUNDS})
    for number, call in accepted:
        if monotonic() < begin + ${LONGEST_MS / 1_000} and number not in off and not holds(call): off.append(number)
write(3, (${JSON.stringify(word)} + str(off) + '\\n').encode())
${behind === null ? '' : `ask_behind(${JSON.stringify(behind.numbers)})\n`}${elsewhere === null ? '' : inPythonElsewhere(elsewhere)}_exit(0)
`;
  return { path: `${name}.py`, files: [...files, { path: `${name}.py`, content: main }] };
}

/** In the same process: what code keeps from when it was loaded stays. */
function inScriptElsewhere({ word, zone }: { word: string; zone: string }): string {
  return `Object.assign(process.env, { TZ: '${zone}', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' });
process.chdir(process.env.TMPDIR ?? '/');
const there = [];
for (const [number, [way, left, right, isAccepted]] of all) {
  try { if (!agree(way, await left(), await right(), isAccepted)) there.push(number); }
  catch (error) { if (!isForeign(error)) there.push(number); }
}
writeSync(3, '${word}' + stringify(there) + '\\n');
`;
}

function inPythonElsewhere({ word, zone }: { word: string; zone: string }): string {
  return `import os, time
os.environ.update({'TZ': '${zone}', 'LANG': 'de_DE.UTF-8', 'LC_ALL': 'de_DE.UTF-8'})
time.tzset()
os.chdir(os.environ.get('TMPDIR', '/'))
there = [number for number, call in all_calls if not holds(call)]
write(3, ('${word}' + str(there) + '\\n').encode())
`;
}

/** A test that calls the same thing equal to two others says itself that more than one is right: their order may be what does not matter. */
function saysMore(calls: readonly PlainAssertion[], left: string, right: string): boolean {
  return right !== '' && calls.some((one) => one.left === left && one.right !== '' && one.right !== right);
}

/** The numbers that such a program told; null: it ended before it told anything. Where it was stopped, the one that it did not come back from. */
export function readTold(output: string, word: string, wasStopped = false): number[] | null {
  const lines = output.split('\n');
  const line = lines.find((one) => one.startsWith(`${word}[`));
  const told = /^\[[\d, ]*\]$/.exec(line?.slice(word.length).trim() ?? '');
  if (told !== null) return JSON.parse(told[0]) as number[];
  const last = lines.findLast((one) => one.startsWith(`${word}@`))?.slice(word.length + 1);
  return wasStopped ? [Number(last)].filter((number) => last !== undefined && Number.isInteger(number)) : null;
}
