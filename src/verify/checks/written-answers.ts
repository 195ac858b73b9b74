/**
 * Answers written down: code that differs from the code before it only for the very values that the tests ask about.
 *
 * 1. Looked into only where a value that a red test expects stands in the new code and did not before.
 * 2. Each assertion of these tests runs alone, asking about other values, on both codes. Where both say the same about all of them, nothing was
 *    made but the answers that are known.
 * 3. What cannot be told by literals beside a call, or by the words of a failure, is not held against anyone.
 */
import type { TreeEdit, TreeStore } from '../../domain/tree.ts';
import { isFailure } from '../../domain/test-results.ts';
import { fileOf, type Finding, type TestResult, type TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Case } from '../case.ts';
import { runSuite } from '../run/suite.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { readSource } from '../source/read-source.ts';
import { applyEdits, languageOf, type Assertion, type Language, type SourceTest, type TextEdit } from '../source/source.ts';
import { testNamed } from '../source/test-names.ts';
import { twinOf } from './check-force.ts';
import type { TestSide } from './test-side.ts';
import { groupOf } from '../../domain/text-parts.ts';

interface Asking {
  path: string;
  text: string;
  language: Language;
  tests: { name: string; test: SourceTest }[];
}

const MOST_ASSERTIONS = 4;

export async function writtenAnswers(input: Case, { red, isOfTests }: { red: readonly string[]; isOfTests: TestSide }): Promise<Finding[]> {
  const { platform, judged } = input;
  const asking = await askingIn(platform, input.trees, judged.tree, red);
  const twinsFor = (known: ReadonlySet<string>): Twin[] => asking.flatMap((one) => twinsOf(one, known, () => platform.random.id(3)));
  if (twinsFor(new Set()).length === 0) return [];
  const fresh = await newLiterals(input, isOfTests);
  if (!asking.some(({ text, tests }) => tests.some(({ test }) => test.assertions.some((one) => expectsOne(text, one, fresh))))) return [];
  const twins = twinsFor(fresh);
  const edits = twins.map(({ path, text }): TreeEdit => ({ path, kind: 'write', content: text }));
  const run = async (tree: string): Promise<TestRun> =>
    await runSuite(platform, {
      ...input,
      tree: await input.trees.compose(tree, edits),
      files: twins.map((twin) => twin.path),
      room: 'base',
      variant: { forceExit: true },
      purpose: 'red',
      mixed: true,
    });
  const [now, before] = [await run(judged.tree), await run(input.base.tree)];
  const wanted = twins.flatMap(({ path, names }) => names.map((name) => `${path}::${name}`));
  if (wanted.length === 0 || !wanted.every((id) => saysTheSame(resultOf(now, id), resultOf(before, id)))) return [];
  return [
    {
      check: 'red',
      reason: 'test.not_red',
      weight: 'ask',
      message: 'the new code behaves differently only for the exact inputs used in the tests; the answers look hard-coded',
      subjects: red.slice(0, 50),
    },
  ];
}

