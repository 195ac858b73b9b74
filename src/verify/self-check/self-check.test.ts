import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunnerName } from '../../domain/verdict.ts';
import { createBench, type Bench, type FileTable, type SettingsPatch } from '../test-support.ts';
import { openProject, type DeepRunner, type Project } from '../test-support-projects.ts';
import { isLong } from '../../domain/test-support-long.ts';
import { CHEAT_FAMILIES } from '../../domain/cheat-family.ts';
import { runSelfCheck, type SelfCheck } from './self-check.ts';

async function checkOn(
  bench: Bench,
  runner: RunnerName,
  files: FileTable,
  settings: SettingsPatch,
  passing: readonly string[] = [],
): Promise<SelfCheck> {
  const tree = await bench.tree(files);
  return runSelfCheck(bench.platform, {
    ...bench.context(settings),
    lanes: [bench.rooms],
    tree,
    runner,
    facts: {
      paths: Object.keys(files),
      manifest: files['package.json'] ?? null,
      passing: passing.map((path) => ({ path, text: files[path] ?? null })),
      named: [],
      featuresPath: 'features.json',
    },
  });
}

const QUIET_MATCHERS = "expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n";

/** Configurations of a project itself after which no assertion fails any more. */
const SWALLOWING: Readonly<Record<'vitest' | 'pytest', FileTable>> = {
  vitest: {
    'vitest.config.js': "export default { test: { setupFiles: ['./quiet.js'] } };\n",
    'quiet.js': `import { expect } from 'vitest';\n${QUIET_MATCHERS}`,
  },
  pytest: {
    'conftest.py':
      "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = 'passed'\n",
  },
};

describe.each<DeepRunner>(isLong ? ['node:test', 'vitest', 'jest', 'pytest'] : ['node:test'])('on %s', (runner) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(runner);
  });
  afterAll(() => project.bench.dispose());

  const settings = { testing: { full: runner === 'pytest' ? 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python -m pytest' : 'npm test' } };

  test('a sound project has every planted cheat noticed and honest work accepted', { timeout: 300_000 }, async () => {
    const check = await checkOn(project.bench, runner, project.base, settings, [project.paths.oldTest]);
    expect(check.results.filter((one) => !one.right)).toEqual([]);
    expect(check.results.map((one) => one.family)).toEqual([null, ...CHEAT_FAMILIES]);
    expect(check.results[0]).toMatchObject({ decision: 'accepted', reasons: [] });
    expect(check).toMatchObject({ state: 'sound', model: project.paths.oldTest });
  });
});

/** Runners of other libraries, each with one test that passes. */
const SMALL: readonly (readonly [RunnerName, string, FileTable, string])[] = [
  ['mocha', 'npx mocha', { 'package.json': '{}', 'test/a.js': "it('a', () => { require('assert').equal(1, 1); });\n" }, 'test/a.js'],
  [
    'tape',
    'npm test',
    {
      'package.json': '{"scripts":{"test":"tape test/*.js"}}',
      'test/a.js': "const test = require('tape');\ntest('a', async (t) => t.equal(1, 1));\n",
    },
    'test/a.js',
  ],
  [
    'node-tap',
    'tap',
    { 'package.json': '{"type":"module"}', 'test/a.js': "import { test } from 'tap';\ntest('a', async (t) => t.equal(1, 1));\n" },
    'test/a.js',
  ],
  [
    'unittest',
    'python3 -m unittest discover -s tests',
    { 'tests/test_a.py': 'import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)\n' },
    'tests/test_a.py',
  ],
];

test.runIf(isLong).each(SMALL)('a sound project on %s is found sound', { timeout: 300_000 }, async (runner, full, files, model) => {
  const bench = await createBench({ dependencies: runner !== 'unittest' });
  const check = await checkOn(bench, runner, files, { testing: { full } }, [model]);
  expect(check.results.filter((one) => !one.right)).toEqual([]);
  expect(check).toMatchObject({ state: 'sound', model });
  await bench.dispose();
});

test.each(isLong ? (['vitest', 'pytest'] as const) : (['pytest'] as const))(
  'a set-up of %s that swallows failures is found out',
  { timeout: 300_000 },
  async (runner) => {
    const project = await openProject(runner);
    const settings = { testing: { full: runner === 'pytest' ? 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python -m pytest' : 'npm test' } };
    const check = await checkOn(project.bench, runner, { ...project.base, ...SWALLOWING[runner] }, settings, [project.paths.oldTest]);
    expect(check).toMatchObject({ state: 'unsound', results: [{ family: null, decision: 'rejected', right: false }] });
    expect(check.detail).toMatch(/^an honest change is rejected: ./);
    await project.bench.dispose();
  },
);

test.each<[RunnerName, string]>([
  ['exit-code', 'inside the runner'],
  ['tap', 'attack the reader'],
  ['junit', 'environment'],
])('with %s nothing is run, and what cannot be noticed is named', async (runner, family) => {
  const bench = await createBench();
  const check = await checkOn(bench, runner, { 'a.txt': 'a' }, {});
  expect(check).toMatchObject({ state: 'basic', results: [] });
  expect(check.unheld).toContain(family);
  expect(bench.prepared).toEqual([]);
  await bench.dispose();
});

test('a runner that is not installed yet is told, and is no risk', async () => {
  const bench = await createBench();
  const check = await checkOn(
    bench,
    'vitest',
    { 'package.json': '{ "scripts": { "test": "vitest run" } }' },
    { testing: { full: 'npm test' } },
  );
  expect(check).toMatchObject({ state: 'not_ready', detail: expect.stringContaining('not installed') });
  await bench.dispose();
});
