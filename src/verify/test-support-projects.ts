/** For tests of this room alone: one small project for each deep runner, with one accepted feature and one to be built. */
import type { Feature } from '../domain/feature.ts';
import type { Baseline } from '../domain/session.ts';
import type { Verdict } from '../domain/verdict.ts';
import { passingIds } from './memory/baseline.ts';
import type { JudgeInput } from './contract.ts';
import { judge } from './judge.ts';
import { runSuite } from './run/suite.ts';
import { createBench, type Bench, type FileTable } from './test-support.ts';

export type DeepRunner = 'node:test' | 'vitest' | 'jest' | 'pytest';

export interface Project {
  bench: Bench;
  isPython: boolean;
  paths: { oldTest: string; oldCode: string; newTest: string; newCode: string };
  base: FileTable;
  honest: FileTable;
  feature: Feature;
  newId: string;
  /** JavaScript with ES modules in the dialect of the project. */
  module(text: string): string;
  /** A test file of the feature with these tests: title to body. */
  tests(bodies: Readonly<Record<string, string>>, imports?: string): string;
  /** `subtract(3, 2)` and the like equals the value, as an assertion. */
  equal(left: string, right: string): string;
  /** `baseFiles`: another project than `base`. */
  verdictOf(files: FileTable, patch?: Partial<JudgeInput> & { baseFiles?: FileTable }): Promise<Verdict>;
}

export async function openProject(runner: DeepRunner): Promise<Project> {
  const isPython = runner === 'pytest';
  const paths = isPython
    ? { oldTest: 'tests/test_add.py', oldCode: 'src/add.py', newTest: 'tests/test_subtract.py', newCode: 'src/subtract.py' }
    : { oldTest: 'test/add.test.js', oldCode: 'src/add.js', newTest: 'test/subtract.test.js', newCode: 'src/subtract.js' };
  const module = (text: string): string => (runner === 'jest' ? toCommonJs(text) : text);
  const use = (name: string): string => (isPython ? `from src.${name} import ${name}\n` : `import { ${name} } from '../src/${name}.js';\n`);
  const tests = (bodies: Readonly<Record<string, string>>, imports = use('subtract')): string => testText(runner, module, bodies, imports);
  const equal = (left: string, right: string): string =>
    isPython
      ? `assert ${left} == ${right}`
      : runner === 'node:test'
        ? `assert.equal(${left}, ${right});`
        : `expect(${left}).toBe(${right});`;
  const code = (name: string, sign: string): string =>
    isPython ? `def ${name}(a, b):\n    return a ${sign} b\n` : module(`export const ${name} = (a, b) => a ${sign} b;\n`);
  const feature: Feature = { id: 2, description: 'subtracts', test_file: paths.newTest, passes: false };
  const list = (passes: boolean): string =>
    JSON.stringify({
      project: 'p',
      features: [
        { id: 1, description: 'adds', test_file: paths.oldTest, passes: true },
        { ...feature, passes },
      ],
    });
  const script = { 'node:test': 'node --test', vitest: 'vitest run', jest: 'jest', pytest: '' }[runner];
  const manifest = { name: 'p', ...(runner === 'jest' ? {} : { type: 'module' }), scripts: { test: script } };
  const base: FileTable = {
    ...(isPython ? {} : { 'package.json': JSON.stringify(manifest) }),
    [paths.oldCode]: code('add', '+'),
    [paths.oldTest]: tests({ adds: equal('add(1, 2)', '3') }, use('add')),
    'features.json': list(false),
  };
  const honest: FileTable = {
    ...base,
    [paths.newCode]: code('subtract', '-'),
    [paths.newTest]: tests({ subtracts: equal('subtract(3, 2)', '1') }),
    'features.json': list(true),
  };
  const bench = await createBench({ dependencies: !isPython });
  const settings = { testing: { full: isPython ? 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python -m pytest' : 'npm test' } };
  const baselines = new Map<string, Promise<Baseline>>();
  const baselineOf = (tree: string): Promise<Baseline> => {
    const known = baselines.get(tree) ?? captureBaseline(bench, settings, tree);
    baselines.set(tree, known);
    return known;
  };
  const verdictOf = async (files: FileTable, patch: Partial<JudgeInput> & { baseFiles?: FileTable } = {}): Promise<Verdict> => {
    const { baseFiles = base, ...rest } = patch;
    const tree = await bench.tree(baseFiles);
    return judge(bench.platform, {
      ...bench.context(settings),
      session: 2,
      mode: 'feature',
      feature,
      base: { commit: 'c'.repeat(40), tree },
      candidate: { tree: await bench.tree(files), findings: [] },
      features: { trusted: baseFiles['features.json']!, candidate: files['features.json']! },
      evidence: { mentionsTestFile: true, passingSummary: 'x', endedFailing: false, shown: true },
      baseline: await baselineOf(tree),
      ...rest,
    });
  };
  return {
    bench,
    isPython,
    paths,
    base,
    honest,
    feature,
    newId: `${paths.newTest}::${isPython ? 'test_subtracts' : 'subtracts'}`,
    module,
    tests,
    equal,
    verdictOf,
  };
}

function testText(runner: DeepRunner, module: (text: string) => string, bodies: Readonly<Record<string, string>>, imports: string): string {
  const entries = Object.entries(bodies);
  if (runner === 'pytest')
    return `${imports}\n${entries.map(([title, body]) => `\ndef test_${title.replaceAll(/\W+/g, '_')}():\n    ${body.replaceAll('\n', '\n    ')}\n`).join('')}`;
  const header = {
    'node:test': "import assert from 'node:assert/strict';\nimport test from 'node:test';\n",
    vitest: "import { expect, test } from 'vitest';\n",
    jest: '',
  }[runner];
  return module(`${header}${imports}\n${entries.map(([title, body]) => `test('${title}', async () => {\n  ${body}\n});\n`).join('')}`);
}

async function captureBaseline(bench: Bench, settings: { testing: { full: string } }, tree: string): Promise<Baseline> {
  const run = await runSuite(bench.platform, { ...bench.context(settings), tree });
  const passing = passingIds(run.tests);
  return {
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
}

function toCommonJs(text: string): string {
  return text
    .replace(/import (?:\* as )?(\w+) from '(.*)';/g, "const $1 = require('$2');")
    .replace(/import \{ (.*?) \} from '(.*)';/g, "const { $1 } = require('$2');")
    .replace(/import '(.*)';/g, "require('$1');")
    .replace(/export const (\w+) =/g, 'exports.$1 =')
    .replace(/export function (\w+)/g, 'exports.$1 = function $1');
}
