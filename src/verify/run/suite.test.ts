import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestRun } from '../../domain/verdict.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { fileCache } from '../memory/cache.ts';
import { runFindings } from '../checks/run-findings.ts';
import { findPython } from './programs.ts';
import { shellVariables } from './checkout.ts';
import { runSuite } from './suite.ts';
import { caveatsOf } from './test-command.ts';
import { createBench, type Bench, type FileTable, type SettingsPatch } from '../test-support.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench({ dependencies: true });
});
afterAll(() => bench.dispose());

async function suite(files: FileTable, settings: SettingsPatch, only?: string[]): Promise<TestRun> {
  return runSuite(bench.platform, { ...bench.context(settings), tree: await bench.tree(files), files: only });
}

const statuses = (run: TestRun): Record<string, string> => Object.fromEntries(run.tests.map((one) => [one.id, one.status]));

describe('node:test', () => {
  test('gives each test its status and its nested name', async () => {
    const run = await suite(
      { 'package.json': '{"scripts":{"test":"node --test test/"}}', 'test/all.test.mjs': NODE_ALL },
      { testing: { full: 'npm test' } },
    );
    expect(run.problems).toEqual([]);
    expect(run).toMatchObject({ runner: 'node:test', exit_code: 1, consistent: true });
    expect(statuses(run)).toEqual({
      'test/all.test.mjs::adds': 'passed',
      'test/all.test.mjs::adds #2': 'passed',
      'test/all.test.mjs::skipped': 'skipped',
      'test/all.test.mjs::later': 'todo',
      'test/all.test.mjs::group > inner > deep': 'passed',
      'test/all.test.mjs::group > wrong': 'failed',
    });
    expect(run.tests.find((one) => one.status === 'failed')?.failure).toBe('assertion');
  });

  test('counts a file that exits early with status 0 as an error, not as a pass', async () => {
    const run = await suite({ 'test/early.test.mjs': "import test from 'node:test'; test('a', () => {}); process.exit(0);" }, {});
    expect(run.exit_code).toBe(0);
    expect(statuses(run)).toEqual({ 'test/early.test.mjs::(file)': 'error' });
  });

  test('tells a missing import from a failed assertion', async () => {
    const run = await suite(
      { 'test/missing.test.mjs': "import test from 'node:test'; import { x } from '../gone.mjs'; test('a', () => x());" },
      {},
    );
    expect(run.tests).toMatchObject([{ id: 'test/missing.test.mjs::(file)', status: 'error', failure: 'import' }]);
    expect(run.consistent).toBe(true);
  });

  test('is an empty, consistent run where there are no tests', async () => {
    const run = await suite({ 'readme.txt': 'nothing' }, {});
    expect(run).toMatchObject({ consistent: true, tests: [] });
  });

  test('stops a run that hangs and says so', async () => {
    const tree = await bench.tree({
      'test/hang.test.mjs': "import test from 'node:test'; test('a', () => new Promise(() => setInterval(() => {}, 1000)));",
    });
    const run = await runSuite(bench.platform, { ...bench.context(), tree, timeoutMs: 1_500 });
    expect(run).toMatchObject({ timed_out: true, consistent: false });
  });

  test('keeps the network, the real home and NODE_OPTIONS away from a run', async () => {
    const platform = nodePlatform({ ...bench.platform.env, NODE_OPTIONS: '--title=leak', SECRET_TOKEN: 'x', npm_config_x: '1' });
    const source = `import test from 'node:test'; import assert from 'node:assert'; import net from 'node:net';
      test('environment', () => assert.deepEqual(Object.keys(process.env).filter((name) => !name.startsWith('NODE_')).sort(), ${JSON.stringify(['HOME', 'LANG', 'PATH', 'TMPDIR', ...Object.keys(shellVariables('', ''))].sort())}));
      test('network', async () => { const error = await new Promise((done) => net.connect(53, '192.0.2.1').on('error', done).setTimeout(300, function () { done({ code: 'TIMEOUT' }); this.destroy(); })); assert.equal(error.code, 'ENETUNREACH'); });`;
    const run = await runSuite(platform, { ...bench.context(), tree: await bench.tree({ 'test/env.test.mjs': source }) });
    expect(run.tests.map((one) => [one.name, one.status, one.message])).toEqual([
      ['environment', 'passed', undefined],
      ['network', run.sandboxed ? 'passed' : 'failed', undefined],
    ]);
  });
});

