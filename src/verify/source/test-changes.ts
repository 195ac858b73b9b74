/**
 * What a change of a test file amounts to, as far as its text tells; the rest is shown by running both versions.
 *
 * 1. A file keeps its tests when every statement of it stands as it was, in order, within the groups that it stood in, and what is new are
 *    tests, groups, imports of names and values.
 * 2. It keeps its assertions when each test is still there and asserts all that it asserted, and no value that they work with is gone; its calls
 *    when each is also called in the same way, in the same groups.
 * 3. It only gains when every statement stands as it was, in order, and what is new makes values and does nothing.
 */
import { maskSource, withoutComments } from './mask.ts';
import type { Range, SourceReading, SourceStatement, SourceTest } from './source.ts';
import { groupOf } from '../../domain/text-parts.ts';

export interface ReadText {
  text: string;
  reading: SourceReading;
}

/** Comments say nothing to a runner where they stand inside of statements, and those between them are not compared. */
function said({ text, reading }: ReadText): ReadText {
  return { text: withoutComments(text, reading.language), reading };
}

export function keepsTests(earlier: ReadText, later: ReadText): boolean {
  const [before, after] = [said(earlier), said(later)];
  const known = new Set(before.reading.statements.flatMap((one) => one.names));
  return (
    everyOne(importsOf(before.reading), importsOf(after.reading)) &&
    keepsStatements(before.text, withoutImports(before), after.text, withoutImports(after), known)
  );
}

/** Imports are compared by what they take: one that takes nothing is there for what it does. */
function withoutImports({ text, reading }: ReadText): SourceStatement[] {
  const isNamed = (one: SourceStatement): boolean =>
    (one.kind === 'import' && one.names.length > 0) || REQUIRED.test(text.slice(one.start, one.end));
  return reading.statements.filter((one) => !isNamed(one));
}

