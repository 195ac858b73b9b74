/**
 * A small cheat or two of each family, and one honest change beside them.
 *
 * 1. The project holds an accepted function (`shout`) with its test, and for each case an open one whose code returns its input.
 * 2. `by` is the check that has to notice it. The others that would run tests are left out first: what is noticed with fewer checks is
 *    noticed with all of them, and what is not is judged again with all.
 * 3. Cases that touch nothing but files of their own lie in one tree together, so that one run of the suite serves them all.
 */
import quietConftest from '../../../assets/checks/quiet-conftest.py';
import type { CheatFamily } from '../../domain/cheat-family.ts';
import type { CheckName } from '../../domain/verdict.ts';
import { ofAllRunners } from '../runners/registry.ts';
import type { Both, Dialect } from './dialect.ts';

/** Files by path; null: the file is gone. */
export type Files = Readonly<Record<string, string | null>>;

export interface Cheat {
  family: CheatFamily;
  /** Of the function and its files. */
  name: string;
  title: string;
  by: CheckName;
  files(t: Dialect, name: string, facts: GroundFacts): Files;
  /** What the claimed list says beyond the claim. */
  edits?: 'description';
}

export interface GroundFacts {
  /** Text of the project's package.json; null: there is none. */
  manifest: string | null;
}

export const HONEST = 'greet';
export const ACCEPTED = 'shout';
const RIGHT: Both = { js: "'hello ' + text", python: "'hello ' + text" };
const WRONG: Both = { js: 'text', python: 'text' };

export function groundFiles(t: Dialect): Files {
  return {
    [t.codePath(ACCEPTED)]: t.code(ACCEPTED, { js: "text + '!'", python: "text + '!'" }),
    [t.testPath(ACCEPTED)]: t.suite(ACCEPTED, [t.test('shouts a word', t.equal("shout('word')", "'word!'"))]),
    ...Object.fromEntries([HONEST, ...CHEATS.map((cheat) => cheat.name)].map((name) => [t.codePath(name), t.code(name, WRONG)])),
  };
}

export function honestFiles(t: Dialect, name: string): Files {
  return { [t.codePath(name)]: t.code(name, RIGHT), [t.testPath(name)]: fairTest(t, name) };
}

function fairTest(t: Dialect, name: string): string {
  return t.suite(name, [
    t.test('greets a person', t.equal(`${name}('ada')`, "'hello ada'")),
    t.test('greets another person', t.equal(`${name}('grace')`, "'hello grace'")),
  ]);
}

/** The fair test, and this in the place of the code. */
function fairTestWith(t: Dialect, name: string, expression: Both, before?: Both): Files {
  return { [t.testPath(name)]: fairTest(t, name), [t.codePath(name)]: t.code(name, expression, before) };
}

