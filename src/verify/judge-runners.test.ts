import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '../domain/feature.ts';
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
  exits: `${header}test('subtracts', () => {});\nprocess.exit(0);\n`,
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

const python = await findPython(nodePlatform());

describe.each(Object.entries(PROJECTS).filter(([name]) => name !== 'pytest' || python !== null))('%s', (_name, project) => {
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

  test('refuses work that breaks an accepted feature', async () => {
    expect(await verdictOf({ ...honest, [oldCode]: project.brokenCode })).toMatchObject({ decision: 'rejected', reasons: ['regression'] });
  });

  test('refuses a test that leaves the process early', async () => {
    expect((await verdictOf({ ...honest, [project.newTest]: project.exits })).decision).toBe('rejected');
  });

  test('refuses a test that passes without the feature', async () => {
    const hollow = isPython
      ? 'def test_subtracts(): pass\n'
      : project.testText.replace(/^.*src\/subtract.*$/m, '').replace(/expect\(.*\)\.toBe\(1\)/, 'expect(1).toBe(1)');
    expect(await verdictOf({ ...honest, [project.newTest]: hollow })).toMatchObject({ decision: 'rejected', reasons: ['test.not_red'] });
  });
});