const REQUIRED = /^(?:const|let|var)\s[^=;()]{1,2000}=\s*require\(\s*(['"])[^'"\n]+\1\s*\)(?:\.\w+)?\s*;?$/;

function importsOf(reading: SourceReading): string[] {
  return reading.imports.flatMap((one) => (one.names.length === 0 ? [one.specifier] : one.names.map((name) => `${one.specifier} ${name}`)));
}

function keepsStatements(
  before: string,
  old: readonly SourceStatement[],
  after: string,
  now: readonly SourceStatement[],
  known: ReadonlySet<string>,
): boolean {
  const words = (text: string, { start, end }: Range): string => plain(text.slice(start, end));
  let at = 0;
  for (const statement of now) {
    const wanted = old[at];
    const isSame =
      wanted !== undefined &&
      (words(before, wanted) === words(after, statement) ||
        (wanted.header !== null &&
          statement.header !== null &&
          words(before, wanted.header) === words(after, statement.header) &&
          keepsStatements(before, wanted.inner, after, statement.inner, known)));
    if (isSame) at += 1;
    else if (
      statement.kind !== 'test' &&
      statement.kind !== 'group' &&
      !(statement.isPure && !statement.names.some((name) => known.has(name)))
    )
      return false;
  }
  return at === old.length;
}

export function keepsAssertions(earlier: ReadText, later: ReadText): boolean {
  const [before, after] = [said(earlier), said(later)];
  return keepsValues(before, after) && everyTest(before, after, (_text, one) => `${one.title?.join('\0') ?? ''} ${one.isTable}`);
}

export function keepsCalls(earlier: ReadText, later: ReadText): boolean {
  const [before, after] = [said(earlier), said(later)];
  const groups = ({ text, reading }: ReadText): string[] => groupsOf(text, reading.statements);
  return keepsValues(before, after) && everyOne(groups(before), groups(after)) && everyTest(before, after, headOf);
}

/** Whether the tests of a file that is gone stand in others, each under its title and with all that it asserted. */
export function standsIn(earlier: ReadText, others: readonly ReadText[]): boolean {
  const before = said(earlier);
  const found = others.map(said);
  return (
    before.reading.tests.length > 0 &&
    before.reading.tests.every((old) =>
      found.some((other) =>
        other.reading.tests.some((one) => one.title?.join('\0') === old.title?.join('\0') && assertsAll(before, old, other, one)),
      ),
    )
  );
}

/** Numbers and texts that tests work with, rows of their tables and loops among them; titles and imports aside. */
function keepsValues(before: ReadText, after: ReadText): boolean {
  return everyOne(valuesOf(before), valuesOf(after));
}

function valuesOf({ text, reading }: ReadText): string[] {
  const titles = new Set([
    ...reading.tests.flatMap((one) => one.title ?? []),
    ...reading.imports.map((one) => one.specifier),
    ...groupTitles(text, reading.statements),
  ]);
  const mask = maskSource(text, reading.language);
  return [...reading.texts.filter((one) => !titles.has(one)), ...(mask.match(NUMBER) ?? []).map((one) => one.replace(/\s/g, ''))];
}

/** With its sign, where that is no operator between two values. */
const NUMBER = /(?:-(?<=[[({,=:]\s*-)\s*)?(?<![\w$.])\d[\w.]*/g;

function groupTitles(text: string, statements: readonly SourceStatement[]): string[] {
  return statements.flatMap((one) =>
    one.header === null
      ? []
      : [
          ...[...text.slice(one.header.start, one.header.end).matchAll(/(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map((match) =>
            groupOf(match, 2),
          ),
          ...groupTitles(text, one.inner),
        ],
  );
}

const MOST_DIFFERENCES = 20;

/** What each test asserted and asserts now, where that is not the same; for people. */
export function changedAssertions(earlier: ReadText, later: ReadText): string[] {
  const [before, after] = [said(earlier), said(later)];
  const titleOf = (one: SourceTest): string => one.title?.join('…') ?? '(a test without a plain title)';
  const words = ({ text }: ReadText, one: SourceTest): string[] =>
    one.assertions.map((assertion) => plain(text.slice(assertion.start, assertion.end)));
  // Several may have one title: each is held against one that asserts as much, if there is such a one.
  const left = [...after.reading.tests];
  const take = (one: SourceTest | undefined): SourceTest | undefined => (one === undefined ? one : left.splice(left.indexOf(one), 1)[0]);
  const kept = before.reading.tests.map((old) =>
    take(left.find((one) => titleOf(one) === titleOf(old) && assertsAll(before, old, after, one))),
  );
  const found = before.reading.tests.flatMap((old, index): string[] => {
    if (kept[index] !== undefined) return [];
    const now = take(left.find((one) => titleOf(one) === titleOf(old)));
    if (now === undefined) return [`${titleOf(old)}: the test is gone`];
    const [was, is] = [words(before, old), words(after, now)];
    const [gone, come] = [was.filter((one) => !is.includes(one)), is.filter((one) => !was.includes(one))];
    return gone.map((one, at) => `${titleOf(old)}: was ${shown(one)}${come[at] === undefined ? ', gone now' : `, now ${shown(come[at])}`}`);
  });
  return (found.length > 0 ? found : goneValues(before, after)).slice(0, MOST_DIFFERENCES);
}

function goneValues(before: ReadText, after: ReadText): string[] {
  const left = valuesOf(after);
  const gone = valuesOf(before).filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return gone.length === 0 || gone.length > MOST_DIFFERENCES ? [] : [`values that are gone: ${gone.map(shown).join(', ')}`];
}

function shown(words: string): string {
  return `“${words.length > 160 ? `${words.slice(0, 160)}…` : words}”`;
}

/** Each test has one of the same head after it that asserts as much. */
function everyTest(before: ReadText, after: ReadText, headIn: (text: string, one: SourceTest) => string): boolean {
  const left = [...after.reading.tests];
  return before.reading.tests.every((old) => {
    const head = headIn(before.text, old);
    const at = left.findIndex((one) => headIn(after.text, one) === head && assertsAll(before, old, after, one));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** How a test is called: its function, marks, title and options. The rows of a table may become more. */
function headOf(text: string, one: SourceTest): string {
  const options = text[one.body.start] === '{' ? text.slice(one.body.start, text.indexOf('}', one.body.start) + 1) : '';
  const head = plain(`${text.slice(one.statement?.start ?? one.start, one.body.start)}${options}`);
  return one.isTable ? `${outsideOfBrackets(head)} ${one.title?.join(' ') ?? ''}` : head;
}

function outsideOfBrackets(text: string): string {
  let depth = 0;
  return [...text]
    .filter((letter) => ('([{'.includes(letter) ? (depth += 1) : ')]}'.includes(letter) ? (depth -= 1) + 1 : depth) === 0)
    .join('');
}

function groupsOf(text: string, statements: readonly SourceStatement[]): string[] {
  return statements.flatMap((one) =>
    one.header === null ? [] : [plain(text.slice(one.header.start, one.header.end)), ...groupsOf(text, one.inner)],
  );
}

/** Tests whose only assertion is hidden in a helper must keep all their words; tests within them are asked about by themselves. */
function assertsAll(before: ReadText, old: SourceTest, after: ReadText, now: SourceTest): boolean {
  if (old.assertions.length === 0) return bodyOf(before, old) === bodyOf(after, now);
  const words = ({ text }: ReadText, one: SourceTest): string[] =>
    one.assertions.map((assertion) => plain(text.slice(assertion.start, assertion.end)));
  return everyOne(words(before, old), words(after, now));
}

function everyOne(wanted: readonly string[], there: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const one of there) left.set(one, (left.get(one) ?? 0) + 1);
  return wanted.every((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count > 0;
  });
}

export function onlyGains(earlier: ReadText, later: ReadText): boolean {
  const [before, after] = [said(earlier), said(later)];
  const declared = before.reading.statements.flatMap((one) => one.names);
  const known = new Set(before.reading.texts.concat(before.reading.exports, before.reading.globals, declared));
  return contains(before.text, before.reading.statements, after.text, after.reading.statements, known);
}

function contains(
  before: string,
  old: readonly SourceStatement[],
  after: string,
  now: readonly SourceStatement[],
  known: ReadonlySet<string>,
): boolean {
  let at = 0;
  for (const statement of now) {
    const wanted = old[at];
    if (wanted !== undefined && plain(before.slice(wanted.start, wanted.end)) === plain(after.slice(statement.start, statement.end)))
      at += 1;
    else if (!statement.isPure || statement.names.some((name) => known.has(name))) return false;
  }
  return at === old.length;
}

/** Without the tests within it. */
function bodyOf({ text, reading }: ReadText, { body }: SourceTest): string {
  const inner = reading.tests
    .filter((one) => one.start > body.start && one.end <= body.end)
    .map((one) => one.statement ?? awaited(text, one))
    .toSorted((one, other) => one.start - other.start);
  let at = body.start;
  let words = '';
  for (const { start, end } of inner) {
    if (start >= at) words += text.slice(at, start);
    at = Math.max(at, end);
  }
  return plain(words + text.slice(at, body.end));
}

/** A test within another, with the word that waits for it. */
function awaited(text: string, { start, end }: Range): Range {
  const waiting = /(?<![\w$.])await\s+$/.exec(text.slice(Math.max(0, start - MOST_WAITING), start))?.[0].length ?? 0;
  return { start: start - waiting, end: waiting > 0 && text[end] === ';' ? end + 1 : end };
}

const MOST_WAITING = 200;

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
