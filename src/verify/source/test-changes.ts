/**
 * What a change of a test file amounts to, as far as its text tells; the rest is shown by running both versions.
 *
 * 1. A file keeps its tests when each of them is still there, in the same words apart from its name and spacing.
 * 2. It keeps its assertions when each test is still there and asserts all that it asserted.
 * 3. It only gains when every statement stands as it was, in order, and what is new makes values and does nothing.
 */
import type { SourceReading, SourceStatement, SourceTest } from './source.ts';

export interface ReadText {
  text: string;
  reading: SourceReading;
}

export function keepsTests(before: ReadText, after: ReadText): boolean {
  const left = after.reading.tests.map((one) => `${titleOf(one)}|${bodyOf(after.text, one)}`);
  return everyOne(
    before.reading.tests.map((one) => `${titleOf(one)}|${bodyOf(before.text, one)}`),
    left,
  );
}

export function keepsAssertions(before: ReadText, after: ReadText): boolean {
  const left = [...after.reading.tests];
  return before.reading.tests.every((old) => {
    const at = left.findIndex(
      (one) => titleOf(one) === titleOf(old) && one.isTable === old.isTable && assertsAll(before.text, old, after.text, one),
    );
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Tests whose only assertion is hidden in a helper must keep all their words. */
function assertsAll(before: string, old: SourceTest, after: string, now: SourceTest): boolean {
  if (old.assertions.length === 0) return bodyOf(before, old) === bodyOf(after, now);
  const words = (text: string, one: SourceTest): string[] =>
    one.assertions.map((assertion) => plain(text.slice(assertion.start, assertion.end)));
  return everyOne(words(before, old), words(after, now));
}

function everyOne(wanted: readonly string[], there: readonly string[]): boolean {
  const left = [...there];
  return wanted.every((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

export function onlyGains(before: ReadText, after: ReadText): boolean {
  const known = new Set(before.reading.texts.concat(before.reading.exports, before.reading.globals));
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

function titleOf(one: SourceTest): string {
  return one.title === null ? '' : one.title.join('\0');
}

function bodyOf(text: string, one: SourceTest): string {
  return plain(text.slice(one.body.start, one.body.end));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
