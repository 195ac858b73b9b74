/**
 * How the self-check's own little files are spelled, so that the project's runner takes them for its own.
 *
 * 1. A test file of the project is the model: folder, ending, module system and where its test functions come from.
 * 2. Code lies in the nearest folder above the tests that is no folder of tests, because some runners take everything in those for tests.
 */
import { posix } from 'node:path';
import { isTestPath } from '../checks/protected-paths.ts';
import type { DeepRunner, ScriptSpelling } from '../runners/runner.ts';

/** A test file that the runner is known or expected to pick up; `text` null where it is not written yet. */
export interface Model {
  path: string;
  text: string | null;
}

export interface Dialect {
  runner: DeepRunner;
  testPath(name: string): string;
  codePath(name: string): string;
  /** A module that exports `name`, a function of `text`, after these statements. */
  code(name: string, expression: Both, before?: Both): string;
  /** A test file about the function `name`: title to body, each a `spelled` test. */
  suite(name: string, tests: readonly string[]): string;
  test(title: string, body: string): string;
  skipped(title: string, body: string): string;
  equal(left: string, right: string): string;
  both<Value>(value: { js: Value; python: Value }): Value;
}

/** The same in both languages. */
export type Both = { js: string; python: string };

export function dialectFor(runner: DeepRunner, model: Model, facts: { isModule: boolean; isTaken(path: string): boolean }): Dialect {
  const { language, script } = runner.single;
  const python = language === 'python';
  const prefix = freePrefix(model.path, python, facts.isTaken);
  const spell =
    script === null
      ? pythonSpelling(runner.single.pythonTests === 'methods')
      : scriptSpelling(script, usesModules(script, model, facts.isModule), model);
  const testPath = (name: string): string => testNamed(model.path, python ? `${prefix}_${name}` : `${prefix}-${name}`, python);
  const codePath = (name: string): string =>
    posix.join(codeFolder(model.path), python ? `${prefix}_unit_${name}.py` : `${prefix}-unit-${name}${codeEnding(model.path)}`);
  return {
    runner,
    testPath,
    codePath,
    code: spell.code,
    test: spell.test,
    skipped: spell.skipped,
    equal: spell.equal,
    suite: (name, tests) => spell.suite(name, posix.relative(posix.dirname(testPath(name)), codePath(name)), tests),
    both: (value) => (python ? value.python : value.js),
  };
}

function freePrefix(model: string, python: boolean, isTaken: (path: string) => boolean): string {
  const plain = python ? 'harness_self_check' : 'harness-self-check';
  for (let number = 1; ; number += 1) {
    const prefix = number === 1 ? plain : `${plain}${python ? '_' : '-'}${number}`;
    if (!isTaken(testNamed(model, prefix, python).replace(/\.[^/]*$/, ''))) return prefix;
  }
}

/** The model's own way to name a test, with another stem. */
function testNamed(model: string, stem: string, python: boolean): string {
  const [folder, base] = [posix.dirname(model), posix.basename(model)];
  if (python) return posix.join(folder, base.endsWith('_test.py') ? `${stem}_test.py` : `test_${stem}.py`);
  const ending = /[._-](?:test|spec)\.[cm]?[jt]sx?$/.exec(base)?.[0];
  if (ending !== undefined) return posix.join(folder, `${stem}${ending}`);
  return posix.join(folder, `${/^test[-_]/.exec(base)?.[0] ?? ''}${stem}${posix.extname(base)}`);
}

function codeFolder(model: string): string {
  let folder = posix.dirname(model);
  while (folder !== '.' && isTestPath(`${folder}/x`)) folder = posix.dirname(folder);
  return folder;
}

function codeEnding(model: string): string {
  return posix.extname(model).replace('sx', 's');
}

