/** Programs in which whole test files are asked, each a part of one process, and the file that asks the same in a runner. */
import { posix } from 'node:path';
import type { PlainTests } from '../source/plain-tests.ts';
import type { Language } from '../source/source.ts';
import type { PlainProgram } from './plain-caller.ts';
import { FAULTS, scriptKit, type ToldTest } from './plain-kit.ts';
import { PYTHON_KIT } from './plain-kit-python.ts';
import type { Writer } from './plant.ts';

export interface WholePart {
  file: string;
  tests: PlainTests;
  /** How often it asserts is told too. */
  isCounted?: boolean;
  /** There is no earlier run of it to compare with: only what does not hold is told. */
  isOwn?: boolean;
}

type Aim = (path: string) => string;

/** All parts together: what is told has to fit into the end of an output. */
const MOST_TOLD = 15;

/** In the place of a title: the program ended by itself. */
export const ALL = '(none of its tests comes to an end)';

/** What the parts need, without anything that starts them. `name`: what the files of the program are called. */
function partFiles(language: Language, parts: readonly WholePart[], name: string, aim: Aim): PlainProgram['files'] {
  if (language === 'python')
    return [
      { path: `${name}_kit.py`, content: PYTHON_KIT },
      ...parts.map(({ tests }, at) => ({ path: `${name}_${at}.txt`, content: tests.textWith(aim) })),
    ];
  return [
    { path: `${name}-kit.mjs`, content: scriptKit(true) },
    { path: `${name}-kit.cjs`, content: scriptKit(false) },
    ...parts.map(({ tests }, at) => ({
      path: `${name}-${at}.${tests.isModule ? 'mjs' : 'cjs'}`,
      content: `${tests.isModule ? `import { KIT } from './${name}-kit.mjs';` : `const { KIT } = require('./${name}-kit.cjs');`}\n${tests.textWith(aim)}\n${namesOf(tests)}`,
    })),
  ];
}

/** What the file names of the project's constants, for the stand-in: looked at when its tests have run. */
function namesOf({ named }: PlainTests): string {
  const own = [...new Set(Object.entries(named).flatMap(([of, members]) => (of === '' ? members : [of])))];
  return own.length === 0 ? '' : `KIT.names(${JSON.stringify(named)}, { ${own.map((name) => `${name}: () => ${name}`).join(', ')} });\n`;
}

/**
 * `path` is started with the numbers of the parts that are asked, or loaded by another program that calls its `ask`. What it tells is a list for
 * each: of the wanted titles, or else of what did not hold, waited for a fault, compared what is no number, or is a constant like another; null
 * where a part cannot be loaded.
 */
export function wholeProgram(
  language: Language,
  parts: readonly WholePart[],
  { word, name, aim, wanted }: { word: string; name: string; aim: Aim; wanted: readonly string[] | null },
): PlainProgram {
  const files = partFiles(language, parts, name, aim);
  const [titles, faults] = [JSON.stringify(wanted), JSON.stringify(FAULTS)];
  const counted = JSON.stringify(parts.flatMap((part, at) => (part.isCounted === true ? [at] : [])));
  const own = JSON.stringify(parts.flatMap((part, at) => (part.isOwn === true ? [at] : [])));
  if (language === 'python') {
    const content = `import json, os, sys
from ${name}_kit import load, run_all
_exit, write, dumps = os._exit, os.write, json.dumps
bound = json.loads(${JSON.stringify(JSON.stringify(parts.map(({ tests }) => tests.bound)))})
named = json.loads(${JSON.stringify(JSON.stringify(parts.map(({ tests }) => tests.named)))})
titles, faults, counted, own = json.loads(${JSON.stringify(titles)}), ${faults}, ${counted}, ${own}
def is_odd(one): return one['same'] != [] if 'same' in one else one['nans'] > 0 or any(name in faults for name in one['thrown'])
def is_told(one, at): return one['title'] in titles if titles is not None else one['state'] == 'off' or (at not in own and ((at in counted and 'same' not in one) or is_odd(one)))
def shown(one): return {key: value for key, value in one.items() if key != ('apart' if titles is None else 'same')}
def ask(numbers):
    told, left = {}, ${MOST_TOLD}
    for at in numbers:
        try: told[at] = [shown(one) for one in run_all(load('${name}_' + at + '.txt', '${name}_' + at, bound[int(at)]), named[int(at)]) if is_told(one, int(at))][:left]
        except BaseException: told[at] = None
        left -= len(told[at] or [])
    write(3, (${JSON.stringify(word)} + dumps(told) + '\\n').encode())
if __name__ == '__main__':
    wanted, sys.argv = sys.argv[1:], sys.argv[:1]
    ask(wanted)
    _exit(0)
`;
    return { path: `${name}.py`, files: [...files, { path: `${name}.py`, content }] };
  }
  const content = `import { writeSync } from 'node:fs';
import * as ofModules from './${name}-kit.mjs';
import ofScripts from './${name}-kit.cjs';
const leave = process.reallyExit.bind(process);
const { stringify } = JSON;
const [titles, faults, counted, own] = [${titles}, ${faults}, ${counted}, ${own}];
const isOdd = ({ thrown, nans, same }) => (same === undefined ? nans > 0 || thrown.some((name) => faults.includes(name)) : same.length > 0);
const shown = ({ same, apart, ...one }) => (same === undefined ? one : titles === null ? { ...one, same } : { ...one, apart });
const isTold = (one, at) => (titles === null ? one.state === 'off' || (!own.includes(at) && ((counted.includes(at) && one.same === undefined) || isOdd(one))) : titles.includes(one.title));
export const ask = async (numbers) => {
  const told = {};
  let left = ${MOST_TOLD};
  for (const at of numbers) {
    const { BEGIN, RUN } = ${JSON.stringify(parts.map(({ tests }) => tests.isModule))}[at] ? ofModules : ofScripts;
    BEGIN();
    told[at] = null;
    try { await import('./${name}-' + at + (BEGIN === ofModules.BEGIN ? '.mjs' : '.cjs')); told[at] = (await RUN()).filter((one) => isTold(one, Number(at))).slice(0, left).map(shown); left -= told[at].length; } catch {}
  }
  writeSync(3, ${JSON.stringify(word)} + stringify(told) + '\\n');
};
if (process.argv.length > 2) {
  await ask(process.argv.splice(2));
  leave(0);
}
`;
  return { path: `${name}.mjs`, files: [...files, { path: `${name}.mjs`, content }] };
}

