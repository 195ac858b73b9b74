import { expect, test } from 'vitest';
import { isLong } from '../../domain/test-support-long.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { findPython } from '../run/programs.ts';
import { describeControls } from '../test-support-controls.ts';
import { openProject, type DeepRunner } from '../test-support-projects.ts';

describeControls('node:test');
const hasPython = (await findPython(nodePlatform())) !== null;
if (hasPython) describeControls('pytest');

test('a process that ends with status 0 after the first passing test is noticed', async () => {
  const project = await openProject('node:test');
  const files = {
    ...project.honest,
    [project.paths.newCode]:
      'let calls = 0;\nexport const subtract = () => {\n  if (calls++ > 0) return new Promise(() => setTimeout(() => process.reallyExit(0), 200));\n  return 1;\n};\n',
    [project.paths.newTest]: project.tests({ one: project.equal('subtract(3, 2)', '1'), two: project.equal('await subtract(9, 2)', '7') }),
  };
  const verdict = await project.verdictOf(files);
  const without = await project.verdictOf(files, { disabledChecks: new Set(['controls', 'repeat', 'neutral']) });
  await project.bench.dispose();
  expect(verdict).toMatchObject({ decision: 'rejected', reasons: expect.arrayContaining(['tamper.toolchain']) });
  expect(without.decision).toBe('accepted');
});

test('accepted tests are controlled as well where they reach what was changed', async () => {
  const project = await openProject('node:test');
  const hijack = "import assert from 'node:assert/strict';\nassert.equal = () => {};\nexport const add = () => 9;\n";
  const verdict = await project.verdictOf({ ...project.honest, [project.paths.oldCode]: hijack });
  await project.bench.dispose();
  expect(verdict).toMatchObject({
    decision: 'rejected',
    reasons: ['tamper.toolchain'],
    findings: [{ check: 'controls', message: expect.stringContaining(project.paths.oldTest) }],
  });
});

/** To fail takes its time where to pass does not, as with `assert.ok` in TypeScript that is made one line while it is loaded. */
test.runIf(isLong)('tests that take a second to fail are waited for', { timeout: 600_000 }, async () => {
  const project = await openProject('node:test');
  const slow =
    "Error.prepareStackTrace = (error) => {\n  if (error?.code === 'ERR_ASSERTION') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);\n  return String(error?.stack ?? error);\n};\n";
  const honest = project.honest[project.paths.newTest] as string;
  const verdict = await project.verdictOf({ ...project.honest, [project.paths.newTest]: `${honest}${slow}` });
  await project.bench.dispose();
  expect(verdict).toMatchObject({ findings: [], decision: 'accepted' });
});

const IDLE: [string, DeepRunner, string, string][] = [
  ['a static method', 'pytest', 'class Calc:\n    @staticmethod\n    def zero():\n        return 0\n', 'Calc.zero()'],
  ['a class method', 'pytest', 'class Calc:\n    @classmethod\n    def zero(cls):\n        return 0\n', 'Calc.zero()'],
  ['an async method', 'pytest', 'class Calc:\n    async def zero(self):\n        return 0\n', 'import asyncio\nasyncio.run(Calc().zero())'],
  ['names of a tuple', 'pytest', 'Calc, ONE = 0, 1\n', 'Calc\nONE'],
  ['names under a condition', 'pytest', 'try:\n    Calc = 1\nexcept ValueError:\n    pass\n', 'Calc'],
  ['a second name of a declaration', 'node:test', 'export const one = 1, Calc = () => 2;\n', 'Calc();'],
];

const STANDING_FOR_ALL = ['a static method', 'names of a tuple', 'a second name of a declaration'];

test.each(IDLE.filter(([title, runner]) => (runner !== 'pytest' || hasPython) && (isLong || STANDING_FOR_ALL.includes(title))))(
  'a test that only touches %s proves nothing (%s)',
  async (_title, runner, code, body) => {
    const project = await openProject(runner);
    const names = code.includes('ONE') ? 'Calc, ONE' : 'Calc';
    const imports = runner === 'pytest' ? `from src.subtract import ${names}\n` : `import { ${names} } from '../src/subtract.js';\n`;
    const files = {
      ...project.honest,
      [project.paths.newCode]: code,
      [project.paths.newTest]: project.tests({ subtracts: body }, imports),
    };
    const verdict = await project.verdictOf(files);
    await project.bench.dispose();
    expect(verdict).toMatchObject({ decision: 'rejected', reasons: ['test.not_red'] });
  },
);
