import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestRun } from '../../domain/verdict.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { RunVariant } from '../runners/runner.ts';
import { findPython } from '../run/programs.ts';
import { openSealed } from '../runners/seal.ts';
import { runSuite } from '../run/suite.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench({ dependencies: true });
});
afterAll(() => bench.dispose());

const python = await findPython(nodePlatform());

interface Dialect {
  full: string;
  file: string;
  files: FileTable;
  /** A test file with one test for each condition on the module `seen`. */
  text(conditions: readonly string[]): string;
}

const script =
  (header: string) =>
  (conditions: readonly string[]): string =>
    `${header}${conditions.map((one, index) => `test('t${index}', () => { if (!(${one})) throw new Error(JSON.stringify(seen)); });\n`).join('')}`;
const SEEN =
  "const seen = { names: Object.keys(process.env).filter((name) => /TEST|VITEST|JEST|NODE_ENV|NODE_OPTIONS/.test(name)), vitest: process.env.VITEST, jest: process.env.JEST_WORKER_ID, context: process.env.NODE_TEST_CONTEXT, mode: process.env.NODE_ENV, argv: process.argv.join(' '), options: process.execArgv.join(' '), year: new Date().getFullYear(), now: Date.now() };\n";
const DIALECTS: Record<string, Dialect> = {
  'node:test': {
    full: 'node --test',
    file: 'test/a.test.mjs',
    files: { 'src/seen.mjs': `${SEEN}export { seen };` },
    text: script("import test from 'node:test';\nimport { seen } from '../src/seen.mjs';\n"),
  },
  vitest: {
    full: 'vitest run',
    file: 'test/a.test.js',
    files: { 'package.json': '{"type":"module"}', 'src/seen.js': `${SEEN}export { seen };` },
    text: script("import { test } from 'vitest';\nimport { seen } from '../src/seen.js';\n"),
  },
  jest: {
    full: 'jest',
    file: 'test/a.test.js',
    files: { 'package.json': '{}', 'src/seen.js': `${SEEN}exports.seen = seen;` },
    text: script("const { seen } = require('../src/seen.js');\n"),
  },
  pytest: {
    full: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python -m pytest',
    file: 'tests/test_a.py',
    files: {
      'src/seen.py':
        "import os, sys, time, datetime\nseen = {'names': [name for name in os.environ if 'PYTEST' in name], 'argv': ' '.join(sys.argv), 'year': datetime.date.today().year, 'now': time.time() * 1000}\n",
    },
    text: (conditions) =>
      `import os\nfrom src.seen import seen\n${conditions.map((one, index) => `def test_t${index}():\n    assert ${one}, [seen, dict(os.environ)]\n`).join('')}`,
  },
};
const dialects = Object.entries(DIALECTS).filter(([name]) => name !== 'pytest' || python !== null);

async function run(dialect: Dialect, conditions: readonly string[], variant: RunVariant): Promise<TestRun> {
  const tree = await bench.tree({ ...dialect.files, [dialect.file]: dialect.text(conditions) });
  return runSuite(bench.platform, { ...bench.context({ testing: { full: dialect.full } }), tree, files: [dialect.file], variant });
}

const results = (made: TestRun): unknown[] => [made.problems, ...made.tests.map((one) => [one.file, one.status, one.message])];

