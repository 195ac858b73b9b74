/**
 * Assertions that can be asked outside of their test: what they look at and what they expect is made of literals and of names that the test
 * file takes from modules of the project and of the language. Pure.
 *
 * A name that a test gives a value once stands for that value. Names that a runner hands it, or that other packages give, are not followed:
 * such an assertion is left out.
 */
import { posix } from 'node:path';
import { partsOf, type Comparison } from './compared-parts.ts';
import { moduleCandidates } from './imports.ts';
import { localValues, type LocalValue } from './local-values.ts';
import { maskSource } from './mask.ts';
import { languageOf, type Language, type Range, type SourceReading } from './source.ts';
import { itemAt } from '../../domain/items.ts';
import { groupOf } from '../../domain/text-parts.ts';

export interface PlainAssertion {
  /** As it stands in the test, with values in the place of names that the test gave them. */
  text: string;
  compares: Comparison;
  left: string;
  /** Empty where a condition says it all; a list of the value and of digits where it has to be near. */
  right: string;
  /** Statements that bring its names; specifiers lead from the root of the project. */
  loads: string[];
  /** Of an accepted test: what it says can be compared with the base. */
  isAccepted?: boolean;
}

const WORDS: ReadonlySet<string> = new Set(
  'true false null undefined NaN Infinity new await typeof void in of instanceof True False None and or not is if else for lambda len str int float list dict set tuple sorted repr bool bytes Object Array String Number Boolean BigInt Map Set Date RegExp Error Uint8Array Buffer JSON Math'.split(
    ' ',
  ),
);

interface Loading {
  names: readonly string[];
  text: string;
  /** From a module of the project, and not from one of the language. */
  isOwn: boolean;
}

/** `isOfTests`: modules of these are no code of the project. */
export function plainAssertions(
  path: string,
  text: string,
  reading: SourceReading,
  { paths, isOfTests }: { paths: { has(path: string): boolean }; isOfTests: (path: string) => boolean },
): PlainAssertion[] {
  const mask = maskSource(text, reading.language);
  const loading = reading.statements.flatMap(
    (one) => loadingOf(path, text.slice(one.start, one.end), one.names, { paths, isOfTests }) ?? [],
  );
  if (!loading.some((one) => one.isOwn)) return [];
  const isPython = reading.language === 'python';
  const partsIn = partsOf(text, mask, isPython);
  return reading.tests
    .filter((test) => !test.isTable)
    .flatMap((test) => {
      const values = localValues(mask, test.body, isPython);
      return test.assertions.map((assertion) => ({ assertion, values }));
    })
    .flatMap(({ assertion: one, values }): PlainAssertion[] => {
      const parts = partsIn(one);
      if (parts === null) return [];
      const given = values.filter((value) => value.end <= one.start);
      const plain = parts.ranges.flatMap((range) => withValues({ text, mask, isPython, values: given }, range) ?? []);
      const [left, ...wanted] = plain.map((part) => part.text);
      if (plain.length < parts.ranges.length || left === undefined) return [];
      const used = new Set(plain.flatMap((part) => part.names));
      const loads = loading.filter((statement) => statement.names.some((name) => used.has(name)));
      const known = new Set(loads.flatMap((statement) => statement.names));
      if (!loads.some((one) => one.isOwn) || [...used].some((name) => !known.has(name) && !WORDS.has(name))) return [];
      const right = parts.compares === 'near' ? `[${wanted.join(',')}]` : (wanted[0] ?? '');
      return [
        {
          text: inlined(text, one, parts.ranges, [left, ...wanted]),
          compares: parts.compares,
          left: parts.isTurned === true ? `not (${left})` : left,
          right,
          loads: loads.map((statement) => statement.text),
        },
      ];
    });
}

function inlined(text: string, { start, end }: Range, ranges: readonly Range[], parts: readonly string[]): string {
  let [words, at] = ['', start];
  for (const [number, range] of ranges.entries()) {
    words += text.slice(at, range.start) + itemAt(parts, number);
    at = range.end;
  }
  return words + text.slice(at, end);
}

interface Written {
  text: string;
  mask: string;
  isPython: boolean;
  values: readonly LocalValue[];
}

const DEEPEST = 6;

/** The expression with the values of its names, and the names that are left; null: it is made of more than literals, calls and members. */
function withValues(written: Written, range: Range, depth = 0): { text: string; names: string[] } | null {
  const { text, mask, isPython, values } = written;
  const free = freeNames(text, mask, range, isPython);
  if (free === null || depth > DEEPEST) return null;
  let [words, at] = ['', range.start];
  const names: string[] = [];
  for (const { name, start } of free) {
    const value = values.findLast((one) => one.name === name && one.end <= range.start);
    if (value === undefined) {
      names.push(name);
      continue;
    }
    const inner = withValues(written, value, depth + 1);
    if (inner === null || isShorthand(mask, range, start, name)) return null;
    words += `${text.slice(at, start)}(${inner.text.trim()})`;
    at = start + name.length;
    names.push(...inner.names);
  }
  return { text: words + text.slice(at, range.end), names };
}