test('runs without a sandbox where the settings say so, and tells', async () => {
  const run = await suite(
    { 'package.json': '{"type":"module"}', 'a.test.js': "import { expect, test } from 'vitest'; test('a', () => expect(1).toBe(1));" },
    { testing: { full: 'vitest run' }, sandbox: { mode: 'off' } },
  );
  expect(run).toMatchObject({ sandboxed: false, consistent: true, tests: [{ status: 'passed' }] });
  expect(caveatsOf(run, 'loopback')).toEqual(['unsandboxed']);
});

test('finds its room and its report below a hidden directory, and nothing else there', async () => {
  const source = `import test from 'node:test'; import assert from 'node:assert'; import { readdirSync } from 'node:fs';
    test('sees only the room', () => assert.deepEqual(readdirSync('${bench.folder}').sort(), ['rooms', 'scratch']));`;
  const run = await runSuite(bench.platform, {
    ...bench.context(),
    view: { hidden: [bench.folder] },
    tree: await bench.tree({ 'test/a.test.mjs': source }),
  });
  expect(run).toMatchObject({ consistent: true, tests: [{ status: run.sandboxed ? 'passed' : 'failed' }] });
});

const NODE_ALL = `import test, { describe, it } from 'node:test'; import assert from 'node:assert';
test('adds', () => assert.equal(1 + 1, 2));
test('adds', () => {});
test('skipped', { skip: true }, () => {});
test('later', { todo: true }, () => assert.fail());
describe('group', () => { describe('inner', () => it('deep', () => {})); it('wrong', () => assert.equal(1, 2)); });`;

describe('vitest', () => {
  test('sees expected failures and retries as what they are', async () => {
    const source = `import { describe, expect, test } from 'vitest';
      let tries = 0;
      describe('group', () => test('passes', () => expect(1).toBe(1)));
      test.fails('expected to fail', () => expect(1).toBe(2));
      test('retried', { retry: 2 }, () => { tries += 1; expect(tries).toBe(2); });
      test.skip('skipped', () => {}); test.todo('todo'); test('wrong', () => expect(1).toBe(2));`;
    const run = await suite(
      {
        'package.json': '{"type":"module","scripts":{"test":"vitest run"}}',
        'a.test.js': source,
        'vitest.config.js': 'export default { test: { include: ["*.test.js"] } };',
      },
      { testing: { full: 'npm test' } },
    );
    expect(run.problems).toEqual([]);
    expect(statuses(run)).toEqual({
      'a.test.js::group > passes': 'passed',
      'a.test.js::expected to fail': 'xfail',
      'a.test.js::retried': 'retried',
      'a.test.js::skipped': 'skipped',
      'a.test.js::todo': 'todo',
      'a.test.js::wrong': 'failed',
    });
  });

  test('runs one file alone and reports a file that cannot be loaded as an error', async () => {
    const files = {
      'package.json': '{"type":"module"}',
      'a.test.js': "import { test } from 'vitest'; test('a', () => {});",
      'b.test.js': "import { test } from 'vitest'; import './gone.js'; test('b', () => {});",
    };
    const run = await suite(files, { testing: { full: 'npx vitest run' } }, ['b.test.js']);
    expect(run.tests).toMatchObject([{ id: 'b.test.js::(file)', status: 'error', failure: 'import' }]);
  });

  test('says that a lockfile is missing where nothing is installed', async () => {
    const bare = await createBench();
    const run = await runSuite(bare.platform, {
      ...bare.context({ testing: { full: 'vitest run' } }),
      tree: await bare.tree({ 'a.test.js': '' }),
    });
    await bare.dispose();
    expect(run).toMatchObject({ consistent: false, tests: [] });
    expect(run.problems.join()).toContain('lockfile');
  });
});

