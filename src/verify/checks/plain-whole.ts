/** Programs in which whole test files are asked, each a part of one process, and the file that asks the same in a runner. */
import askedInPython from '../../../assets/checks/plain-whole-asked.py';
import wholeInJavascript from '../../../assets/checks/plain-whole.mjs';
import wholeInPython from '../../../assets/checks/plain-whole.py';
import { posix } from 'node:path';
import { fill } from '../../domain/fill-program.ts';
import type { PlainTests } from '../source/plain-tests.ts';
import type { Language } from '../source/source.ts';
import type { PlainProgram } from './plain-caller.ts';
import { FAULTS, pythonKit, scriptKit, type ToldTest } from './plain-kit.ts';
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
      { path: `${name}_kit.py`, content: pythonKit() },
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
  const titles = JSON.stringify(wanted);
  const shared = {
    word,
    faults: JSON.stringify(FAULTS),
    counted: JSON.stringify(parts.flatMap((part, at) => (part.isCounted === true ? [at] : []))),
    own: JSON.stringify(parts.flatMap((part, at) => (part.isOwn === true ? [at] : []))),
    most_told: String(MOST_TOLD),
  };
  if (language === 'python') {
    const content = fill(wholeInPython, {
      ...shared,
      kit: `${name}_kit`,
      part: `${name}_`,
      bound: JSON.stringify(JSON.stringify(parts.map(({ tests }) => tests.bound))),
      named: JSON.stringify(JSON.stringify(parts.map(({ tests }) => tests.named))),
      titles: JSON.stringify(titles),
    });
    return { path: `${name}.py`, files: [...files, { path: `${name}.py`, content }] };
  }
  const content = fill(wholeInJavascript, {
    ...shared,
    kit: `${name}-kit`,
    part: `${name}-`,
    titles,
    modules: JSON.stringify(parts.map(({ tests }) => tests.isModule)),
  });
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
    const asking = fill(askedInPython, {
      wanted,
      kit: `${name}_kit`,
      part: `${name}_0`,
      bound: JSON.stringify(JSON.stringify(part.tests.bound)),
    });
    const text = `${write.header}${asking}\n\n${rows.join('\n\n')}`;
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
  const kit = load(`${name}-kit.${ending}`);
  const asking = `const allTold = () => (told ??= (async () => { const { RUN } = ${kit}; ${load(`${name}-0.${ending}`)}; return RUN(); })());`;
  const begin = `${write.header}const wanted = JSON.parse(${wanted});`;
  return { files, text: [...head, begin, 'let told;', asking, ...rows, write.footer([])].join('\n') };
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
