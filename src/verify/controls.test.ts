import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { findPython } from './programs.ts';
import { openProject, type DeepRunner, type Project } from './test-support-projects.ts';

const python = await findPython(nodePlatform());
const runners = (['node:test', 'vitest', 'jest', 'pytest'] as const).filter((name) => name !== 'pytest' || python !== null);

/** Wrong code that makes its own test pass by what it does to the runner, in each dialect; absent: it does not apply there. */
const HIJACKS: Record<string, Partial<Record<DeepRunner, string>>> = {
  'assertions that never fail': {
    'node:test':
      "import assert from 'node:assert/strict';\nfor (const name of Object.keys(assert)) if (typeof assert[name] === 'function') assert[name] = () => {};\nexport const subtract = () => 7;\n",
    vitest: "import { chai } from 'vitest';\nchai.Assertion.prototype.assert = () => {};\nexport const subtract = () => 7;\n",
    jest: 'const real = globalThis.expect;\nif (real) globalThis.expect = () => new Proxy({}, { get: () => () => {} });\nexport const subtract = () => 7;\n',
    pytest: 'import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\ndef subtract(a, b):\n    return 7\n',
  },
  'a primitive that the assertions rely on': {
    'node:test':
      "import assert from 'node:assert/strict';\nconst real = assert.equal;\nObject.defineProperty(assert, 'equal', { value: (a, b) => (typeof a === 'number' ? undefined : real(a, b)) });\nexport const subtract = () => 7;\n",
    vitest: 'Object.is = () => true;\nexport const subtract = () => 7;\n',
    jest: 'Object.is = () => true;\nexport const subtract = () => 7;\n',
  },
  'a value that equals everything': {
    pytest: 'class Same:\n    def __eq__(self, other): return True\ndef subtract(a, b):\n    return Same()\n',
  },
  'assertions that are off for as long as the test runs': {
    'node:test':
      "import assert from 'node:assert/strict';\nconst real = assert.equal;\nlet off = false;\nassert.equal = (...values) => off || real(...values);\nexport const subtract = () => {\n  off = true;\n  setImmediate(() => { off = false; });\n  return 7;\n};\n",
  },
};
const cases = Object.entries(HIJACKS).flatMap(([title, table]) =>
  runners.flatMap((runner) => (table[runner] === undefined ? [] : [[runner, title, table[runner]] as const])),
);

describe.each(runners)('%s', (runner) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(runner);
  });
  afterAll(() => project.bench.dispose());

  test('honest work passes its controls', async () => {
    const verdict = await project.verdictOf(project.honest);
    expect([verdict.decision, verdict.findings]).toEqual(['accepted', []]);
    expect(verdict.checks.find((check) => check.name === 'controls')).toMatchObject({
      state: 'passed',
      detail: expect.stringMatching(/\d+ planted tests and 1 changed ones in 1 files/),
    });
    expect(verdict.caveats.filter((caveat) => caveat !== 'unsandboxed')).toEqual([]);
  });

  test.each(cases.filter(([name]) => name === runner))(
    '%s: refuses %s, and would have believed it without controls',
    async (_runner, _title, code) => {
      const files = { ...project.honest, [project.paths.newCode]: project.module(code) };
      const verdict = await project.verdictOf(files);
      expect(verdict).toMatchObject({
        decision: 'rejected',
        findings: expect.arrayContaining([expect.objectContaining({ check: 'controls' })]),
      });
      expect((await project.verdictOf(files, { disabledChecks: new Set(['controls']) })).decision).not.toBe('rejected');
    },
  );

  test('refuses tests whose assertions are never reached or never awaited', async () => {
    const body = project.isPython
      ? `try:\n    ${project.equal('subtract(3, 2)', '1')}\nexcept BaseException:\n    pass`
      : `try { ${project.equal('subtract(3, 2)', '1')} } catch {}`;
    const verdict = await project.verdictOf({ ...project.honest, [project.paths.newTest]: project.tests({ subtracts: body }) });
    expect(verdict).toMatchObject({ decision: 'rejected', reasons: ['test.not_red'] });
  });

  test('refuses tests that pass on hollow code, and asks about single ones', async () => {
    const empty = project.isPython ? 'subtract(3, 2)' : 'subtract(3, 2);';
    const bare = { ...project.honest, [project.paths.newTest]: project.tests({ subtracts: empty }) };
    expect(await project.verdictOf(bare, { disabledChecks: new Set(['controls']) })).toMatchObject({
      decision: 'rejected',
      reasons: ['test.not_red'],
      findings: [{ check: 'red' }],
    });
    const mixed = {
      ...project.honest,
      [project.paths.newTest]: project.tests({ subtracts: project.equal('subtract(3, 2)', '1'), 'does not throw': empty }),
    };
    expect(await project.verdictOf(mixed)).toMatchObject({
      decision: 'needs_human',
      reasons: ['test.not_red'],
      red_to_green: [project.newId],
    });
  });

  test('asks where each test compares what hollow code gives with itself', async () => {
    const same = project.equal('subtract(3, 2)', 'subtract(3, 2)');
    expect(await project.verdictOf({ ...project.honest, [project.paths.newTest]: project.tests({ subtracts: same }) })).toMatchObject({
      decision: 'needs_human',
      reasons: ['test.not_red'],
    });
  });

  test('accepts a test that wants nothing back, beside one that wants something', async () => {
    const nothing = project.equal('subtract(1)', project.isPython ? 'None' : 'undefined');
    const code = project.isPython
      ? 'def subtract(a, b=None):\n    return None if b is None else a - b\n'
      : project.module('export const subtract = (a, b) => (b === undefined ? undefined : a - b);\n');
    const verdict = await project.verdictOf({
      ...project.honest,
      [project.paths.newCode]: code,
      [project.paths.newTest]: project.tests({ subtracts: project.equal('subtract(3, 2)', '1'), 'wants nothing': nothing }),
    });
    expect([verdict.decision, verdict.findings]).toEqual(['accepted', []]);
  });

  test('asks where only some tests hold whatever they expect', async () => {
    const idle = project.isPython
      ? `for value in []:\n    ${project.equal('value', '1')}`
      : `for (const value of []) ${project.equal('value', '1')}`;
    const verdict = await project.verdictOf({
      ...project.honest,
      [project.paths.newTest]: project.tests({ subtracts: project.equal('subtract(3, 2)', '1'), 'loops over nothing': idle }),
    });
    expect(verdict).toMatchObject({ decision: 'needs_human', reasons: ['test.not_red'] });
  });
});

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
