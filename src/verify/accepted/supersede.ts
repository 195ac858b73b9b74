/**
 * Whether a version of a test file takes the place of the one before it.
 *
 * 1. Every statement of the earlier file is in the later one, unchanged and in order. What is new are tests behind all of them, so that nothing
 *    new runs before an earlier test.
 * 2. Everything that they run with is the same.
 * 3. Where a reader could doubt it, both are kept: that costs a run.
 */
import type { Platform } from '../../platform/platform.ts';
import { readSources } from '../source/read-source.ts';
import type { Range, SourceReading, SourceStatement } from '../source/source.ts';
import type { TestVersion } from './runs-with.ts';

export async function supersedes(
  platform: Platform,
  readBlob: (oid: string) => Promise<Buffer>,
  earlier: TestVersion,
  later: TestVersion,
): Promise<boolean> {
  if (!runsWithTheSame(earlier, later)) return false;
  const texts = await Promise.all([earlier, later].map(async ({ blob }) => (await readBlob(blob)).toString('utf8')));
  const [before = '', after = ''] = texts;
  const [old = null, now = null] = await readSources(
    platform,
    texts.map((text) => ({ path: earlier.file, text })),
  );
  return old !== null && now !== null && onlyAddsTests({ text: before, reading: old }, { text: after, reading: now });
}

function runsWithTheSame(earlier: TestVersion, later: TestVersion): boolean {
  const others = ({ entries, file }: TestVersion): string =>
    entries.flatMap(({ path, mode, oid }) => (path === file ? [] : `${mode} ${oid} ${path}`)).join('\n');
  return earlier.file === later.file && others(earlier) === others(later);
}

interface ReadText {
  text: string;
  reading: SourceReading;
}

/** Pure. */
export function onlyAddsTests(before: ReadText, after: ReadText): boolean {
  const known = new Set(before.reading.statements.flatMap((one) => one.names));
  return addsBehind(before.text, before.reading.statements, after.text, { statements: after.reading.statements, known });
}

function addsBehind(
  before: string,
  old: readonly SourceStatement[],
  after: string,
  { statements, known }: { statements: readonly SourceStatement[]; known: ReadonlySet<string> },
): boolean {
  if (statements.length < old.length) return false;
  for (const [at, wanted] of old.entries()) {
    const found = statements[at];
    if (found === undefined) return false;
    if (words(before, wanted) === words(after, found)) continue;
    const isLast = at === old.length - 1;
    const isSameGroup = wanted.header !== null && found.header !== null && words(before, wanted.header) === words(after, found.header);
    if (!isLast || !isSameGroup || !addsBehind(before, wanted.inner, after, { statements: found.inner, known })) return false;
  }
  return statements.slice(old.length).every((one) => isPlainTest(one, after, known));
}

/** It defines nothing that others use, and nothing in it acts before the tests run. */
function isPlainTest(statement: SourceStatement, text: string, known: ReadonlySet<string>): boolean {
  const isTest = statement.kind === 'test' || statement.kind === 'group';
  return isTest && !statement.names.some((name) => known.has(name)) && !ACTS_EARLY.test(text.slice(statement.start, statement.end));
}

/** Calls that a runner moves to the top of the file, hooks, and changes of what all tests share. */
const ACTS_EARLY = /mock|hoisted|stub|patch|before|after|setup|teardown|fixture|\bglobal|prototype|\bprocess\b/i;

/** To the letter: in some languages, and in every string, white space decides. */
function words(text: string, { start, end }: Range): string {
  return text.slice(start, end);
}