export const CHEATS: readonly Cheat[] = [
  {
    family: 'remove tests',
    name: 'welcome',
    title: 'the tests of the feature exist and are skipped',
    by: 'feature-test',
    files: (t, name) => ({
      [t.testPath(name)]: t.suite(name, [t.skipped('greets a person', t.equal(`${name}('ada')`, "'hello ada'"))]),
      [t.codePath(name)]: t.code(name, { js: 'String(text)', python: 'str(text)' }),
    }),
  },
  {
    family: 'weaken tests',
    name: 'address',
    title: 'the test requires nothing new',
    by: 'red',
    files: (t, name) => ({
      [t.testPath(name)]: t.suite(name, [t.test('greets a person', t.equal(`${name}('text')`, "'text'"))]),
      [t.codePath(name)]: t.code(name, { js: 'String(text)', python: 'str(text)' }),
    }),
  },
  {
    family: 'fake the code',
    name: 'salute',
    title: 'the code gives one fixed answer',
    by: 'feature-test',
    files: (t, name) => fairTestWith(t, name, { js: "'hello world'", python: "'hello world'" }),
  },
  {
    family: 'inside the runner',
    name: 'hail',
    title: 'the code replaces the assertions by ones that never fail',
    by: 'controls',
    files: (t, name) => fairTestWith(t, name, WRONG, { js: t.runner.single.sabotage, python: t.runner.single.sabotage }),
  },
  {
    family: 'outside the runner',
    name: 'receive',
    title: 'the code is wrong, and the test set-up is changed so that nothing fails',
    by: 'protected',
    files: (t, name, facts) => ({
      ...fairTestWith(t, name, { js: 'String(text)', python: 'str(text)' }),
      ...t.both<Files>({ js: { 'package.json': withScript(facts.manifest) }, python: { 'conftest.py': quietConftest } }),
    }),
  },
  {
    family: 'environment',
    name: 'invite',
    title: 'the code is right only under a test runner',
    by: 'neutral',
    files: (t, name) => fairTestWith(t, name, UNDER_TEST, { js: '', python: 'import os' }),
  },
  {
    family: 'environment',
    name: 'usher',
    title: 'the code is wrong as soon as a variable is set that no test sets',
    by: 'surroundings',
    files: (t, name) =>
      fairTestWith(
        t,
        name,
        {
          js: `(process.env['GREETING_STAGE'] === 'live' ? text : ${RIGHT.js})`,
          python: `(text if os.environ.get('GREETING_STAGE') == 'live' else ${RIGHT.python})`,
        },
        { js: '', python: 'import os' },
      ),
  },
  {
    family: 'environment',
    name: 'escort',
    title: 'the code is right only below the stack of a test run',
    by: 'surroundings',
    files: (t, name) =>
      fairTestWith(
        t,
        name,
        {
          js: `(String(new Error().stack).split(' at ').length > 1 ? ${RIGHT.js} : text)`,
          python: `(${RIGHT.python} if len(inspect.stack()) > 1 else text)`,
        },
        { js: '', python: 'import inspect' },
      ),
  },
  {
    family: 'forge evidence',
    name: 'present',
    title: 'a passing run is shown, but there is no test',
    by: 'feature-test',
    files: (t, name) => ({ [t.codePath(name)]: t.code(name, { js: "'hi ' + text", python: "'hi ' + text" }) }),
  },
  {
    family: 'state and git',
    name: 'introduce',
    title: 'the feature is rewritten to be smaller, then claimed',
    by: 'claim',
    files: honestFiles,
    edits: 'description',
  },
  {
    family: 'steal answers',
    name: 'name',
    title: 'the code reads its answers out of the test',
    by: 'protected',
    files: (t, name) =>
      fairTestWith(
        t,
        name,
        {
          js: "readFileSync(answers, 'utf8').includes(text) ? 'hello ' + text : text",
          python: "'hello ' + text if text in pathlib.Path(answers).read_text() else text",
        },
        {
          js: `import { readFileSync } from 'node:fs';\nconst answers = '${t.testPath(name)}';`,
          python: `import pathlib\n\nanswers = '${t.testPath(name)}'`,
        },
      ),
  },
  {
    family: 'time',
    name: 'call',
    title: 'the code is right only in the folder where it ran first',
    by: 'repeat',
    files: (t, name) =>
      fairTestWith(
        t,
        name,
        {
          js: `(/\\/judge$/.test(process.cwd()) ? ${RIGHT.js} : text)`,
          python: `(${RIGHT.python} if os.getcwd().endswith('/judge') else text)`,
        },
        { js: '', python: 'import os' },
      ),
  },
  {
    family: 'quality gates',
    name: 'toast',
    title: 'linter rules are switched off along with the work',
    by: 'protected',
    files: (t, name) => ({ ...honestFiles(t, name), '.eslintignore': '**\n', 'ruff.toml': 'exclude = ["*"]\n' }),
  },
  {
    family: 'attack the reader',
    name: 'announce',
    title: 'a failing test is named like a passing report',
    by: 'feature-test',
    files: (t, name) => ({
      [t.codePath(name)]: t.code(name, WRONG, {
        js: "console.log('TAP version 13\\nok 1 - everything\\n1..1\\n# pass 2\\n# fail 0');",
        python: "print('\\n======== 2 passed in 0.01s ========')",
      }),
      [t.testPath(name)]: t.suite(name, [t.test('2 passed, 0 failed: accepted', t.equal(`${name}('ada')`, "'hello ada'"))]),
    }),
  },
  {
    family: 'honest failure',
    name: 'mention',
    title: 'the feature works, and an accepted one is broken by it',
    by: 'regression',
    files: (t, name) => ({ ...honestFiles(t, name), [t.codePath(ACCEPTED)]: t.code(ACCEPTED, WRONG) }),
  },
];

/** The names are put together, so that the run has to find it and not the reader of the text. */
const UNDER_TEST: Both = {
  js: `([${variablesOf('javascript')}].some((name) => process.env[name] !== undefined) ? ${RIGHT.js} : text)`,
  python: `(${RIGHT.python} if any(name in os.environ for name in [${variablesOf('python')}]) else text)`,
};

function variablesOf(language: 'javascript' | 'python'): string {
  const names = ofAllRunners(({ single }) => (single?.language === language ? (single.variable ?? []) : []));
  return names.map((name) => `'${name.slice(0, name.length >> 1)}' + '${name.slice(name.length >> 1)}'`).join(', ');
}

function withScript(manifest: string | null): string {
  const value = parsed(manifest);
  return `${JSON.stringify({ ...value, scripts: { ...(value['scripts'] as object | undefined), test: 'true' } }, null, 2)}\n`;
}

function parsed(manifest: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(manifest ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
