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
import callerInJavascript from '../../../assets/checks/plain-caller.mjs';
import callerInPython from '../../../assets/checks/plain-caller.py';
import { fill } from '../../domain/fill-program.ts';
import { pythonLiteral } from '../runners/python-boot.ts';
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
  const loaded = behind === null ? 'const askBehind = () => {};' : `import { ask as askBehind } from './${behind.path}';`;
  const main = fill(callerInJavascript, {
    word,
    files: JSON.stringify(files.map((file, index) => [`./${file.path}`, parts[index]!.length])),
    rounds: String(isOnce ? 0 : ROUNDS),
    again_ms: String(AGAIN_MS),
    longest_ms: String(LONGEST_MS),
    numbers: JSON.stringify(behind?.numbers ?? []),
    elsewhere: JSON.stringify(elsewhere),
  });
  return { path: `${name}.mjs`, files: [...files, { path: `${name}.mjs`, content: `${loaded}\n${main}` }] };
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
  const loaded = behind === null ? 'def ask_behind(_numbers): pass' : `from ${behind.path.slice(0, -3)} import ask as ask_behind`;
  const main = fill(callerInPython, {
    word,
    files: JSON.stringify(files.map((file, index) => [file.path.slice(0, -3), parts[index]!.length])),
    calls: `calls_${name}`,
    rounds: String(isOnce ? 0 : ROUNDS),
    pause: String(AGAIN_MS / 1_000 / ROUNDS),
    longest: String(LONGEST_MS / 1_000),
    numbers: JSON.stringify(behind?.numbers ?? []),
    elsewhere: pythonLiteral(elsewhere),
  });
  return { path: `${name}.py`, files: [...files, { path: `${name}.py`, content: `${loaded}\n${main}` }] };
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
