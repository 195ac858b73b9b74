/**
 * For tests only: what controls have to catch and what they have to let pass, the same for each runner. One file a runner runs them side by side.
 * `npm test` asks all of it on node:test, and on the others what differs from runner to runner.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../domain/test-support-long.ts';
import { openProject, type DeepRunner, type Project } from './test-support-projects.ts';

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
function hijacksOf(runner: DeepRunner): (readonly [DeepRunner, string, string])[] {
  return Object.entries(HIJACKS).flatMap(([title, { [runner]: code }]) => (code === undefined ? [] : [[runner, title, code] as const]));
}

export function describeControls(runner: DeepRunner): void {
  const asksAll = isLong || runner === 'node:test';
  describe.each([runner])('%s', () => {
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
        detail: expect.stringMatching(/^(\d+) of \1 behaved as required in 1 file$/),
      });
      expect(verdict.caveats.filter((caveat) => caveat !== 'unsandboxed')).toEqual([]);
    });

    test.runIf(asksAll).each(hijacksOf(runner))(
      '%s: refuses %s, and would have believed it without controls and without making the code wrong',
      async (_runner, _title, code) => {
        const files = { ...project.honest, [project.paths.newCode]: project.module(code) };
        const verdict = await project.verdictOf(files);
        expect(verdict).toMatchObject({
          decision: 'rejected',
          findings: expect.arrayContaining([expect.objectContaining({ check: 'controls' })]),
        });
        expect((await project.verdictOf(files, { disabledChecks: new Set(['controls', 'red']) })).decision).not.toBe('rejected');
      },
    );

    test('does not accept a value that equals everything inside of a table', async () => {
      const [code, expected] = project.isPython
        ? [
            'class Same:\n    def __eq__(self, other): return True\ndef subtract(a, b):\n    return {"sum": [Same()], "kind": "number"}\n',
            '{"sum": [1], "kind": "number"}',
          ]
        : [
            runner === 'node:test'
              ? "import assert from 'node:assert/strict';\nconst real = assert.deepEqual;\nassert.deepEqual = (a, b) => (b?.sum?.length === 1 ? real(a.kind, b.kind) : real(a, b));\nexport const subtract = () => ({ sum: [9], kind: 'number' });\n"
              : "export const subtract = () => ({ sum: [{ $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true, toString: () => '' }], kind: 'number' });\n",
            "{ sum: [1], kind: 'number' }",
          ];
      const equal = project.isPython
        ? `assert subtract(3, 2) == ${expected}`
        : runner === 'node:test'
          ? `assert.deepEqual(subtract(3, 2), ${expected});`
          : `expect(subtract(3, 2)).toEqual(${expected});`;
      const files = { ...project.honest, [project.paths.newTest]: project.tests({ subtracts: equal }) };
      const honest = project.isPython
        ? 'def subtract(a, b):\n    return {"sum": [a - b], "kind": "number"}\n'
        : project.module("export const subtract = (a, b) => ({ sum: [a - b], kind: 'number' });\n");
      const accepted = await project.verdictOf({ ...files, [project.paths.newCode]: honest });
      expect([accepted.decision, accepted.findings]).toEqual(['accepted', []]);
      const verdict = await project.verdictOf({ ...files, [project.paths.newCode]: project.module(code!) });
      expect(verdict.decision).not.toBe('accepted');
      expect(verdict.findings.map((finding) => finding.check)).toContain('controls');
    });

    test.runIf(asksAll)('refuses tests whose assertions are never reached or never awaited', async () => {
      const body = project.isPython
        ? `try:\n    ${project.equal('subtract(3, 2)', '1')}\nexcept BaseException:\n    pass`
        : `try { ${project.equal('subtract(3, 2)', '1')} } catch {}`;
      const verdict = await project.verdictOf({ ...project.honest, [project.paths.newTest]: project.tests({ subtracts: body }) });
      expect(verdict).toMatchObject({ decision: 'rejected', reasons: ['test.not_red'] });
    });

    test.runIf(asksAll)('refuses tests that pass whatever the code gives, and asks about single ones', async () => {
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

    test.runIf(asksAll)('refuses tests that compare what the code gives with itself', async () => {
      const same = project.equal('subtract(3, 2)', 'subtract(3, 2)');
      expect(await project.verdictOf({ ...project.honest, [project.paths.newTest]: project.tests({ subtracts: same }) })).toMatchObject({
        decision: 'rejected',
        reasons: ['test.not_red'],
      });
    });

    test.runIf(asksAll)('accepts a test that wants nothing back, beside one that wants something', async () => {
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

    test.runIf(asksAll)('asks where only some tests hold whatever they expect', async () => {
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
}