/** A member of an object that is named like its value. */
function isShorthand(mask: string, range: Range, start: number, name: string): boolean {
  const open: string[] = [];
  for (let at = range.start; at < start; at += 1) {
    if ('([{'.includes(mask.charAt(at))) open.push(mask.charAt(at));
    else if (')]}'.includes(mask.charAt(at))) open.pop();
  }
  const [before, after] = [mask.slice(range.start, start).trimEnd(), mask.slice(start + name.length, range.end).trimStart()];
  return open.at(-1) === '{' && /[{,]$/.test(before) && /^[,}]/.test(after);
}

/** Modules that make or read values and know nothing of runs. */
const OF_LANGUAGE = /^(?:node:)?(?:buffer|path(?:\/posix)?|querystring|url|util|string_decoder)$/;
const OF_PYTHON =
  /^(?:base64|collections|dataclasses|datetime|decimal|enum|fractions|functools|hashlib|ipaddress|itertools|json|math|operator|pathlib|re|string|struct|textwrap|uuid)$/;

/** Whether the module belongs to the language and knows nothing of runs. */
export function isOfLanguage(specifier: string, language: Language): boolean {
  return (language === 'python' ? OF_PYTHON : OF_LANGUAGE).test(specifier);
}

/** A statement that takes names from a module of the project or of the language, as it would stand at the root. */
function loadingOf(
  path: string,
  statement: string,
  names: readonly string[],
  { paths, isOfTests }: { paths: { has(path: string): boolean }; isOfTests: (path: string) => boolean },
): Loading | null {
  if (languageOf(path) === 'python') {
    const module = /^(?:from|import)\s+([A-Za-z_][\w.]*)/.exec(statement)?.[1]?.replaceAll('.', '/');
    const found =
      module === undefined ? [] : ['', 'src/', 'lib/'].flatMap((root) => [`${root}${module}.py`, `${root}${module}/__init__.py`]);
    const there = found.filter((file) => paths.has(file));
    if (there.length > 0) return there.every(isOfTests) ? null : { names, text: statement, isOwn: true };
    return OF_PYTHON.test(module ?? '') ? { names, text: statement, isOwn: false } : null;
  }
  const match = /^(?:import\s[^'"]*\sfrom\s*|(?:const|let|var)\s[^'"]*=\s*require\(\s*)(['"])([^'"]+)\1\s*\)?\s*;?$/.exec(statement);
  if (match === null || /^import\s+type\b/.test(statement)) return null;
  const specifier = groupOf(match, 2);
  if (specifier.startsWith('#')) return { names, text: statement, isOwn: true };
  if (OF_LANGUAGE.test(specifier)) return { names, text: statement, isOwn: false };
  if (!specifier.startsWith('.')) return null;
  const file = moduleCandidates(posix.join(posix.dirname(path), specifier)).find((candidate) => paths.has(candidate));
  if (file === undefined || isOfTests(file) || !(statement.startsWith('import') ? /(?<!\.d)\.[cm]?[jt]s$/ : /\.[cm]?js$/).test(file))
    return null;
  return {
    names,
    text: statement.replace(`${groupOf(match, 1)}${specifier}${groupOf(match, 1)}`, JSON.stringify(`./${file}`)),
    isOwn: true,
  };
}

/** Names that an expression does not bring itself; null: it is made of more than literals, calls and members. */
function freeNames(text: string, mask: string, { start, end }: Range, isPython: boolean): { name: string; start: number }[] | null {
  const [words, masked] = [text.slice(start, end), mask.slice(start, end)];
  if (
    /`|=>|\bfunction\b|\bclass\b|(?<!\w)[fF][rR]?['"]/.test(words) ||
    /[^=!<>]=(?![=>])/.test(isPython ? masked.replaceAll(/[(,]\s*\w+\s*=(?!=)/g, '') : masked)
  )
    return null;
  return [...masked.matchAll(/[A-Za-z_$][\w$]*/g)]
    .filter(({ index, 0: name }) => {
      const [before, after] = [masked.slice(0, index).trimEnd(), masked.slice(index + name.length).trimStart()];
      const isMember = before.endsWith('.') && !before.endsWith('...');
      const isKey = (after.startsWith(':') && /[{,]$/.test(before)) || (isPython && /^=(?!=)/.test(after) && /[(,]$/.test(before));
      const isPrefix = /^['"]/.test(words.slice(index + name.length)) && /^[bBrRuU]{1,2}$/.test(name);
      return !isMember && !isKey && !isPrefix;
    })
    .map(({ index, 0: name }) => ({ name, start: start + index }));
}