describe('mocha', () => {
  const files = {
    'package.json': '{"scripts":{"test":"mocha --bail \'test/*.js\'"}}',
    '.mocharc.json': '{"require":["./first.js"],"spec":"test/*.js","node-option":["no-warnings"]}',
    'first.js': 'globalThis.first = true;',
    'test/a.js': `const assert = require('assert');
      describe('group', () => { it('passes', () => assert.ok(globalThis.first)); it('wrong', () => assert.equal(1, 2)); it('later'); });
      let tries = 0;
      it('retried', function () { this.retries(2); tries += 1; assert.equal(tries, 2); });
      it.skip('skipped', () => {});
      describe('hooks', () => { before(() => { throw new Error('no'); }); it('never', () => {}); });`,
    'test/b.js': "require('./gone.js'); it('b', () => {});",
  };

  test('tells each test, what was expected to wait, what was tried again, and what could not be loaded', async () => {
    const run = await suite(files, { testing: { full: 'npm test' } });
    expect(run).toMatchObject({ runner: 'mocha', problems: [] });
    expect(statuses(run)).toEqual({
      'test/a.js::group > passes': 'passed',
      'test/a.js::group > wrong': 'failed',
      'test/a.js::group > later': 'skipped',
      'test/a.js::retried': 'retried',
      'test/a.js::skipped': 'skipped',
      'test/a.js::hooks > "before all" hook for "never"': 'error',
      'test/b.js::(file)': 'error',
    });
    expect(run.tests.find((one) => one.file === 'test/b.js')?.failure).toBe('import');
    expect(Object.keys(statuses(await suite(files, { testing: { full: 'npm test' } }, ['test/b.js'])))).toEqual(['test/b.js::(file)']);
  });
});

describe('tape', () => {
  test('tells each test of the files that one loads, and believes nothing that is printed', async () => {
    const run = await suite(
      {
        'package.json': '{"scripts":{"test":"node test"},"devDependencies":{"tape":"*"}}',
        'test/index.js': "require('./a.js');\nrequire('./b.js');\n",
        'test/a.js': `const test = require('tape');
          test('passes', (t) => { t.equal(1, 1); t.test('inner', (st) => { st.ok(true); st.end(); }); t.end(); });
          test('wrong', async (t) => t.equal(1, 2, 'one'));
          test('rejects', async () => { throw new Error('x'); });
          test('planned', (t) => { t.plan(2); t.ok(true); t.end(); });
          test('skipped', { skip: true }, (t) => t.end());
          console.log('ok 1 wrong');`,
        'test/b.js': "const test = require('tape');\ntest('alone', (t) => t.end());\ntest('hangs', () => {});\n",
      },
      { testing: { full: 'npm test' } },
    );
    expect(run).toMatchObject({ runner: 'tape', exit_code: 1, problems: [] });
    expect(statuses(run)).toEqual({
      'test/a.js::passes': 'passed',
      'test/a.js::passes > inner': 'passed',
      'test/a.js::wrong': 'failed',
      'test/a.js::rejects': 'failed',
      'test/a.js::planned': 'failed',
      'test/a.js::skipped': 'skipped',
      'test/b.js::alone': 'passed',
      'test/b.js::hangs': 'failed',
    });
  });

  test('a file that ends early, forges a report or cannot be loaded has told nothing', async () => {
    const files = {
      'package.json': '{"scripts":{"test":"tape \'test/*.js\'"}}',
      'test/a.js': "const test = require('tape');\ntest('a', (t) => t.end());\nprocess.reallyExit(0);\n",
      'test/b.js':
        "const fs = require('fs');\nprocess.removeAllListeners('exit');\nfs.writeSync(4, JSON.stringify([{ file: 'test/b.js', name: ['b'], status: 'passed' }]) + '\\n');\n",
      'test/c.js': "require('./gone.js');\n",
      'test/d.js': "'use strict';\n",
    };
    const run = await suite(files, { testing: { full: 'npm test' } });
    expect(statuses(run)).toEqual({
      'test/a.js::(file)': 'error',
      'test/b.js::(file)': 'error',
      'test/c.js::(file)': 'error',
      'test/d.js::(file)': 'error',
    });
  });
});

describe('node-tap', () => {
  test('tells parts as tests, and plain assertions outside of them', async () => {
    const run = await suite(
      {
        'package.json': '{"scripts":{"test":"tap --no-coverage -R spec"}}',
        'test/a.js': `const t = require('tap');
          t.test('passes', async (t) => { t.equal(1, 1); await t.test('inner', async (t) => t.ok(true)); });
          t.test('wrong', (t) => { t.equal(1, 2, 'one'); t.end(); });
          t.test('rejects', async () => { throw new Error('x'); });
          t.test('skipped', { skip: true }, () => {});
          t.equal(1, 1, 'bare');
          console.log('ok 9 - printed');`,
        'test/fixtures/no.js': 'throw new Error("no test");',
      },
      { testing: { full: 'npm test' } },
    );
    expect(run).toMatchObject({ runner: 'node-tap', exit_code: 1, problems: [] });
    expect(statuses(run)).toEqual({
      'test/a.js::passes > inner': 'passed',
      'test/a.js::passes': 'passed',
      'test/a.js::wrong': 'failed',
      'test/a.js::rejects': 'failed',
      'test/a.js::skipped': 'skipped',
      'test/a.js::bare': 'passed',
    });
  });

  test('names a test that set the clock back as it is called', async () => {
    const back = `const t = require('tap');
      t.test('back', async (t) => { const { hrtime } = process; process.hrtime = (...given) => { const [one, two] = hrtime(...given); return [one - 90, two]; }; process.hrtime.bigint = () => hrtime.bigint() - 90_000_000_000n; t.ok(true); });`;
    const run = await suite({ 'package.json': '{"scripts":{"test":"tap"}}', 'test/a.js': back }, { testing: { full: 'npm test' } });
    expect(statuses(run)).toEqual({ 'test/a.js::back': 'passed' });
  });
});