describe.each(dialects)('%s', (name, dialect) => {
  const passed = [dialect.file, 'passed', undefined];

  test('hides the marks of a test run from the code of the project, and only then', async () => {
    const hidden =
      name === 'pytest'
        ? [
            "seen['names'] == []",
            "'PYTEST_CURRENT_TEST' not in os.environ",
            "os.getpid() > 20000 and __import__('multiprocessing').current_process().pid == os.getpid() - 20000",
            "'pytest' not in seen['argv'] and 'test' not in seen['argv'].rsplit('/', 1)[-1]",
            "not any('pytest' in name for name in list(__import__('sys').modules)) and 'src.seen' in __import__('sys').modules",
            "type(__import__('sys').stdout).__name__ == 'TextIOWrapper' and __import__('sys').stdout.isatty()",
            `${JSON.stringify(bench.folder)} not in __file__`,
          ]
        : [
            'seen.names.length === 0 && seen.vitest === undefined && seen.jest === undefined && seen.context === undefined && seen.mode === undefined',
            '!/vitest|jest|--test/.test(seen.argv.replaceAll(process.cwd(), ""))',
            '!/test-reporter/.test(seen.options)',
            ...(name === 'jest'
              ? []
              : [
                  "process.listenerCount('uncaughtException') === 0 && process.on('uncaughtException', () => {}).listeners('uncaughtException').length === 1",
                  "process.connected === undefined && process.send === undefined && !process.moduleLoadList.some((one) => one.includes('test_runner'))",
                  'process.stdout.isTTY === true && process.stdout.columns === 80',
                  `!import.meta.url.includes(${JSON.stringify(bench.folder)})`,
                ]),
          ];
    expect(results(await run(dialect, hidden, { neutral: { keepNodeEnv: false } }))).toEqual([[], ...hidden.map(() => passed)]);
    expect((await run(dialect, hidden.slice(0, name === 'pytest' ? 2 : 1), {})).tests.some((one) => one.status === 'failed')).toBe(true);
  });

  test('shows another date', async () => {
    const year =
      name === 'pytest'
        ? [
            `seen['year'] > ${new Date().getFullYear()} and __import__('datetime').date.today().year > ${new Date().getFullYear()}`,
            `int(__import__('time').strftime('%Y')) > ${new Date().getFullYear()} and __import__('time').strftime('%Y', (1999, 1, 1, 0, 0, 0, 0, 1, 0)) == '1999'`,
            `__import__('time').ctime()[-4:] == str(seen['year']) and __import__('time').clock_gettime(__import__('time').CLOCK_REALTIME) * 1000 > ${Date.now()} + 300 * 86400000`,
            `seen['now'] > ${Date.now()} + 300 * 86400000 and type('Kind', (type,), {})('Fake', (__import__('datetime').date,), {}) is not None`,
          ]
        : [
            `seen.year > ${new Date().getFullYear()}`,
            `seen.now > ${Date.now()} + 300 * 86400000 && new Date() instanceof Date && new Date(5).getTime() === 5`,
            `Number(new Intl.DateTimeFormat('en', { year: 'numeric' }).format()) > ${new Date().getFullYear()} && new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'UTC' }).format(5) === '1970'`,
            `new Date().constructor.now() > ${Date.now()} + 300 * 86400000 && performance.timeOrigin > ${Date.now()} + 300 * 86400000`,
          ];
    expect(results(await run(dialect, year, { clockShiftMs: 400 * 86_400_000 }))).toEqual([[], ...year.map(() => passed)]);
  });

  test('gives random numbers from one end of their range, and names that differ', async () => {
    const [random, uuid, unlike] =
      name === 'pytest'
        ? [
            "__import__('random').random()",
            "str(__import__('uuid').uuid4())",
            "len({__import__('tempfile').mkdtemp() for _ in range(3)}) == 3",
          ]
        : [
            'Math.random()',
            "process.getBuiltinModule('node:crypto').randomUUID()",
            'new Set([1, 2, 3].map(() => Math.random())).size === 3',
          ];
    const begins = (digits: string): string => (name === 'pytest' ? `${uuid}.startswith('${digits}')` : `${uuid}.startsWith('${digits}')`);
    const low = results(await run(dialect, [`${random} < 0.001`, begins('00'), unlike!], { chance: 'low' }));
    expect(low).toEqual([[], passed, passed, passed]);
    const high = results(await run(dialect, [`${random} > 0.999`, begins('ff'), unlike!], { chance: 'high' }));
    expect(high).toEqual([[], passed, passed, passed]);
  });

  test.runIf(name !== 'node:test')('runs in another order', async () => {
    const conditions = Array.from({ length: 6 }, (_one, index) =>
      name === 'pytest'
        ? `(seen.__setitem__('n', seen.get('n', 0) + 1) or seen['n']) == ${index + 1}`
        : `(seen.n = (seen.n ?? 0) + 1) === ${index + 1}`,
    );
    expect((await run(dialect, conditions, {})).tests.every((one) => one.status === 'passed')).toBe(true);
    expect((await run(dialect, conditions, { shuffleSeed: 7 })).tests.some((one) => one.status === 'failed')).toBe(true);
  });

  test('does not believe a report that the code under test wrote over', async () => {
    const forged =
      name === 'pytest'
        ? {
            'src/seen.py':
              'import glob, os\nseen = {}\nimport atexit\ndef forge():\n    for part in open(\'/proc/self/cmdline\', \'rb\').read().decode().split(\'"\'):\n        if part.endswith(\'.json\'): open(part, \'a\').write(\'{"id": "tests/test_a.py::test_x", "when": "call", "outcome": "passed"}\\n\')\natexit.register(forge)\n',
          }
        : {
            [Object.keys(dialect.files).at(-1)!]:
              `${name === 'jest' ? "const fs = require('node:fs');" : "import fs from 'node:fs';"}\nconst seen = {};\nconst scratch = ${JSON.stringify(`${bench.folder}/scratch`)};\nfor (const run of fs.readdirSync(scratch)) for (const part of fs.readdirSync(scratch + '/' + run)) if (part.length === 32) for (const at of [0, 1, 2]) fs.writeFileSync(scratch + '/' + run + '/' + part + '/' + (fs.readdirSync(scratch + '/' + run + '/' + part)[0] ?? 'x'), '{"event":"end","lines":0}\\n', { flag: 'a' });\n${name === 'jest' ? 'exports.seen = seen;' : 'export { seen };'}`,
          };
    const made = await run({ ...dialect, files: { ...dialect.files, ...forged } }, [name === 'pytest' ? 'True' : 'true'], {});
    if (made.consistent) expect(made.tests.map((one) => one.name)).toEqual(['t0']);
    else expect(made.problems).not.toEqual([]);
  });
});

test('a seal fits one text and one key', () => {
  expect(openSealed('{"a":1}\n{"seal":"00"}\n', 'k')).toBeNull();
  expect(openSealed('', 'k')).toBeNull();
});