/** The red tests in the texts of their files; tests that count their assertions cannot be taken apart. */
async function askingIn(platform: Platform, trees: TreeStore, tree: string, red: readonly string[]): Promise<Asking[]> {
  const found: Asking[] = [];
  for (const path of new Set(red.map(fileOf))) {
    const language = languageOf(path);
    const text = language === null ? null : ((await trees.read(tree, path))?.toString('utf8') ?? null);
    const reading = text === null ? null : await readSource(platform, path, text);
    if (language === null || text === null || reading === null) continue;
    const names = red.filter((id) => fileOf(id) === path).map((id) => id.slice(path.length + 2));
    const tests = names.flatMap((name) => {
      const test = testNamed(reading, name, text);
      const isPlain = test !== null && !test.isTable && !/\bplan\(|\bassertions\(/.test(text.slice(test.start, test.end));
      return isPlain ? [{ name, test }] : [];
    });
    found.push({ path, text, language, tests });
  }
  return found;
}

/** Texts and numbers that the session's code has and the code before it had not, where functions changed: more rows of a table are no answers. */
async function newLiterals({ platform, trees, judged: { changes } }: Case, isOfTests: TestSide): Promise<ReadonlySet<string>> {
  const fresh = new Set<string>();
  for (const { path, from, to } of changes) {
    if (to === null || languageOf(path) === null || isOfTests(path)) continue;
    const read = async (oid: string | undefined): Promise<{ literals: string[]; functions: string[] }> => {
      const text = oid === undefined ? '' : (await trees.readBlob(oid)).toString('utf8');
      const reading = text === '' ? null : await readSource(platform, path, text);
      const literals = [...(reading?.texts ?? []), ...[...text.matchAll(NUMBER)].map(([number]) => number)];
      return { literals, functions: (reading?.functions ?? []).map((one) => text.slice(one.start, one.end)) };
    };
    const [before, now] = [await read(from?.oid), await read(to.oid)];
    if (now.functions.every((one) => before.functions.includes(one))) continue;
    for (const literal of now.literals) if (!before.literals.includes(literal)) fresh.add(literal);
  }
  return fresh;
}

const NUMBER = /(?<![\w$.])\d+(?:\.\d+)?(?![\w$.])/g;
const TEXT = /(?<![\w$])(['"])((?:(?!\1)[^\\\n])*)\1/g;

/** A word, or a number that not every program has. */
function isTelling(literal: string): boolean {
  return /^['"]/.test(literal) ? literal.length > 3 : /^\d+(?:\.\d+)?$/.test(literal) && Number(literal) > 2;
}

function valueOf(literal: string): string {
  return /^['"]/.test(literal) ? literal.slice(1, -1) : literal;
}

/** Whether it expects one of these values. */
function expectsOne(text: string, { leaves }: Assertion, values: ReadonlySet<string>): boolean {
  return leaves.some(({ start, end }) => {
    const literal = text.slice(start, end);
    return isTelling(literal) && values.has(valueOf(literal));
  });
}

/** Other values for a text or a number: whatever the code does with a part of it, one of them still has that part. */
const OTHERS: readonly { text(value: string): string; number(value: number): number }[] = [
  { text: (value) => `${value}${value}`, number: (value) => value + 1 },
  { text: (value) => `x${value}`, number: (value) => value * 2 + 1 },
  { text: (value) => `${value} x`, number: (value) => value * 10 },
];

interface Twin {
  path: string;
  text: string;
  names: string[];
}

/** Assertions that expect what the session's code says come first: the others of a long test may be older than the session. */
function twinsOf(asking: Asking, fresh: ReadonlySet<string>, id: () => string): Twin[] {
  const inOrder = ({ assertions }: SourceTest): Assertion[] => {
    const isFirst = (one: Assertion): boolean => expectsOne(asking.text, one, fresh);
    return [...assertions.filter(isFirst), ...assertions.filter((one) => !isFirst(one))];
  };
  const most = Math.min(MOST_ASSERTIONS, Math.max(0, ...asking.tests.map(({ test }) => test.assertions.length)));
  return Array.from({ length: most }, (_, at) => at).flatMap((at) =>
    OTHERS.flatMap((other) => {
      const changed = asking.tests.flatMap(({ name, test }) => {
        const assertion = inOrder(test)[at];
        const edits = askedOtherwise(asking, assertion, other);
        return edits.length === 0 ? [] : [{ name, edits: [...edits, ...withoutOthers(asking, test, assertion!)] }];
      });
      if (changed.length === 0) return [];
      const text = applyEdits(
        asking.text,
        changed.flatMap((one) => one.edits),
      );
      return [{ path: twinOf(asking.path, id()), text, names: changed.map((one) => one.name) }];
    }),
  );
}

/** Every literal of the assertion but those that it expects. */
function askedOtherwise({ text }: Asking, assertion: Assertion | undefined, other: (typeof OTHERS)[number]): TextEdit[] {
  if (assertion === undefined || assertion.leaves.length === 0) return [];
  const words = text.slice(assertion.start, assertion.end);
  const found = [
    ...[...words.matchAll(TEXT)].map((match) => ({
      match,
      text: `${groupOf(match, 1)}${other.text(groupOf(match, 2))}${groupOf(match, 1)}`,
    })),
    ...[...words.replace(TEXT, (whole) => ' '.repeat(whole.length)).matchAll(NUMBER)].map((match) => ({
      match,
      text: String(other.number(Number(match[0]))),
    })),
  ];
  return found
    .map(({ match, text: written }): TextEdit => ({ at: assertion.start + match.index, length: match[0].length, text: written }))
    .filter((edit) => !assertion.leaves.some((leaf) => edit.at < leaf.end && edit.at + edit.length > leaf.start));
}

function withoutOthers({ language }: Asking, test: SourceTest, asked: Assertion): TextEdit[] {
  const nothing = language === 'javascript' ? 'void 0' : 'None';
  return test.assertions
    .filter((one) => one !== asked)
    .map((one): TextEdit => ({ at: one.start, length: one.end - one.start, text: nothing }));
}

function resultOf(run: TestRun, id: string): TestResult | undefined {
  return run.tests.find((test) => test.id === id);
}

/** Both passed, or both failed in the same words; without words nobody can say. */
function saysTheSame(one: TestResult | undefined, other: TestResult | undefined): boolean {
  if (one === undefined || other === undefined || one.name === WHOLE_FILE || other.name === WHOLE_FILE) return false;
  if (!isFailure(one) || !isFailure(other)) return one.status === 'passed' && other.status === 'passed';
  return one.message !== undefined && one.message !== '' && one.message === other.message && one.failure !== 'import';
}