describe('jest', () => {
  test('sees expected failures and retries as what they are', async () => {
    const source = `let tries = 0; jest.retryTimes(2);
      describe('group', () => test('passes', () => expect(1).toBe(1)));
      test.failing('expected to fail', () => expect(1).toBe(2));
      test('retried', () => { tries += 1; expect(tries).toBe(2); });
      test.skip('skipped', () => {}); test.todo('todo'); test('wrong', () => expect(1).toBe(2));`;
    const run = await suite(
      { 'package.json': '{"scripts":{"test":"jest --bail"}}', 'a.test.js': source },
      { testing: { full: 'npm test' } },
    );
    expect(run.problems).toEqual([]);
    expect(statuses(run)).toEqual({
      'a.test.js::group > passes': 'passed',
      'a.test.js::expected to fail': 'xfail',
      'a.test.js::retried': 'retried',
      'a.test.js::skipped': 'skipped',
      'a.test.js::todo': 'todo',
      'a.test.js::wrong': 'failed',
    });
  });

  test('shows none of its words to code that takes those of the command, also where it runs in one process', async () => {
    const run = await suite(
      { 'package.json': '{}', 'a.test.js': "test('a', () => expect(process.argv.slice(2)).toEqual([]));" },
      { testing: { full: 'npx jest --runInBand' } },
    );
    expect(statuses(run)).toEqual({ 'a.test.js::a': 'passed' });
  });

  test('does not believe a run that exits early with status 0', async () => {
    const run = await suite(
      { 'package.json': '{}', 'a.test.js': "test('a', () => {}); process.exit(0);" },
      { testing: { full: 'npx jest' } },
      ['a.test.js'],
    );
    expect(run.consistent).toBe(false);
    expect(run.tests.filter((one) => one.status === 'passed')).toEqual([]);
  });
});

const python = await findPython(nodePlatform());

describe.runIf(python !== null)('pytest', () => {
  test('sees expected failures, parameters, classes and broken set-up', async () => {
    const source = `import pytest
class TestGroup:
    def test_passes(self): assert 1 == 1
@pytest.mark.parametrize('n', [1, 2])
def test_each(n): assert n < 2
@pytest.mark.skip
def test_skipped(): pass
@pytest.mark.xfail
def test_xfail(): assert False
@pytest.mark.xfail
def test_xpass(): assert True
@pytest.fixture
def broken(): raise RuntimeError('no')
def test_setup(broken): pass
`;
    const run = await suite({ 'tests/test_a.py': source }, { testing: { full: 'poetry run pytest tests/ -v -x' } });
    expect(run.problems).toEqual([]);
    expect(statuses(run)).toEqual({
      'tests/test_a.py::TestGroup > test_passes': 'passed',
      'tests/test_a.py::test_each[1]': 'passed',
      'tests/test_a.py::test_each[2]': 'failed',
      'tests/test_a.py::test_skipped': 'skipped',
      'tests/test_a.py::test_xfail': 'xfail',
      'tests/test_a.py::test_xpass': 'xfail',
      'tests/test_a.py::test_setup': 'error',
    });
  });

  test('cannot be shadowed by a file named like it', async () => {
    const run = await suite(
      { 'pytest.py': 'raise SystemExit(0)', 'json.py': 'raise SystemExit(0)', 'tests/test_a.py': 'def test_a(): assert False' },
      { testing: { full: 'python -m pytest' } },
    );
    expect(statuses(run)).toEqual({ 'tests/test_a.py::test_a': 'failed' });
  });

  test('reports a module that cannot be imported as an import error', async () => {
    const run = await suite({ 'tests/test_a.py': 'import gone\ndef test_a(): pass' }, { testing: { full: 'pytest' } });
    expect(run.tests).toMatchObject([{ id: 'tests/test_a.py::(file)', status: 'error', failure: 'import' }]);
  });

  test.each([
    ['python -m pytest', '__main__.py', []],
    ['pytest -k "a or b" tests', 'pytest', ['-k', 'a or b', 'tests']],
  ])('shows the words of the command of the project, and none of ours: %s', async (full, program, words) => {
    const text = `import os, sys\ndef test_a(): assert [os.path.basename(sys.argv[0]), *sys.argv[1:]] == ${JSON.stringify([program, ...words])}\n`;
    const run = await suite({ 'tests/test_a.py': text }, { testing: { full } }, ['tests/test_a.py']);
    expect(statuses(run)).toEqual({ 'tests/test_a.py::test_a': 'passed' });
  });

  test('does not believe a test that ends the process', async () => {
    const run = await suite({ 'tests/test_a.py': 'import os\ndef test_a(): os._exit(0)' }, { testing: { full: 'pytest' } });
    expect(run).toMatchObject({ consistent: false, exit_code: 0, tests: [{ status: 'error' }] });
  });
});