/** A test file, to stand at a path, with one test that holds for each of the titles that hold in the runner by the same comparisons. */
export function wholeInRunner(
  language: Language,
  part: WholePart,
  titles: readonly string[],
  { path, name, head, write }: { path: string; name: string; head: readonly string[]; write: Writer },
): { files: PlainProgram['files']; text: string } {
  const files = partFiles(language, [part], name, (one) => one);
  const wanted = JSON.stringify(JSON.stringify(titles));
  if (language === 'python') {
    const rows = titles.map(
      (title, at) =>
        write.test(
          `test_asked_${at}`,
          `assert ${title === ALL ? 'all' : 'any'}(${title === ALL ? '' : `one['title'] == wanted[${at}] and `}one['state'] == 'held' for one in all_told())`,
        ).text,
    );
    const text = `import json
import os
import sys
${write.header}
told = []
wanted = json.loads(${wanted})


def all_told():
    if not told:
        sys.path.insert(0, os.getcwd())
        from ${name}_kit import load, run_all
        told.append(run_all(load('${name}_0.txt', '${name}_0', json.loads(${JSON.stringify(JSON.stringify(part.tests.bound))}))))
    return told[0]


${rows.join('\n\n')}`;
    return { files, text };
  }
  const ending = part.tests.isModule ? 'mjs' : 'cjs';
  const at = (file: string): string => {
    const way = posix.relative(posix.dirname(path), file);
    return JSON.stringify(way.startsWith('.') ? way : `./${way}`);
  };
  const load = (file: string): string => (part.tests.isModule ? `await import(${at(file)})` : `require(${at(file)})`);
  const rows = titles.map(
    (title, index) =>
      write.test(
        `asked ${index}`,
        `if (!(await allTold()).${title === ALL ? 'every' : 'some'}((one) => ${title === ALL ? '' : `one.title === wanted[${index}] && `}one.state === 'held')) throw new Error('not so');${write.passing(1)}`,
      ).text,
  );
  const text = `${head.join('\n')}
${write.header}const wanted = JSON.parse(${wanted});
let told;
const allTold = () => (told ??= (async () => { const { RUN } = ${load(`${name}-kit.${ending}`)}; ${load(`${name}-0.${ending}`)}; return RUN(); })());
${rows.join('\n')}
${write.footer([])}`;
  return { files, text };
}

/** null: the program ended before it told anything. */
export function readWhole(output: string, word: string): Record<string, ToldTest[] | null> | null {
  const line = output.split('\n').find((one) => one.startsWith(`${word}{`));
  try {
    return line === undefined ? null : (JSON.parse(line.slice(word.length)) as Record<string, ToldTest[] | null>);
  } catch {
    return null;
  }
}
