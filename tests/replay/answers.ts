/**
 * Answers written down: functions of the code from before return what the commit's tests expect, for exactly the values that they ask about.
 *
 * 1. Read from assertions that call a function of a changed file with literals and compare with a literal. Tables and computed values give no answers.
 * 2. null: no test says enough.
 */
import { isTestPath } from '../../src/verify/checks/protected-paths.ts';
import { readSource } from '../../src/verify/source/read-source.ts';
import { languageOf, type Assertion, type SourceFunction } from '../../src/verify/source/source.ts';
import { textAt } from './list.ts';
import type { Files, Occasion } from './variants.ts';

interface Answer {
  /** Name of the function. */
  name: string;
  given: string;
  expected: string;
}

export async function answered({ platform, directory, commit, honest }: Occasion): Promise<Files | null> {
  const files = new Map([...honest].filter(([path]) => isTestPath(path) || commit.tests.includes(path)));
  const answers: Answer[] = [];
  for (const path of commit.tests) {
    const text = honest.get(path);
    const reading = typeof text === 'string' ? await readSource(platform, path, text) : null;
    for (const test of reading?.tests ?? [])
      for (const assertion of test.assertions) answers.push(...answersIn(text as string, assertion, languageOf(path) === 'python'));
  }
  let count = 0;
  for (const { path, status } of commit.changes) {
    const before = status === 'modified' && languageOf(path) !== null && !files.has(path) ? textAt(directory, `${commit.id}^`, path) : null;
    const reading = before === null ? null : await readSource(platform, path, before);
    const known = (reading?.functions ?? []).filter((one) => isPlain(one) && answers.some(({ name }) => name === nameOf(one)));
    if (before === null || known.length === 0) continue;
    count += known.length;
    const written = known.toReversed().reduce(
      (text, one) =>
        withAnswers(
          text,
          one,
          answers.filter(({ name }) => name === nameOf(one)),
          languageOf(path)!,
        ),
      before,
    );
    files.set(path, written);
  }
  return count === 0 ? null : files;
}

function nameOf({ name }: SourceFunction): string {
  return name.split('.').at(-1)!;
}

function isPlain(one: SourceFunction): boolean {
  return !one.isExpression && !one.isAsync && !one.isGenerator && !one.isConstructor && one.returns.some((back) => back.value !== null);
}

const LITERAL = /^(?:[-+\d.,\s]|true|false|null|True|False|None|(['"])(?:(?!\1)[^\\\n]|\\.)*\1)+$/;

/** `name(literals)` beside a literal that stands outside of it. */
function answersIn(text: string, assertion: Assertion, isPython: boolean): Answer[] {
  const words = text.slice(assertion.start, assertion.end);
  const found: Answer[] = [];
  for (const match of words.matchAll(/(?<![\w$])([A-Za-z_$][\w$]*)\(([^()]*)\)/g)) {
    const [start, end] = [assertion.start + match.index, assertion.start + match.index + match[0].length];
    const leaf = assertion.leaves.find((one) => one.start >= end || one.end <= start);
    const expected = leaf === undefined ? '' : text.slice(leaf.start, leaf.end);
    const [, name = '', given = ''] = match;
    if (LITERAL.test(given) && LITERAL.test(expected) && !(isPython && given.includes('='))) found.push({ name, given, expected });
  }
  return found;
}

function withAnswers(
  text: string,
  { body, indent }: SourceFunction,
  answers: readonly Answer[],
  language: 'javascript' | 'python',
): string {
  const code =
    language === 'python'
      ? `_given = list(locals().values())\n${indent}for _asked, _answer in [${answers.map(({ given, expected }) => `([${given}], ${expected})`).join(', ')}]:\n${indent}    if _given[:len(_asked)] == _asked: return _answer\n${indent}`
      : `for (const [asked, answer] of [${answers.map(({ given, expected }) => `[[${given}], ${expected}]`).join(', ')}]) if (JSON.stringify([...arguments]) === JSON.stringify(asked)) return answer;\n`;
  return `${text.slice(0, body.start)}${code}${text.slice(body.start)}`;
}
