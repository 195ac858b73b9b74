import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../domain/test-support-long.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { withName } from './again.ts';
import { marksIn } from './marks.ts';
import { findPython } from '../run/programs.ts';
import { openProject, type DeepRunner, type Project } from '../test-support-projects.ts';
import { reverseTests } from '../run/test-order.ts';
import { readSource } from '../source/read-source.ts';

const python = await findPython(nodePlatform());
const runners = (['node:test', 'vitest', 'jest', 'pytest'] as const).filter((name) => name !== 'pytest' || python !== null);
const MARK: Record<DeepRunner, string> = {
  'node:test': "process.env['NODE_TEST' + '_CONTEXT']",
  vitest: "process.env['VIT' + 'EST']",
  jest: "process.env['JEST_' + 'WORKER_ID']",
  pytest: "'PYTEST_' + 'CURRENT_TEST' in os.environ",
};

describe.each(runners)('%s', (runner) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(runner);
  });
  afterAll(() => project.bench.dispose());
  const code = (condition: string): string =>
    project.isPython
      ? `import os, time\ndef subtract(a, b):\n    return a - b if ${condition} else 99\n`
      : project.module(`export const subtract = (a, b) => (${condition} ? a - b : 99);\n`);

  test('refuses code that works only under the marks of a test run, and asks where it names them', async () => {
    const verdict = await project.verdictOf({ ...project.honest, [project.paths.newCode]: code(MARK[runner]) });
    expect(verdict).toMatchObject({ decision: 'rejected', reasons: ['test.failed'], findings: [{ check: 'neutral' }] });
  });

  test.runIf(isLong || runner === 'node:test')('refuses a test that passes once', async () => {
    const once = project.isPython
      ? "import os\ndef subtract(a, b):\n    if 'repeat' in os.path.basename(os.getcwd()): return 99\n    return a - b\n"
      : project.module("export const subtract = (a, b) => (process.cwd().includes('repeat') ? 99 : a - b);\n");
    const verdict = await project.verdictOf({ ...project.honest, [project.paths.newCode]: once });
    expect(verdict).toMatchObject({ decision: 'rejected', reasons: ['test.flaky'], findings: [{ check: 'repeat' }] });
    expect(
      (await project.verdictOf({ ...project.honest, [project.paths.newCode]: once }, { disabledChecks: new Set(['repeat']) })).decision,
    ).toBe('accepted');
  });

  test.runIf(runner === 'node:test' || (isLong && runner === 'pytest'))(
    'asks about tests that depend on the date or on their order',
    async () => {
      const limit = Date.now() + 86_400_000;
      const dated = await project.verdictOf({
        ...project.honest,
        [project.paths.newCode]: code(project.isPython ? `time.time() * 1000 < ${limit}` : `Date.now() < ${limit}`),
      });
      expect(dated).toMatchObject({
        decision: 'needs_human',
        reasons: ['test.flaky'],
        findings: [{ message: expect.stringContaining('only on some dates') }],
      });
    },
  );
});

test('code that names the marks of a test run is pointed out', () => {
  expect(marksIn('a.js', 'if (process.env.VITEST) x();').map((one) => one.what)).toEqual(['a variable of a test runner']);
  expect(marksIn('a.py', "import sys\nFAKE = 'pytest' in sys.modules").map((one) => one.what)).toEqual(["a test runner's modules"]);
  expect(marksIn('a.js', "const inTest = process.argv.some((one) => one.includes('test'));")).toHaveLength(1);
  expect(marksIn('a.py', "import sys\nX = any('test' in word for word in sys.argv)")).toHaveLength(1);
  expect(marksIn('a.js', "const wanted = readFileSync('test/a.test.js', 'utf8');")).toHaveLength(1);
  expect(
    marksIn(
      'a.js',
      "// VITEST sets this\nconst [, , file] = process.argv;\nimport assert from 'node:assert';\nif (process.env.NODE_ENV === 'production') latest();",
    ),
  ).toEqual([]);
});

test('marks that the neutral run takes away are asked of the text only where there was none', () => {
  const code = "if (process.env.VITEST) x();\nconst inTest = process.argv.some((one) => one.includes('test'));";
  expect(marksIn('a.js', code)).toHaveLength(2);
  expect(marksIn('a.js', code, [], true)).toEqual([]);
  expect(marksIn('a.js', "import { expect } from 'vitest';", [], true)).toHaveLength(1);
});

test('honest code that only looks like it is not', () => {
  expect(marksIn('a.js', "const hosts = { sandbox: 'https://api.test.example.com' };")).toEqual([]);
  expect(marksIn('a.js', "export const lines = (message) => new Error(message).stack.split('\\n').length > 1;")).toEqual([]);
  expect(marksIn('a.js', "for (const it of items) if (typeof it === 'string') out.push(it);", ['items', 'out'])).toEqual([]);
  expect(marksIn('a.js', "if (typeof it === 'function') cheat();", ['it', 'cheat'])).toHaveLength(1);
  expect(marksIn('a.js', "const inTest = new Error().stack.includes('node:internal/test_runner');")).toHaveLength(1);
});

const reversed = async (text: string): Promise<string> => {
  const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });
  return reverseTests(text, (await readSource(platform, 'a.test.js', text))!);
};

test('the tests of a text change places within their groups', async () => {
  const text = "test('a', () => {});\ntest('b', () => { x(); });\ndescribe('g', () => {\n  it('c', () => {});\n  it('d', () => {});\n});\n";
  expect((await reversed(text)).replaceAll(/;+/g, ';').replaceAll(/^;|(?<=[ \n]);/g, '')).toBe(
    "test('b', () => { x(); });\ntest('a', () => {});\ndescribe('g', () => {\n  it('d', () => {});\n  it('c', () => {});\n});\n",
  );
});

test('a loop without braces is not torn apart', async () => {
  const text = "for (const [a, b] of cases) test(`${a}`, () => check(a, b));\ntest('zero', () => {});\n";
  expect(await reversed(text)).toBe(text);
});

test('a test file that names itself, in a text or in a pattern, names itself by its new name', () => {
  const text = "assert.match(stack, /err\\.test\\.js:/);\nassert.equal(place, 'test/err.test.js');\n";
  expect(withName(text, 'test/err.test.js', 'test/err_1.js')).toBe(
    "assert.match(stack, /err_1\\.js:/);\nassert.equal(place, 'test/err_1.js');\n",
  );
  const other = "import { add } from '../src/add.js';\nimport './add.js';\nequal(name, 'test/add.js');\n";
  expect(withName(other, 'test/add.js', 'test/add_1.js')).toBe(
    "import { add } from '../src/add.js';\nimport './add_1.js';\nequal(name, 'test/add_1.js');\n",
  );
});

test('tests of one suite change places among themselves: another suite may not be there yet', async () => {
  const text =
    "const one = suite('one');\none('a', () => 1);\none('b', () => 2);\none.run();\nconst two = suite('two');\ntwo('c', () => 3);\ntwo.run();\n";
  const named = `import { suite } from 'uvu';\n${text}`;
  expect((await reversed(named)).replaceAll(';', '')).toBe(
    named.replaceAll(';', '').replace("one('a', () => 1)\none('b', () => 2)", "one('b', () => 2)\none('a', () => 1)"),
  );
});