describe('other commands', () => {
  test('are believed by exit status alone when the runner is not known', async () => {
    const run = await suite({ 'check.sh': 'exit 3' }, { testing: { full: 'sh check.sh | cat; sh check.sh' } });
    expect(run).toMatchObject({ runner: 'exit-code', exit_code: 3, consistent: true });
    expect(statuses(run)).toEqual({ '(suite)::suite': 'failed' });
  });

  test('are read from TAP when the settings say so', async () => {
    const run = await suite({}, { testing: { full: "printf 'TAP version 14\\nok 1 - a\\nok 2 - b # SKIP\\n1..2\\n'", report: 'tap' } });
    expect(run).toMatchObject({ runner: 'tap', consistent: true });
    expect(statuses(run)).toEqual({ '(suite)::a': 'passed', '(suite)::b': 'skipped' });
  });

  test('are read from the JUnit files that the run wrote, never from those of the tree', async () => {
    const xml = (name: string, inner: string): string =>
      `<testsuites><testsuite><testcase classname="pkg.A" name="${name}" time="0.1">${inner}</testcase></testsuite></testsuites>`;
    const files = {
      'old.xml': xml('stale', ''),
      'run.sh': `mkdir out; echo '${xml('real', '<failure message="no"/>')}' > out/TEST-a.xml; exit 1`,
    };
    const run = await suite(files, { testing: { full: 'sh run.sh', report: 'junit' } });
    expect(statuses(run)).toEqual({ 'pkg.A::real': 'failed' });
    expect(run.consistent).toBe(true);
  });

  test('run the steps in front of the runner first', async () => {
    const run = await suite(
      {
        'package.json': '{"scripts":{"pretest":"echo \'export const x = 1;\' > built.mjs","test":"node --test"}}',
        'test/a.test.mjs': "import test from 'node:test'; import { x } from '../built.mjs'; test('built', () => x);",
      },
      { testing: { full: 'npm test' } },
    );
    expect(statuses(run)).toEqual({ 'test/a.test.mjs::built': 'passed' });
  });

  test('a step that fails is named with what it said, and so is the finding', async () => {
    const scripts = { pretest: 'echo "src/a.ts(1,2): error TS7006: no type"; exit 2', test: 'node --test' };
    const run = await suite(
      { 'package.json': JSON.stringify({ scripts }), 'test/a.test.mjs': "import test from 'node:test'; test('a', () => {});" },
      { testing: { full: 'npm test' } },
    );
    const [finding] = runFindings('feature-test', run);
    expect(finding!.message).toMatch(/^the step before the tests failed: .* \(exit 2\): src\/a\.ts\(1,2\): error TS7006: no type$/);
  });
});

describe('the result cache', () => {
  test('answers for the same tree and keeps no failing run', async () => {
    const cache = fileCache(bench.platform, `${bench.folder}/cache`);
    const good = await bench.tree({ 'test/a.test.mjs': "import test from 'node:test'; test('a', () => {});" });
    const bad = await bench.tree({ 'test/a.test.mjs': "import test from 'node:test'; test('a', () => { throw new Error(); });" });
    for (const tree of [good, good, bad, bad]) await runSuite(bench.platform, { ...bench.context(), tree, cache });
    expect(bench.prepared.filter((tree) => tree === good)).toHaveLength(1);
    expect(bench.prepared.filter((tree) => tree === bad)).toHaveLength(2);
  });
});
