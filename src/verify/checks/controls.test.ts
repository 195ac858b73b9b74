import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { findPython } from '../run/programs.ts';
import { describeControls } from '../test-support-controls.ts';
import { openProject } from '../test-support-projects.ts';

describeControls('node:test');
if ((await findPython(nodePlatform())) !== null) describeControls('pytest');

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
