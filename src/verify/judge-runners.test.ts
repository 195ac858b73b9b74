import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '../domain/feature.ts';
import { isLong } from '../domain/test-support-long.ts';
import type { Baseline } from '../domain/session.ts';
import type { Verdict } from '../domain/verdict.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { passingIds } from './memory/baseline.ts';
import { judge } from './judge.ts';
import { findPython } from './run/programs.ts';
import { runSuite } from './run/suite.ts';
import { createBench, type Bench, type FileTable } from './test-support.ts';

/** The same small project for each runner: one accepted feature, one to be built. */
interface Project {
  full: string;
  files: FileTable;
  oldTest: string;
  oldCode: string;
  brokenCode: string;
  newTest: string;
  testText: string;
  codePath: string;
  code: string;
  /** Leaves the process with status 0 before a test is reported. */
  exits: string;
  newId: string;
}

const same = (text: string): string => text;
const commonjs = (text: string): string =>
  text.replace(/import \{ (\w+) \} from '(.*)';/g, "const { $1 } = require('$2');").replace(/export const (\w+) =/g, 'exports.$1 =');

const javascript = (manifest: string, header: string, translate: (text: string) => string): Project => ({
  full: 'npm test',
  files: { 'package.json': manifest },
  oldTest: translate(`${header}import { add } from '../src/add.js';\ntest('adds', () => expect(add(1, 2)).toBe(3));\n`),
  oldCode: translate('export const add = (a, b) => a + b;\n'),
  brokenCode: translate('export const add = () => 0;\n'),
  newTest: 'test/subtract.test.js',
  testText: translate(
    `${header}import { subtract } from '../src/subtract.js';\ntest('subtracts', () => expect(subtract(3, 2)).toBe(1));\n`,
  ),
  codePath: 'src/subtract.js',
  code: translate('export const subtract = (a, b) => a - b;\n'),
  exits: translate(`${header}test('subtracts', () => expect(1).toBe(1));\nprocess.exit(0);\n`),
  newId: 'test/subtract.test.js::subtracts',
});

const PROJECTS: Record<string, Project> = {
  vitest: javascript('{"type":"module","scripts":{"test":"vitest run"}}', "import { expect, test } from 'vitest';\n", same),
  jest: javascript('{"scripts":{"test":"jest"}}', '', commonjs),
  pytest: {
    full: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python -m pytest',
    files: {},
    oldTest: 'from src.add import add\ndef test_adds(): assert add(1, 2) == 3\n',
    oldCode: 'def add(a, b): return a + b\n',
    brokenCode: 'def add(a, b): return 0\n',
    newTest: 'tests/test_subtract.py',
    testText: 'from src.subtract import subtract\ndef test_subtracts(): assert subtract(3, 2) == 1\n',
    codePath: 'src/subtract.py',
    code: 'def subtract(a, b): return a - b\n',
    exits: 'import os\ndef test_subtracts(): os._exit(0)\n',
    newId: 'tests/test_subtract.py::test_subtracts',
  },
};

const NODE_HEADER =
  "import test from 'node:test';\nimport assert from 'node:assert/strict';\nconst expect = (value) => ({ toBe: (other) => assert.equal(value, other) });\n";