function usesModules(script: ScriptSpelling, model: Model, byManifest: boolean): boolean {
  if (script.alwaysModules || /\.m[jt]sx?$/.test(model.path)) return true;
  if (/\.c[jt]sx?$/.test(model.path)) return false;
  if (model.text !== null && /^\s*(?:import|export)\b/m.test(model.text)) return true;
  if (model.text !== null && /\brequire\s*\(/.test(model.text)) return false;
  return byManifest || /\.tsx?$/.test(model.path);
}

interface Spelling extends Pick<Dialect, 'code' | 'test' | 'skipped' | 'equal'> {
  suite(name: string, from: string, tests: readonly string[]): string;
}

function scriptSpelling(script: ScriptSpelling, isModule: boolean, model: Model): Spelling {
  const unchecked = /\.[cm]?tsx?$/.test(model.path) ? '// @ts-nocheck\n' : '';
  const take = (names: string, from: string): string =>
    isModule ? `import ${names} from '${from}';\n` : `const ${names} = require('${from}');\n`;
  const header = script.header(take, model.text);
  const begin = script.parameter === undefined ? '()' : `async (${script.parameter})`;
  const test = (title: string, body: string, how = ''): string => `test${how}('${title}', ${begin} => {\n  ${body}\n});\n`;
  return {
    code: (name, expression, before) => {
      const statements = before === undefined || before.js === '' ? '' : `${isModule ? before.js : asCommonJs(before.js)}\n`;
      return `${unchecked}${statements}${isModule ? `export const ${name} =` : `exports.${name} =`} (text) => ${expression.js};\n`;
    },
    test: (title, body) => test(title, body),
    skipped: (title, body) => test(title, body, '.skip'),
    equal: script.equal,
    suite: (name, from, tests) => {
      const path = from.startsWith('.') ? from : `./${from}`;
      return `${unchecked}${header}${take(`{ ${name} }`, script.keepsEndings ? path : path.replace(/\.[jt]s$/, ''))}\n${tests.join('\n')}${script.start?.('test') ?? ''}`;
    },
  };
}

/** For the few forms that the self-check writes itself. */
function asCommonJs(text: string): string {
  return text
    .replaceAll(/^import (\{ [\w, ]+ \}|\w+) from '(.+)';$/gm, "const $1 = require('$2');")
    .replaceAll(/^import '(.+)';$/gm, "require('$1');");
}

/** `isMethods`: of one class that holds all tests of a file. */
function pythonSpelling(isMethods: boolean): Spelling {
  const plain = functionSpelling();
  if (!isMethods) return plain;
  const test = (title: string, body: string): string => plain.test(title, body).replace('():\n', '(self):\n').replace('\n\ndef', '\ndef');
  return {
    ...plain,
    test,
    skipped: (title, body) => test(title, body).replace('\ndef', "\n@unittest.skip('later')\ndef"),
    equal: (left, right) => `self.assertEqual(${left}, ${right})`,
    suite: (name, from, tests) =>
      `import unittest\n${plain.suite(name, from, [])}\n\nclass SelfCheck(unittest.TestCase):${tests.join('').trimEnd().replaceAll('\n', '\n    ')}\n`,
  };
}

function functionSpelling(): Spelling {
  const indent = (text: string): string => text.replaceAll('\n', '\n    ');
  const test = (title: string, body: string): string => `\n\ndef test_${title.replaceAll(/\W+/g, '_')}():\n    ${indent(body)}\n`;
  return {
    code: (name, expression, before) =>
      `${before === undefined ? '' : `${before.python}\n\n\n`}def ${name}(text):\n    return ${expression.python}\n`,
    test,
    skipped: (title, body) => test(title, body).replace('\n\ndef', '\n\n@pytest.mark.skip\ndef'),
    equal: (left, right) => `assert ${left} == ${right}`,
    suite: (name, from, tests) => {
      const module = posix.basename(from, '.py');
      const folder = `pathlib.Path(__file__).resolve().parent / ${JSON.stringify(posix.dirname(from))}`;
      const skips = tests.some((one) => one.includes('pytest.')) ? 'import pytest\n' : '';
      return `import pathlib\nimport sys\n\n${skips}sys.path.insert(0, str(${folder}))\nfrom ${module} import ${name}\n${tests.join('')}`;
    },
  };
}