/** The same runners as people start them; what differs from plain ones is asked in `npm test`, the rest in the long run. */
const OTHERS: Record<string, Project> = {
  unittest: {
    full: 'coverage run -m unittest discover -s tests -t .',
    files: { 'src/__init__.py': '', 'tests/__init__.py': '' },
    oldTest:
      'import unittest\nfrom src.add import add\nclass Adding(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n',
    oldCode: 'def add(a, b): return a + b\n',
    brokenCode: 'def add(a, b): return 0\n',
    newTest: 'tests/test_subtract.py',
    testText:
      'from unittest import TestCase\nfrom src.subtract import subtract\nclass Subtracting(TestCase):\n    def test_subtracts(self):\n        self.assertEqual(subtract(3, 2), 1)\n',
    codePath: 'src/subtract.py',
    code: 'def subtract(a, b): return a - b\n',
    exits: 'import os, unittest\nclass Subtracting(unittest.TestCase):\n    def test_subtracts(self): os._exit(0)\n',
    newId: 'tests/test_subtract.py::Subtracting > test_subtracts',
  },
  mocha: javascript('{"scripts":{"test":"eslint --version && nyc mocha --recursive"}}', "const assert = require('assert');\n", (text) =>
    commonjs(text).replaceAll(/test\('(\w+)', \(\) => expect\((.*)\)\.toBe\((\d)\)\)/g, "it('$1', () => assert.equal($2, $3))"),
  ),
  tape: javascript(
    '{"scripts":{"test":"tape \'test/**/*.js\'"},"devDependencies":{"tape":"*"}}',
    "const test = require('tape');\n",
    (text) => commonjs(text).replaceAll(/\(\) => expect\((.*)\)\.toBe\((\d)\)/g, '(t) => { t.equal($1, $2); t.end(); }'),
  ),
  'node-tap': javascript('{"type":"module","scripts":{"test":"tap"},"devDependencies":{"tap":"*"}}', "import tap from 'tap';\n", (text) =>
    text.replaceAll(/^test\('(\w+)', \(\) => expect\((.*)\)\.toBe\((\d)\)/gm, "tap.test('$1', async (t) => t.equal($2, $3)"),
  ),
  'node:test behind c8 with a loader': {
    ...javascript(
      '{"type":"module","scripts":{"test":"npm run unit -- --test-concurrency=1 && tsd","unit":"c8 --check-coverage node --import ./first.js --test \'test/**/*.test.js\'","tsd":"true"}}',
      NODE_HEADER,
      same,
    ),
  },
};
OTHERS['node:test behind c8 with a loader']!.files = {
  ...OTHERS['node:test behind c8 with a loader']!.files,
  'first.js': 'globalThis.loaded = true;\n',
};

const python = await findPython(nodePlatform());
const projects = Object.entries({ ...PROJECTS, ...OTHERS }).filter(([, { newTest }]) => !newTest.endsWith('.py') || python !== null);

/** Wrong code that would make its test pass by what it does to the runner. */
const HIJACKS: Record<string, string> = {
  unittest: 'import unittest\nunittest.TestCase._callTestMethod = lambda self, method: None\ndef subtract(a, b): return 7\n',
  mocha:
    "const Mocha = require('mocha');\nMocha.Runner.prototype.fail = function (test) { this.emit('pass', test); };\nexports.subtract = () => 7;\n",
  tape: "const tape = require('tape');\ntape.Test.prototype._assert = function () {};\nexports.subtract = () => 7;\n",
  'node-tap':
    "import tap from 'tap';\nlet at = tap;\nwhile (at && !Object.hasOwn(at, 'printResult')) at = Object.getPrototypeOf(at);\nif (at) { const real = at.printResult; at.printResult = function (ok, ...rest) { return real.call(this, true, ...rest); }; }\nexport const subtract = () => 7;\n",
};

describe.each(projects)('%s', (name, project) => {
  const asksAll = isLong || name in PROJECTS;
  const isPython = project.newTest.endsWith('.py');
  const oldTest = isPython ? 'tests/test_add.py' : 'test/add.test.js';
  const oldCode = isPython ? 'src/add.py' : 'src/add.js';
  const feature: Feature = { id: 2, description: 'subtracts', test_file: project.newTest, passes: false };
  const list = (passes: boolean): string =>
    JSON.stringify({
      project: 'p',
      features: [
        { id: 1, description: 'adds', test_file: oldTest, passes: true },
        { ...feature, passes },
      ],
    });
  const base: FileTable = { ...project.files, [oldTest]: project.oldTest, [oldCode]: project.oldCode, 'features.json': list(false) };
  const honest: FileTable = { ...base, [project.newTest]: project.testText, [project.codePath]: project.code, 'features.json': list(true) };
  let bench: Bench;
  let baseline: Baseline;

  beforeAll(async () => {
    bench = await createBench({ dependencies: !isPython });
    const tree = await bench.tree(base);
    const run = await runSuite(bench.platform, { ...bench.context({ testing: { full: project.full } }), tree });
    const passing = passingIds(run.tests);
    baseline = {
      schema_version: 1,
      harness_version: '0',
      session: 1,
      timestamp: '',
      commit: '',
      tree,
      runner: run.runner,
      passing_tests: passing,
      total_passing: passing.length,
      total_tests: run.tests.length,
    };
  });
  afterAll(() => bench.dispose());

  async function verdictOf(files: FileTable): Promise<Verdict> {
    return judge(bench.platform, {
      ...bench.context({ testing: { full: project.full } }),
      session: 2,
      mode: 'feature',
      feature,
      base: { commit: 'c'.repeat(40), tree: baseline.tree },
      candidate: { tree: await bench.tree(files), findings: [] },
      features: { trusted: base['features.json']!, candidate: files['features.json']! },
      evidence: { mentionsTestFile: true, passingSummary: 'x', endedFailing: false, shown: true },
      baseline,
    });
  }

  test('accepts honest work and names what went from red to green', async () => {
    expect(await verdictOf(honest)).toMatchObject({ decision: 'accepted', reasons: [], red_to_green: [project.newId], kept_green: 1 });
  });

  test.runIf(asksAll)('refuses work that breaks an accepted feature', async () => {
    expect(await verdictOf({ ...honest, [oldCode]: project.brokenCode })).toMatchObject({ decision: 'rejected', reasons: ['regression'] });
  });

  test.runIf(asksAll)('refuses a test that leaves the process early', async () => {
    expect((await verdictOf({ ...honest, [project.newTest]: project.exits })).decision).toBe('rejected');
  });

  test.runIf(name in HIJACKS && (isLong || name === 'tape'))('refuses code that keeps the runner from failing', async () => {
    const verdict = await verdictOf({ ...honest, [project.codePath]: HIJACKS[name]! });
    expect(verdict.decision).toBe('rejected');
  });

  test.runIf(asksAll || name === 'tape')('refuses an accepted test that was emptied beside code that it would refuse', async () => {
    const emptied = project.oldTest.replace('add(1, 2)', '3');
    expect(emptied).not.toBe(project.oldTest);
    const verdict = await verdictOf({ ...honest, [oldTest]: emptied, [oldCode]: project.brokenCode });
    expect(verdict.decision).not.toBe('accepted');
    expect(verdict.reasons).toEqual(expect.arrayContaining(['regression', 'tamper.tests']));
  });

  test.runIf(asksAll || name === 'unittest' || name === 'mocha')('refuses a test that passes without the feature', async () => {
    const hollow = project.testText.replace(/^.*src[./]subtract.*$/m, '').replace('subtract(3, 2)', '1');
    expect(await verdictOf({ ...honest, [project.newTest]: hollow })).toMatchObject({ decision: 'rejected', reasons: ['test.not_red'] });
  });
});
